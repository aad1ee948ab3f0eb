import { sentenceAbout, type UnreadVariable } from '../configuration/index.ts'
import { failed, ok, warning, type Check } from './report.ts'

/** A misspelled name must not pass for a setting; nor one that only a later version reads. */
export function checkVariables(unread: readonly UnreadVariable[]): Check {
  const name = 'Variables'
  const sentence = unread.map(sentenceAbout).join(' ')
  if (unread.length === 0) return ok(name, 'This program reads every PSYFLO_ variable that is set.')
  return unread.some(({ kind }) => kind === 'unknown')
    ? failed(name, sentence, 'Correct the name or remove it; the program’s --help lists every name.')
    : warning(name, sentence, 'Remove it, or use a version that reads it; it has no effect here.')
}
