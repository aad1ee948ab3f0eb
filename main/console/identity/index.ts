export { createAccounts, deskPeople, type Accounts } from './accounts.ts'
export {
  crisisResources,
  crisisResourcesSetting,
  isReviewed,
  ownCrisisNumbers,
  replyInCrisis,
} from './crisis-resources.ts'
export { chatCommand, openSessionInPowerShell, openSessionInShell } from './first-call.ts'
export { keepIntakePort, keptIntakePort } from './intake-port.ts'
export { makeDesk, setUpDefaults, type MadeDesk } from './make-desk.ts'
export { refuseWeak } from './password-rule.ts'
export { createPeople, type People } from './people.ts'
export { createWindows, type Windows } from './windows.ts'
export { emergencyNumbers } from './emergency-numbers.ts'
export { countryOf } from './phone-numbers.ts'
export { importTimetable, previewTimetable } from './timetable.ts'
export { importRoster, previewRoster, type RosterImport } from './roster.ts'
export { firstPerson } from './first-person.ts'
export { nameSchool, settleAtStart } from './name-school.ts'
export { ownSchool, schoolMismatch, settleSchool, type NamedSchools } from './own-school.ts'
