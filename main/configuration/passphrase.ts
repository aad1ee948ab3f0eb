import { readFileSync } from 'node:fs'
import type { Variables } from './environment.ts'
import { misconfigured } from './misconfigured.ts'

/**
 * The passphrase of the environment, or of the file it names, without the line break at its end; null = none is
 * given. Throws ConsoleError `configuration` where both are, and for a file that cannot be read or is empty.
 */
export function passphraseOf(set: Variables): string | null {
  const { PSYFLO_PASSPHRASE: passphrase, PSYFLO_PASSPHRASE_FILE: file } = set
  if (file === undefined) return passphrase ?? null
  if (passphrase !== undefined) throw misconfigured('PSYFLO_PASSPHRASE and PSYFLO_PASSPHRASE_FILE are both set.')
  const read = contentOf(file).replace(/\r?\n$/, '')
  if (read === '') throw misconfigured('The file named by PSYFLO_PASSPHRASE_FILE is empty.')
  return read
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw misconfigured('The file named by PSYFLO_PASSPHRASE_FILE cannot be read.', {
      todo: 'Correct the path or its permissions, and start again.',
      cause,
    })
  }
}
