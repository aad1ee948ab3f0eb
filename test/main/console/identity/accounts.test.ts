import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccounts, createPeople, createWindows, type Accounts } from '../../../../main/console/identity/index.ts'
import type { Randomness } from '../../../../main/platform/ports.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { accountOf, savePassword, saveRoster, verifyAudit } from '../../../../main/store/console/index.ts'
import type { Person } from '../../../../shared/people.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { noon, school } from '../../../support/wire.ts'

/** Cheap enough for a test; the cost is stored, so it is read back. */
const cost = { N: 1024, r: 8, p: 1 }
const good = 'lamp ticket orbit meadow'
const admin: Person = { id: 'dean', name: 'A. Dean', role: 'ADMIN', school_id: school }

let at: OpenRecord
let accounts: Accounts
let windows: ReturnType<typeof createWindows>
/** Called when the old password has been read and the new one is made. */
let whileMaking: (() => void) | null
const randomness: Randomness = {
  ...systemRandomness,
  bytes(length) {
    whileMaking?.()
    return systemRandomness.bytes(length)
  },
}
beforeEach(async () => {
  whileMaking = null
  at = openRecord()
  windows = createWindows(null, at.clock)
  const { db, changes, clock } = at
  const people = createPeople(db)
  accounts = createAccounts({ db, changes, people, windows, clock, randomness, consoleId: 'c', cost })
  await add('A. Dean', 'ADMIN', 'dean')
})
afterEach(() => {
  windows.stop()
  at.close()
})

const personNamed = (name: string) =>
  at.rows('SELECT id, name, role, school_id FROM people').find((each) => each['name'] === name) as unknown as Person

/** Adds somebody who has chosen a password of their own. */
async function add(name: string, role: Person['role'], user_name: string, password = good): Promise<Person> {
  const given = await accounts.add(admin, { name, role, user_name })
  await accounts.signIn('setting up', { user_name, password: given.password })
  await accounts.choosePassword('setting up', password)
  windows.leave('setting up')
  return personNamed(name)
}
const signIn = (window: string, user_name: string, password = good) => accounts.signIn(window, { user_name, password })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: { code?: string }) => error.code,
  )
const audited = (what: string) => at.rows(`SELECT at, who, subject FROM audit WHERE what = '${what}' ORDER BY seq`)

describe('signing in', () => {
  it('seats the person at that window alone, whatever the capitals of the user name', async () => {
    await signIn('one', ' DEAN ')
    expect([windows.personAt('one'), windows.personAt('two')]).toEqual([personNamed('A. Dean').id, null])
  })

  it('after the set-up counts as one like any other: the list of people says when it was, and so does the audit', () => {
    const made = personNamed('A. Dean')
    at.clock.advance(hours(1))
    accounts.begin('one', made)
    expect(windows.personAt('one')).toBe(made.id)
    expect(accounts.list(school)[0]).toMatchObject({ name: 'A. Dean', last_sign_in_at: noon + hours(1) })
    expect(audited('sign_in').at(-1)).toMatchObject({ at: noon + hours(1), who: made.id })
  })

  it('lasts until signing out, twelve hours, or the end of the program', async () => {
    await signIn('one', 'dean')
    await signIn('two', 'dean')
    const heard: string[] = []
    windows.listen((window) => void heard.push(window))
    accounts.signOut('one')
    expect(windows.personAt('one')).toBeNull()
    at.clock.advance(hours(12) - 1)
    expect(windows.personAt('two')).not.toBeNull()
    at.clock.advance(1)
    expect(windows.personAt('two')).toBeNull()
    expect(heard).toEqual(['one', 'two'])
  })

  it('is refused alike for a wrong password and for a name that nobody has, and neither is written down', async () => {
    expect(await codeOf(signIn('one', 'dean', 'wrong'))).toBe('sign_in_wrong')
    expect(await codeOf(signIn('one', 'MARKED-name', 'MARKED-password'))).toBe('sign_in_wrong')
    expect(windows.personAt('one')).toBeNull()
    expect(audited('sign_in.failed')).toEqual([
      { at: noon, who: personNamed('A. Dean').id, subject: '' },
      { at: noon, who: 'unknown', subject: '' },
    ])
    expect(JSON.stringify(at.rows('SELECT * FROM audit'))).not.toMatch(/MARKED/i)
    expect(verifyAudit(at.db).ok).toBe(true)
  })

  it('is slowed down after wrong passwords, doubling to 30 seconds, each account by itself', async () => {
    await add('B. Osei', 'COUNSELOR', 'osei')
    for (const wait of [1, 2, 4, 8, 16, 30, 30]) {
      expect(await codeOf(signIn('one', 'dean', 'wrong'))).toBe('sign_in_wrong')
      at.clock.advance(seconds(wait) - 1)
      expect(await codeOf(signIn('one', 'dean'))).toBe('sign_in_wait')
      at.clock.advance(1)
    }
    expect(await codeOf(signIn('two', 'osei'))).toBe('fine')
    expect(await codeOf(signIn('one', 'dean'))).toBe('fine')
    expect(await codeOf(signIn('one', 'dean'))).toBe('fine')
  })

  it('is slowed down alike for a name that nobody has, each name by itself: neither says which names there are', async () => {
    for (const name of ['dean', 'nobody', 'nobody else', ' NoBody ELSE']) {
      const again = name === ' NoBody ELSE'
      expect([name, await codeOf(signIn('one', name, 'wrong'))]).toEqual([
        name,
        again ? 'sign_in_wait' : 'sign_in_wrong',
      ])
      expect([name, await codeOf(signIn('one', name, 'wrong'))]).toEqual([name, 'sign_in_wait'])
    }
  })

  it('reads one of two passwords that come at the same moment', async () => {
    const both = await Promise.all([codeOf(signIn('one', 'dean', 'wrong')), codeOf(signIn('two', 'dean', 'wrong too'))])
    expect(both).toEqual(['sign_in_wrong', 'sign_in_wait'])
  })

  it('keeps no password, and scrypt’s parameters beside what it made of it', () => {
    const [account] = at.rows('SELECT password FROM accounts')
    expect(JSON.parse(String(account?.['password']))).toMatchObject({ kdf: 'scrypt', ...cost })
    expect(String(account?.['password'])).not.toContain('lamp')
  })
})

describe('a one-time password', () => {
  it('opens nothing but the choice of another, once', async () => {
    const { password } = await accounts.add(admin, { name: 'C. Ruiz', role: 'CLINICIAN', user_name: 'ruiz' })
    await signIn('one', 'ruiz', password)
    expect([windows.personAt('one'), accounts.mustChange('one')?.name, accounts.mustChange('two')]).toEqual([
      null,
      'C. Ruiz',
      null,
    ])
    expect(await codeOf(accounts.choosePassword('two', good))).toBe('sign_in_again')
    expect(await codeOf(accounts.choosePassword('one', password))).toBe('weak_password')
    await accounts.choosePassword('one', 'violet harbor sixteen plums')
    expect([windows.personAt('one'), accounts.mustChange('one')]).toEqual([personNamed('C. Ruiz').id, null])
    expect(await codeOf(signIn('two', 'ruiz', password))).toBe('sign_in_wrong')
    expect(await codeOf(accounts.choosePassword('one', good))).toBe('sign_in_again')
  })

  it.each(['short', 'password1234', 'Constance Ruiz', 'aaaaaaaaaaaaaaaa', 'qwertyuiop123'])(
    'is not replaced by one that would be guessed: %s',
    async (weak) => {
      const { password } = await accounts.add(admin, { name: 'Constance Ruiz', role: 'CLINICIAN', user_name: 'ruiz' })
      await signIn('one', 'ruiz', password)
      expect(await codeOf(accounts.choosePassword('one', weak))).toBe('weak_password')
    },
  )

  it('given anew ends the old password and every window of that person', async () => {
    const osei = await add('B. Osei', 'COUNSELOR', 'osei')
    await signIn('one', 'osei')
    const { password } = await accounts.resetPassword(admin, osei.id)
    expect(windows.personAt('one')).toBeNull()
    expect(await codeOf(signIn('one', 'osei'))).toBe('sign_in_wrong')
    at.clock.advance(seconds(1))
    await signIn('one', 'osei', password)
    expect(accounts.mustChange('one')?.id).toBe(osei.id)
  })

  it('given anew ends the choice of a password that the one before it began', async () => {
    const { password: leaked } = await accounts.add(admin, { name: 'C. Ruiz', role: 'CLINICIAN', user_name: 'ruiz' })
    await signIn('thief', 'ruiz', leaked)
    const ruiz = personNamed('C. Ruiz')
    const { password } = await accounts.resetPassword(admin, ruiz.id)
    expect(accounts.mustChange('thief')).toBeNull()
    expect(await codeOf(accounts.choosePassword('thief', good))).toBe('sign_in_again')
    expect(windows.personAt('thief')).toBeNull()
    await signIn('one', 'ruiz', password)
    expect(await codeOf(accounts.choosePassword('one', good))).toBe('fine')
  })

  it.each(['ended', 'reset'])('that is read while the account is %s proves nobody', async (what) => {
    const { password: leaked } = await accounts.add(admin, { name: 'C. Ruiz', role: 'CLINICIAN', user_name: 'ruiz' })
    const ruiz = personNamed('C. Ruiz')
    const reading = codeOf(signIn('thief', 'ruiz', leaked))
    if (what === 'ended') accounts.end(admin, ruiz.id)
    else savePassword(at.db, ruiz.id, 'of another', true)
    expect(await reading).toBe('sign_in_wrong')
    expect(accounts.mustChange('thief')).toBeNull()
  })

  it('is to be replaced within ten minutes, by whoever gave it', async () => {
    const { password } = await accounts.add(admin, { name: 'C. Ruiz', role: 'CLINICIAN', user_name: 'ruiz' })
    await signIn('one', 'ruiz', password)
    at.clock.advance(minutes(10) - 1)
    expect(accounts.mustChange('one')?.name).toBe('C. Ruiz')
    at.clock.advance(1)
    expect(accounts.mustChange('one')).toBeNull()
    expect(await codeOf(accounts.choosePassword('one', good))).toBe('sign_in_again')
  })
})

describe('one’s own password', () => {
  it('is changed by whoever knows it, and other windows are signed out', async () => {
    await signIn('one', 'dean')
    await signIn('two', 'dean')
    const dean = personNamed('A. Dean')
    const next = 'violet harbor sixteen plums'
    expect(await codeOf(accounts.changePassword('one', dean, { current: 'wrong', next }))).toBe('sign_in_wrong')
    at.clock.advance(seconds(1))
    expect(await codeOf(accounts.changePassword('one', dean, { current: good, next: 'short' }))).toBe('weak_password')
    await accounts.changePassword('one', dean, { current: good, next })
    expect([windows.personAt('one'), windows.personAt('two')]).toEqual([dean.id, null])
    expect(await codeOf(signIn('two', 'dean', next))).toBe('fine')
  })

  it('does not take the place of one that an admin gave meanwhile', async () => {
    const osei = await add('B. Osei', 'COUNSELOR', 'osei')
    await signIn('one', 'osei')
    const next = 'violet harbor sixteen plums'
    whileMaking = () => savePassword(at.db, osei.id, 'of another', true)
    expect(await codeOf(accounts.changePassword('one', osei, { current: good, next }))).toBe('sign_in_again')
    expect(accountOf(at.db, osei.id)).toMatchObject({ password: 'of another', must_change: true })
  })
})

describe('an admin', () => {
  it('ends an account at once, and the person can be given nothing any more', async () => {
    const osei = await add('B. Osei', 'COUNSELOR', 'osei')
    await signIn('one', 'osei')
    accounts.end(admin, osei.id)
    expect(windows.personAt('one')).toBeNull()
    at.clock.advance(seconds(60))
    expect(await codeOf(signIn('one', 'osei'))).toBe('sign_in_wrong')
    const people = createPeople(at.db)
    expect(people.ofSchool(school).map(({ name }) => name)).not.toContain('B. Osei')
    expect(people.find(osei.id)?.name).toBe('B. Osei')
    expect(accounts.list(school).at(-1)).toMatchObject({ name: 'B. Osei', ended_at: noon })
    await accounts.resetPassword(admin, osei.id)
    expect(people.ofSchool(school).map(({ name }) => name)).toContain('B. Osei')
  })

  it('changes a role in open windows at once', async () => {
    const osei = await add('B. Osei', 'COUNSELOR', 'osei')
    await signIn('one', 'osei')
    const heard: string[] = []
    windows.listen((window) => void heard.push(window))
    accounts.setRole(admin, osei.id, 'CLINICIAN')
    expect(heard).toEqual(['one'])
    expect(createPeople(at.db).find(String(windows.personAt('one')))?.role).toBe('CLINICIAN')
    expect(audited('account.role_changed')).toEqual([
      { at: noon, who: 'dean', subject: `person ${osei.id} from COUNSELOR to CLINICIAN` },
    ])
  })

  it('cannot take away the last admin, not even of two who leave one after the other', async () => {
    const dean = personNamed('A. Dean')
    const lastAdmin = expect.objectContaining({ code: 'last_admin' }) as Error
    expect(() => accounts.end(admin, dean.id)).toThrowError(lastAdmin)
    expect(() => accounts.setRole(admin, dean.id, 'COUNSELOR')).toThrowError(lastAdmin)
    const second = await add('B. Osei', 'ADMIN', 'osei')
    accounts.setRole(admin, dean.id, 'COUNSELOR')
    expect(() => accounts.end(admin, second.id)).toThrowError(lastAdmin)
    expect(audited('account.ended')).toEqual([])
  })

  it('cannot leave the desk to an admin who has not chosen a password yet, whom nobody may ever have told of it', async () => {
    const dean = personNamed('A. Dean')
    const lastAdmin = expect.objectContaining({ code: 'last_admin' }) as Error
    await accounts.add(admin, { name: 'B. Osei', role: 'ADMIN', user_name: 'osei' })
    expect(() => accounts.end(admin, dean.id)).toThrowError(lastAdmin)
    expect(() => accounts.setRole(admin, dean.id, 'COUNSELOR')).toThrowError(lastAdmin)
    // The other way round somebody stays who can sign in.
    accounts.end(admin, personNamed('B. Osei').id)
    const ruiz = await add('C. Ruiz', 'ADMIN', 'ruiz')
    await accounts.resetPassword(admin, ruiz.id)
    expect(() => accounts.end(admin, dean.id)).toThrowError(lastAdmin)
  })

  it('gives no user name twice, and reaches nobody of another school', async () => {
    expect(await codeOf(accounts.add(admin, { name: 'Another', role: 'COUNSELOR', user_name: 'dean' }))).toBe(
      'user_name_taken',
    )
    expect(at.rows(`SELECT 1 FROM people WHERE name = 'Another'`)).toEqual([])
    const stranger = { ...admin, school_id: 'elsewhere' }
    expect(await codeOf(accounts.resetPassword(stranger, personNamed('A. Dean').id))).toBe('no_account')
    expect(accounts.list('elsewhere')).toEqual([])
  })
})

describe('a counselor who is added later', () => {
  const row = (student_id: string, counselor: string) => ({
    ...{ student_id, counselor, name: student_id, grade: '', class: '', guardian_contact: '', guardians: [] },
    student_hash: student_id.padEnd(64, '0'),
    counselor_id: null,
  })
  const caseload = (person: Person) =>
    at
      .rows(`SELECT student_id FROM roster WHERE counselor_id = '${person.id}' ORDER BY 1`)
      .map((each) => each['student_id'])

  it('has the students of the name at once, and every window is told', async () => {
    saveRoster(at.db, school, [row('1', 'B. Osei'), row('2', ' b.  osei'), row('3', 'C. Ruiz')], noon)
    at.heard.length = 0
    const osei = await add('B. Osei', 'COUNSELOR', 'osei')
    expect(caseload(osei)).toEqual(['1', '2'])
    expect(at.heard.some(({ every_student }) => every_student)).toBe(true)
  })

  it('has none where two are called so: the next import asks', async () => {
    await add('B. Osei', 'CLINICIAN', 'osei')
    saveRoster(at.db, school, [row('1', 'B. Osei')], noon)
    expect(caseload(await add('B. Osei', 'COUNSELOR', 'osei2'))).toEqual([])
  })
})
