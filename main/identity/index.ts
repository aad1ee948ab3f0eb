export { createPeople, type People } from './people.ts'
export { readSignInToken, type SignInKeys } from './sign-in.ts'
export { createWindows, type Windows } from './windows.ts'
export { importRoster, previewRoster, type RosterImport } from './roster.ts'
