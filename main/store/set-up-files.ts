/**
 * The files of a desk on their way into a data directory. They are made in a folder beside their place; renaming
 * that folder is the one step that decides: before it nothing was set up, after it everything was.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs' // prettier-ignore
import { join } from 'node:path'
import { ConsoleError } from '../../shared/errors.ts'
import { deskMarker, finishedSetUp, isDesk, markerText } from '../platform/desk-marker.ts'

const unfinished = (dataDir: string) => join(dataDir, `${finishedSetUp}.unfinished`)

/** Files that say that a data directory is in use already. */
const belongings = ['keystore.json', 'console.db', 'station.db']

/**
 * An empty folder in which a set-up is made; what a set-up that was cut short has left is removed. Throws
 * ConsoleError `data_dir_taken` where the directory holds data.
 */
export function beginSetUp(dataDir: string): string {
  refuseTaken(dataDir)
  const folder = unfinished(dataDir)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Throws ConsoleError `data_dir_taken` where the directory holds data, so that nobody fills in a set-up for nothing. */
export function refuseTaken(dataDir: string): void {
  if (isDesk(dataDir) || belongings.some((file) => existsSync(join(dataDir, file)))) throw taken()
}

/** Makes what stands in the folder of `beginSetUp` the data of this directory: all of it, or none. */
export function finishSetUp(dataDir: string): void {
  const folder = unfinished(dataDir)
  writeFileSync(join(folder, deskMarker), markerText, { mode: 0o600, flush: true })
  keepNames(folder)
  renameSync(folder, join(dataDir, finishedSetUp))
  keepNames(dataDir)
  settleSetUp(dataDir)
}

/** Moves a finished set-up to its place, the marker last; does nothing where that was done. */
export function settleSetUp(dataDir: string): void {
  const folder = join(dataDir, finishedSetUp)
  if (!existsSync(folder)) return
  const files = readdirSync(folder).filter((file) => file !== deskMarker)
  for (const file of files) renameSync(join(folder, file), join(dataDir, file))
  keepNames(dataDir)
  if (existsSync(join(folder, deskMarker))) renameSync(join(folder, deskMarker), join(dataDir, deskMarker))
  keepNames(dataDir)
  rmdirSync(folder)
}

/** Has the disk keep the names in a folder; Windows opens no folder, and keeps them by itself. */
function keepNames(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

function taken(): ConsoleError {
  return new ConsoleError({
    code: 'data_dir_taken',
    happened: 'This data directory already holds a console’s data.',
    safe: 'That data was not touched, and nothing was set up.',
    todo: 'Start with another --data-dir and set up the school there.',
  })
}
