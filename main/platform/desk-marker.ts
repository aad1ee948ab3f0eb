/** Whether a data directory belongs to a desk: a small plaintext file says so, and names nobody. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'

/** Written last where a desk is set up, so that it stands beside complete data only. */
export const deskMarker = 'desk.json'
/** A set-up that is finished, on its way to its place: it counts, and the next start moves it there. */
export const finishedSetUp = 'desk-set-up'

const newest = 1
const markerSchema = z.object({ version: z.int().positive() })

export const markerText = `${JSON.stringify({ version: newest })}\n`

/**
 * Whether this directory was set up as a desk. Throws ConsoleError `desk_newer` where a newer program did it,
 * `desk_marker` where the marker cannot be read.
 */
export function isDesk(dataDir: string): boolean {
  const path = [join(dataDir, deskMarker), join(dataDir, finishedSetUp, deskMarker)].find((file) => existsSync(file))
  if (path === undefined) return false
  const read = markerSchema.safeParse(parse(path))
  if (!read.success)
    throw refused('desk_marker', 'The file desk.json in this data directory cannot be read.', 'Restore it from a backup of the data directory.') // prettier-ignore
  if (read.data.version > newest)
    throw refused(
      'desk_newer',
      'A newer PsyFlo Console set up this data directory.',
      'Start the newer version, or choose another data directory with --data-dir.',
    )
  return true
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function refused(code: string, happened: string, todo: string): ConsoleError {
  return new ConsoleError({ code, happened, safe: 'Nothing was opened or changed.', todo })
}
