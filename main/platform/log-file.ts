import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface LogFile {
  write(line: string): void
}

/** Five megabytes hold about 30,000 lines. */
const defaults = { largest: 5 * 2 ** 20, kept: 4 }

/**
 * The file `NAME.log` in `dir`, readable by its owner only. Before it grows beyond `largest` bytes it becomes
 * `NAME.1.log`, and so on to `NAME.KEPT.log`; what is older is gone. Throws where it cannot be opened; a line
 * that cannot be written later (a full disk, say) is dropped, as nothing may wait for a log.
 */
export function openLogFile(dir: string, name: string, options: Partial<typeof defaults> = {}): LogFile {
  const { largest, kept } = { ...defaults, ...options }
  const path = (age: number) => join(dir, age === 0 ? `${name}.log` : `${name}.${age}.log`)
  const open = () => openSync(path(0), 'a', 0o600)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let file = open()
  let size = fstatSync(file).size

  const rotate = (): void => {
    closeSync(file)
    try {
      for (let age = kept - 1; age >= 0; age -= 1) if (existsSync(path(age))) renameSync(path(age), path(age + 1))
    } finally {
      file = open()
      size = fstatSync(file).size
    }
  }
  return {
    write(line) {
      try {
        if (size > 0 && size + Buffer.byteLength(line) > largest) rotate()
        size += writeSync(file, line)
      } catch {
        // Dropped: there is nowhere left to say so.
      }
    },
  }
}
