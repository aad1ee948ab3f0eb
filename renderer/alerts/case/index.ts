/** A case: what is done about an alert after it was acknowledged. */
export { Case } from './case.tsx'
export { CaseActions } from './case-actions.tsx'
export { ContactAttempts } from './contact-attempts.tsx'
export { CorrectNote } from './case-dialogs.tsx'
export { ResolveDialog } from './resolve-dialog.tsx'
export { useDid } from './did.ts'
export { caseDraftOf } from './draft.ts'
export { usePeople } from './people.ts'
