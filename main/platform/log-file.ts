import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface LogFile {
  write(line: string): void
}

/** Five megabytes hold about 30,000 lines. */
const defaults = { largest: 5 * 2 ** 20, kept: 4 }

/** At the end of what is there; never through a symbolic link to a file elsewhere. Windows knows no such flag. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/**
 * The file `NAME.log` in `dir`, readable by its owner only. Before it grows beyond `largest` bytes it becomes
 * `NAME.1.log`, and so on to `NAME.KEPT.log`; what is older is gone. Throws where it cannot be opened; a line
 * that cannot be written later (a full disk, say) is dropped, as nothing may wait for a log.
 */
export function openLogFile(dir: string, name: string, options: Partial<typeof defaults> = {}): LogFile {
  const { largest, kept } = { ...defaults, ...options }
  const path = (age: number) => join(dir, age === 0 ? `${name}.log` : `${name}.${age}.log`)
  const open = () => {
    const descriptor = openSync(path(0), appending, 0o600)
    return { descriptor, size: fstatSync(descriptor).size }
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  /** Null = closed: it could not be opened again, and the next line tries. */
  let file: ReturnType<typeof open> | null = open()

  const rotate = (descriptor: number): void => {
    // Once closed, the number may be given to another file, the database for one.
    file = null
    closeSync(descriptor)
    for (let age = kept - 1; age >= 0; age -= 1) if (existsSync(path(age))) renameSync(path(age), path(age + 1))
  }
  return {
    write(line) {
      try {
        file ??= open()
        if (file.size > 0 && file.size + Buffer.byteLength(line) > largest) rotate(file.descriptor)
        file ??= open()
        file.size += writeSync(file.descriptor, line)
      } catch {
        // Dropped: there is nowhere left to say so.
      }
    },
  }
}
