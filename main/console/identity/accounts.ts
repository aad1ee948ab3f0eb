/** Local accounts: signing in, and who may. */
import { createHash } from 'node:crypto'
import { ConsoleError } from '../../../shared/errors.ts'
import { comparableUserName } from '../../../shared/accounts.ts'
import type { Person, Role } from '../../../shared/people.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { AccountView } from '../../../shared/views.ts'
import { isPassword, keepPassword, oneTimePassword, passwordCost, type PasswordCost } from '../../platform/passwords.ts'
import type { Clock, Randomness } from '../../platform/ports.ts'
import {
  accountByUserName,
  accountOf,
  accountsOfSchool,
  appendAudit,
  endAccount,
  hasAnotherAdmin,
  insertAccount,
  noteSignIn,
  personById,
  savePassword,
  type Database,
} from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import { refuseWeak } from './password-rule.ts'
import type { People } from './people.ts'
import { createSlowDown } from './slow-down.ts'
import type { Windows } from './windows.ts'

/** Every call throws ConsoleError, whose sentences are for the person at the screen. */
export interface Accounts {
  /** Whose password somebody at this window has given, and must now choose anew; null = nobody's. */
  mustChange(windowId: string): Person | null
  /** Throws `sign_in_wrong`, or `sign_in_wait` where wrong passwords came just before. */
  signIn(windowId: string, given: { user_name: string; password: string }): Promise<void>
  /** Takes the place of a one-time password, and signs in. Throws `weak_password`, `sign_in_again`. */
  choosePassword(windowId: string, password: string): Promise<void>
  /** Throws `sign_in_wrong`, `sign_in_wait`, `weak_password`, and `sign_in_again` where it was reset meanwhile. */
  changePassword(windowId: string, person: Person, passwords: { current: string; next: string }): Promise<void>
  /** Signs in, at the window where the set-up was made, the admin whose password was chosen in it. */
  begin(windowId: string, admin: Person): void
  signOut(windowId: string): void
  list(schoolId: string): AccountView[]
  /** Answers with a password that is good for one sign-in. Throws `user_name_taken`. */
  add(by: Person, account: { name: string; role: Role; user_name: string }): Promise<{ password: string }>
  /** The same for an account that exists; it may sign in again, and is signed out where it was signed in. */
  resetPassword(by: Person, personId: string): Promise<{ password: string }>
  /** Throws `last_admin`. */
  setRole(by: Person, personId: string, role: Role): void
  /** From now on nobody signs in with it. Throws `last_admin`. */
  end(by: Person, personId: string): void
}

export interface AccountOptions {
  db: Database
  changes: Changes
  people: People
  windows: Windows
  clock: Clock
  randomness: Randomness
  consoleId: string
  cost?: PasswordCost
}

/** Who has an account at this desk, and the ids of those whose account has ended. */
export function deskPeople(db: Database, schoolId: string): { people: Person[]; former: string[] } {
  const accounts = accountsOfSchool(db, schoolId)
  return {
    people: accounts.flatMap(({ person_id: id, name, role, ended_at }) =>
      ended_at === null ? [{ id, name, role, school_id: schoolId }] : [],
    ),
    former: accounts.flatMap(({ person_id, ended_at }) => (ended_at === null ? [] : [person_id])),
  }
}

/** How long a one-time password that was given at a window lets another be chosen there. */
const choiceLasts = minutes(10)

/** A password that somebody has given, and the account it was right for. */
interface Proof {
  person: Person
  /** What was kept of it: another one since then, and this proves nothing any more. */
  kept: string
}

export function createAccounts(options: AccountOptions): Accounts {
  const { db, changes, people, windows, clock, randomness, consoleId, cost = passwordCost } = options
  const slowDown = createSlowDown(clock)
  /** Names that nobody here has, apart: however many are typed, no account's waiting is forgotten for them. */
  const slowDownOfNobody = createSlowDown(clock)
  /** People who gave a one-time password at a window, and have not chosen their own yet. */
  const changing = new Map<string, Proof & { until: number }>()
  const keep = (password: string) => keepPassword(password, randomness, cost)
  /** What a name that nobody has is compared with, so that it takes as long as one that somebody has. */
  let nobodys: Promise<string> | null = null

  const audit = (who: { id: string; role: string }, what: string, subject = ''): void =>
    appendAudit(db, { at: clock.now(), who: who.id, role: who.role, what, subject, why: '', console_id: consoleId })

  /** Looked at anew whenever time has passed: an admin may have reset the password, or ended the account. */
  const isStillGood = ({ person, kept }: Proof): boolean => {
    const account = accountOf(db, person.id)
    return account?.ended_at === null && account.password === kept
  }

  const proofAt = (windowId: string): Proof | null => {
    const proof = changing.get(windowId)
    if (proof && clock.now() < proof.until && isStillGood(proof)) return proof
    changing.delete(windowId)
    return null
  }

  const endChoices = (personId: string): void => {
    for (const [windowId, { person }] of [...changing]) if (person.id === personId) changing.delete(windowId)
  }

  /** Reads a password, slowly where wrong ones came before; whom it belongs to. */
  const prove = async (userName: string, password: string): Promise<Proof> => {
    const comparable = comparableUserName(userName)
    const account = accountByUserName(db, comparable)
    const person = account && personById(db, account.person_id)
    // As for an account, or the waiting would tell who has one; not the name itself, as it may be a password.
    const [waiting, name] = person ? [slowDown, person.id] : [slowDownOfNobody, digestOf(comparable)]
    const wait = waiting.begin(name)
    if (wait > 0) throw tooSoon(wait)
    const kept = account?.password ?? (await (nobodys ??= keep(oneTimePassword(randomness))))
    const right = await isPassword(password, kept)
    if (right && person && isStillGood({ person, kept })) {
      waiting.right(name)
      return { person, kept }
    }
    // Never what was typed: it may be a password in the wrong field.
    changes.commit(() => audit(person ?? { id: 'unknown', role: 'NONE' }, 'sign_in.failed'))
    throw wrong()
  }

  const signedIn = (windowId: string, person: Person): void => {
    changes.commit(() => {
      noteSignIn(db, person.id, clock.now())
      audit(person, 'sign_in')
    })
    changing.delete(windowId)
    windows.seat(windowId, person.id)
  }

  const accountOfSchool = (by: Person, personId: string): { person: Person; user_name: string; ended: boolean } => {
    const account = accountOf(db, personId)
    const person = personById(db, personId)
    if (!account || person?.school_id !== by.school_id) throw noAccount()
    return { person, user_name: account.user_name, ended: account.ended_at !== null }
  }

  const keepAnAdmin = ({ person, ended }: { person: Person; ended: boolean }): void => {
    if (person.role === 'ADMIN' && !ended && !hasAnotherAdmin(db, person.id)) throw lastAdmin()
  }

  return {
    mustChange(windowId) {
      const proof = proofAt(windowId)
      return proof && personById(db, proof.person.id)
    },

    async signIn(windowId, { user_name, password }) {
      const proof = await prove(user_name, password)
      if (accountOf(db, proof.person.id)?.must_change !== true) return signedIn(windowId, proof.person)
      changing.set(windowId, { ...proof, until: clock.now() + choiceLasts })
      windows.leave(windowId)
    },

    async choosePassword(windowId, password) {
      const proof = proofAt(windowId)
      const [person, account] = proof ? [personById(db, proof.person.id), accountOf(db, proof.person.id)] : [null, null]
      if (!proof || !person || account?.must_change !== true) throw signInAgain()
      await refuseWeak(password, [person.name, account.user_name])
      if (await isPassword(password, proof.kept)) throw sameAgain()
      const kept = await keep(password)
      if (!isStillGood(proof)) throw signInAgain()
      changes.commit(() => {
        savePassword(db, person.id, kept, false)
        audit(person, 'account.password_chosen', `person ${person.id}`)
      })
      signedIn(windowId, person)
    },

    async changePassword(windowId, person, { current, next }) {
      const account = accountOf(db, person.id)
      if (!account) throw noAccount()
      const proof = await prove(account.user_name, current)
      await refuseWeak(next, [person.name, account.user_name])
      const kept = await keep(next)
      if (!isStillGood(proof)) throw passwordReset()
      changes.commit(() => {
        savePassword(db, person.id, kept, false)
        audit(person, 'account.password_chosen', `person ${person.id}`)
      })
      windows.leaveEverywhere(person.id, windowId)
    },

    begin: signedIn,

    signOut(windowId) {
      const id = windows.personAt(windowId)
      const person = id === null ? null : people.find(id)
      if (person) changes.commit(() => audit(person, 'sign_out'))
      changing.delete(windowId)
      windows.leave(windowId)
    },

    list: (schoolId) =>
      accountsOfSchool(db, schoolId).map(({ must_change, ...account }) => ({
        ...account,
        must_change: must_change === 1,
      })),

    async add(by, { name, role, user_name }) {
      const password = oneTimePassword(randomness)
      const kept = await keep(password)
      const person: Person = { id: `local:${randomness.uuid()}`, name, role, school_id: by.school_id }
      changes.commit((altered) => {
        if (accountByUserName(db, user_name)) throw nameTaken()
        people.save(person, clock.now())
        const created_at = clock.now()
        insertAccount(db, { person_id: person.id, user_name, password: kept, must_change: true, created_at })
        audit(by, 'account.added', `person ${person.id} as ${role}`)
        // Students of this name on the roster are theirs from now on.
        altered.add({ every_student: true, school_changed: true })
      })
      return { password }
    },

    async resetPassword(by, personId) {
      const { person } = accountOfSchool(by, personId)
      const password = oneTimePassword(randomness)
      const kept = await keep(password)
      changes.commit((altered) => {
        savePassword(db, person.id, kept, true)
        endAccount(db, person.id, null)
        audit(by, 'account.password_reset', `person ${person.id}`)
        // An account that had ended is one again.
        altered.add({ school_changed: true })
      })
      endChoices(person.id)
      windows.leaveEverywhere(person.id)
      return { password }
    },

    setRole(by, personId, role) {
      const account = accountOfSchool(by, personId)
      const { person } = account
      if (person.role === role) return
      changes.commit((altered) => {
        keepAnAdmin(account)
        people.save({ ...person, role }, clock.now())
        audit(by, 'account.role_changed', `person ${person.id} from ${person.role} to ${role}`)
        altered.add({ school_changed: true })
      })
      windows.told(person.id)
    },

    end(by, personId) {
      const account = accountOfSchool(by, personId)
      if (account.ended) return
      changes.commit((altered) => {
        keepAnAdmin(account)
        endAccount(db, personId, clock.now())
        audit(by, 'account.ended', `person ${personId}`)
        altered.add({ school_changed: true })
      })
      endChoices(personId)
      windows.leaveEverywhere(personId)
    },
  }
}

const digestOf = (name: string): string => createHash('sha256').update(name, 'utf8').digest('base64')

const nothingChanged = 'Nothing was changed.'

function wrong(): ConsoleError {
  return new ConsoleError({
    code: 'sign_in_wrong',
    happened: 'User name and password do not match.',
    safe: 'No one was signed in. Alerts are still being received.',
    todo: 'Try again; capitals matter in the password. An admin can give you a new one.',
  })
}

function tooSoon(wait: number): ConsoleError {
  return new ConsoleError({
    code: 'sign_in_wait',
    happened: 'The last password was wrong.',
    safe: 'No one was signed in. Alerts are still being received.',
    todo: `Wait ${Math.ceil(wait / seconds(1))} seconds, then try again.`,
  })
}

function signInAgain(): ConsoleError {
  return new ConsoleError({
    code: 'sign_in_again',
    happened: 'The one-time password has been used or is no longer valid.',
    safe: nothingChanged,
    todo: 'Sign in again, or ask an admin for a new one.',
  })
}

function passwordReset(): ConsoleError {
  return new ConsoleError({
    code: 'sign_in_again',
    happened: 'The password was reset, or the account was ended, while you were choosing a new one.',
    safe: 'The password you chose was not saved.',
    todo: 'Sign in again, or ask an admin for a new one.',
  })
}

function sameAgain(): ConsoleError {
  return new ConsoleError({
    code: 'weak_password',
    happened: 'This is the one-time password.',
    safe: nothingChanged,
    todo: 'Choose your own password, and tell it to no one.',
  })
}

function nameTaken(): ConsoleError {
  return new ConsoleError({
    code: 'user_name_taken',
    happened: 'Someone here already has this user name.',
    safe: nothingChanged,
    todo: 'Choose another one, or reset the password of that account.',
  })
}

function noAccount(): ConsoleError {
  return new ConsoleError({
    code: 'no_account',
    happened: 'This person has no account here.',
    safe: nothingChanged,
    todo: 'Add the person under People.',
  })
}

function lastAdmin(): ConsoleError {
  return new ConsoleError({
    code: 'last_admin',
    happened: 'This is the only admin of this desk who has chosen a password.',
    safe: nothingChanged,
    todo: 'Make someone else an admin first, and have them sign in once.',
  })
}
