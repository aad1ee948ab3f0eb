import { accessSync, constants, mkdirSync } from 'node:fs'
import { ConsoleError } from '../../shared/errors.ts'

/** Makes the data directory, readable by its owner only. Throws ConsoleError `data_dir` where that cannot be. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ConsoleError(
      {
        code: 'data_dir',
        happened: `The folder for the console’s data cannot be used (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}): ${dataDir}`,
        safe: 'Nothing was opened or changed. A desk receives no student messages until it runs; elsewhere, events wait in the queue.',
        todo: 'Give this account permission to write there, or choose another folder with --data-dir.',
      },
      { cause },
    )
  }
}
