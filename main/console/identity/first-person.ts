import { userInfo } from 'node:os'
import type { Person } from '../../../shared/people.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Database } from '../../store/console/index.ts'
import { settleSchool } from './own-school.ts'
import { readSignInToken, type SignInKeys } from '../../platform/sign-in-token.ts'

interface DemonstrationPeople {
  id: string
  people: Omit<Person, 'school_id'>[]
}

/**
 * Who sits here first: the token's person, a demonstration counselor, nobody where people sign in with accounts
 * (`accounts`), else whoever owns the machine's account; and the school. Throws ConsoleError `sign_in_*` for a token that proves nobody, `school_mismatch` where two schools are named.
 */
export async function firstPerson(
  configuration: SignInKeys & { signInToken: string | null; schoolId: string | null },
  { clock }: { clock: Clock },
  db: Database,
  demo: DemonstrationPeople | null,
  accounts: boolean,
): Promise<{ signedIn: Person | null; everyone: Person[]; school_id: string }> {
  const { signInToken, schoolId } = configuration
  const ofToken = signInToken === null ? null : await readSignInToken(signInToken, configuration, clock.now())
  if (demo) return firstOfDemonstration(demo, ofToken)
  const school_id = settleSchool(db, { configured: schoolId, token: ofToken?.school_id ?? null })
  if (accounts) return { signedIn: ofToken, everyone: ofToken ? [ofToken] : [], school_id }
  const account = userInfo().username
  const signedIn: Person = ofToken ?? { id: `local:${account}`, name: account, role: 'COUNSELOR', school_id }
  return { signedIn, everyone: [signedIn], school_id }
}

function firstOfDemonstration({ id: school_id, people }: DemonstrationPeople, ofToken: Person | null) {
  const everyone: Person[] = [...people, ...(ofToken ? [ofToken] : [])].map((person) => ({ ...person, school_id }))
  const signedIn = ofToken ? everyone.at(-1) : everyone.find(({ role }) => role === 'COUNSELOR')
  if (!signedIn) throw new Error('the demonstration school has no counselor')
  return { signedIn, everyone, school_id }
}
