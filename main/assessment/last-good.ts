/**
 * The last detection files that an engine could be built from. They are public, so they lie unencrypted in the data
 * directory, in a folder named after their digest; the file `current` names the folder in force.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DetectionFiles } from '../analysis/index.ts'
import { digestOf, readDetectionFiles } from './files.ts'

const folderName = 'detection-last-good'
const pointer = 'current'

/** Keeps the files where they are other than those kept. Each step is a rename, so that a power cut leaves the old ones or the new. */
export function keepLastGood(dataDir: string, files: DetectionFiles): void {
  const folder = join(dataDir, folderName)
  const digest = digestOf(files)
  if (digestInForce(folder) === digest) return
  const unfinished = join(folder, `${digest}.unfinished`)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(unfinished, name), bytes, { flush: true })
  rmSync(join(folder, digest), { recursive: true, force: true })
  renameSync(unfinished, join(folder, digest))
  writeFileSync(join(folder, `${pointer}.unfinished`), digest, { flush: true })
  renameSync(join(folder, `${pointer}.unfinished`), join(folder, pointer))
  for (const name of readdirSync(folder))
    if (name !== pointer && name !== digest) rmSync(join(folder, name), { recursive: true, force: true })
}

/** The files kept; null where there are none, or where they are not what they were. */
export function readLastGood(dataDir: string): DetectionFiles | null {
  const folder = join(dataDir, folderName)
  const digest = digestInForce(folder)
  if (digest === null) return null
  const files = readDetectionFiles(join(folder, digest))
  return digestOf(files) === digest ? files : null
}

function digestInForce(folder: string): string | null {
  try {
    const digest = readFileSync(join(folder, pointer), 'utf8')
    return /^[0-9a-f]{64}$/.test(digest) ? digest : null
  } catch {
    return null
  }
}
