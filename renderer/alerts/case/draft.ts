import type { AlertDetail } from '../../../shared/views.ts'
import { hasDraft } from '../../controls/index.ts'

/**
 * Under which name the draft of one form of a case is kept: apart from the note of its alert and from other forms, so
 * that sending or discarding one loses nothing of another. Of the keys that the alert has been known by, the one that
 * holds a draft.
 */
export function caseDraftOf({ key, aliases }: Pick<AlertDetail, 'key' | 'aliases'>, form: string): string {
  const name = (alias: string) => `case ${alias} ${form}`
  return name([key, ...aliases].find((alias) => hasDraft(`${name(alias)} `)) ?? key)
}
