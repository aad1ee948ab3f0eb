import { readSetting } from '../../store/console/index.ts'
import type { Caller } from './context.ts'

/** The zone whose days and clock times this person is shown (an IANA name): the school's, else this machine's. */
export function schoolZone({ parts, person }: Pick<Caller, 'parts' | 'person'>): string {
  return (
    parts.directory.view(person).kept?.policy.calendar.time_zone ??
    readSetting(parts.db, 'school_time_zone') ??
    Intl.DateTimeFormat().resolvedOptions().timeZone
  )
}
