import { userInfo } from 'node:os'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { Clock } from '../../platform/ports.ts'
import { setting, type Database } from '../../store/console/index.ts'
import { readSignInToken, type SignInKeys } from './sign-in.ts'

/** Who sits here first: the token's person, a demonstration counselor, or whoever owns this account. */
export async function firstPerson(
  configuration: SignInKeys & { signInToken: string | null; schoolId: string | null },
  { clock }: { clock: Clock },
  db: Database,
  demo: { id: string; people: Omit<Person, 'school_id'>[] } | null,
): Promise<{ signedIn: Person; everyone: Person[] }> {
  const demoPeople = (demo?.people ?? []).map((person) => ({ ...person, school_id: demo?.id ?? '' }))
  if (configuration.signInToken !== null) {
    const person = await readSignInToken(configuration.signInToken, configuration, clock.now())
    if (!demo && configuration.schoolId !== null && configuration.schoolId !== person.school_id) throw otherSchool()
    setting(db, 'school_id', () => person.school_id)
    return {
      signedIn: demo ? { ...person, school_id: demo.id } : person,
      everyone: demo ? [...demoPeople, { ...person, school_id: demo.id }] : [person],
    }
  }
  const counselor = demoPeople.find(({ role }) => role === 'COUNSELOR')
  if (counselor) return { signedIn: counselor, everyone: demoPeople }
  const school_id = configuration.schoolId ?? setting(db, 'school_id', () => '')
  const owner: Person = { id: `local:${userInfo().username}`, name: userInfo().username, role: 'COUNSELOR', school_id }
  return { signedIn: owner, everyone: [owner] }
}

function otherSchool(): ConsoleError {
  return new ConsoleError({
    code: 'school_mismatch',
    happened: 'PSYFLO_SCHOOL_ID names another school than the sign-in token does.',
    safe: 'Nothing was received or changed.',
    todo: 'Set both to the same school; otherwise alerts of one of them would be seen by nobody.',
  })
}
