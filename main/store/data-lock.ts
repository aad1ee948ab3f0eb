import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from './sqlite.ts'
import { ConsoleError } from '../../shared/errors.ts'

/**
 * Takes a data directory for this process, until released. The lock is the operating system's, held
 * through SQLite, so whatever `kill -9` leaves behind never hinders the next start.
 * Throws ConsoleError `data_dir_in_use`.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = new Database(join(dataDir, 'console.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new ConsoleError(
      {
        code: 'data_dir_in_use',
        happened: 'Another console or station is using this data directory.',
        safe: 'It keeps running; nothing was changed.',
        todo: 'Use the one that is running, or start this one with another --data-dir.',
      },
      { cause },
    )
  }
  return () => lock.close()
}

/** Whether a program runs on this directory, asked of the lock it holds. Nothing is created. */
export function isDataDirLocked(dataDir: string): boolean {
  const file = join(dataDir, 'console.lock')
  if (!existsSync(file)) return false
  let lock: Database.Database | undefined
  try {
    lock = new Database(file, { readonly: true, timeout: 0 })
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY'
  } finally {
    lock?.close()
  }
}

/**
 * A folder for one run of the demonstration school, inside `demo/`. Folders of runs that are over are
 * removed: their key is gone with them.
 */
export function freshDemonstrationDir(dataDir: string, name: string): { dir: string; release(): void } {
  const parent = join(dataDir, 'demo')
  if (existsSync(parent)) for (const old of readdirSync(parent)) removeIfOver(join(parent, old))
  const dir = join(parent, name)
  const unlock = lockDataDir(dir)
  return {
    dir,
    release() {
      unlock()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function removeIfOver(dir: string): void {
  try {
    lockDataDir(dir)()
    rmSync(dir, { recursive: true, force: true })
  } catch {
    // A run that goes on, or a folder that is not ours: left alone.
  }
}
