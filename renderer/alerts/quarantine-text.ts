/** What the banner says of crisis events that are set aside. */
import { anotherSchool } from '../../shared/school.ts'
import type { QuarantineRow } from '../../shared/views.ts'
import { words } from '../words/index.ts'

/** Says apart what could not be read, which may be a student of this school, and what is another school's. */
export function crisesText(crises: readonly Pick<QuarantineRow, 'reason'>[]): string {
  const text = words.alerts.quarantine
  const foreign = crises.filter(({ reason }) => reason === anotherSchool).length
  const unreadable = crises.length - foreign
  return [
    ...(unreadable > 0 ? [text.banner(unreadable)] : []),
    ...(foreign > 0 ? [text.anotherSchool(foreign)] : []),
  ].join(' ')
}
