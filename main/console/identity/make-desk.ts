/** Makes the data of a school's own desk: keys, school, first admin. All of it or nothing. */
import { join } from 'node:path'
import type { Person } from '../../../shared/people.ts'
import type { SetUpInput } from '../../../shared/set-up.ts'
import { deskKey } from '../../platform/intake-address.ts'
import { keepPassword, passwordCost, type PasswordCost } from '../../platform/passwords.ts'
import type { Clock, KeyProvider, Randomness } from '../../platform/ports.ts'
import {
  appendAudit,
  beginSetUp,
  finishSetUp,
  insertAccount,
  keepSchool,
  lockDataDir,
  openDatabase,
  openKeys,
  refuseTaken,
  savePerson,
  setting,
  writeSetting,
  type Keys,
} from '../../store/console/index.ts'
import { refuseWeak } from './password-rule.ts'

/** What a set-up can be begun with. Throws ConsoleError `data_dir_taken` where the directory holds data already. */
export function setUpDefaults(dataDir: string): { time_zone: string } {
  refuseTaken(dataDir)
  return { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

export interface MadeDesk {
  dir: string
  keys: Keys
  admin: Person
  /** The data directory is this process's until it is called. */
  release(): void
}

export interface DeskOptions {
  dataDir: string
  /** Keeps the key of the data. */
  provider: KeyProvider
  schoolId: string
  clock: Pick<Clock, 'now'>
  randomness: Randomness
  cost?: PasswordCost
}

/**
 * Sets a data directory up as a desk. Throws ConsoleError `weak_password`, `data_dir_taken`, `data_dir_in_use`;
 * then, and where the process is ended in the middle, the directory holds what it held before.
 */
export async function makeDesk(options: DeskOptions, { school, admin }: SetUpInput): Promise<MadeDesk> {
  const { dataDir, provider, clock, randomness, schoolId, cost = passwordCost } = options
  await refuseWeak(admin.password, [admin.name, admin.user_name, school.name])
  const release = lockDataDir(dataDir)
  try {
    const folder = beginSetUp(dataDir)
    const password = await keepPassword(admin.password, randomness, cost)
    const keys = await openKeys(folder, provider, randomness)
    const person: Person = { id: `local:${randomness.uuid()}`, name: admin.name, role: 'ADMIN', school_id: schoolId }
    const db = openDatabase(join(folder, 'console.db'), keys.database)
    try {
      const now = clock.now()
      db.transaction(() => {
        const console_id = setting(db, 'console_id', () => randomness.uuid())
        keepSchool(db, schoolId)
        writeSetting(db, 'school_name', school.name)
        writeSetting(db, 'school_time_zone', school.time_zone)
        savePerson(db, person, now)
        const account = { person_id: person.id, user_name: admin.user_name, password, must_change: false }
        insertAccount(db, { ...account, created_at: now })
        appendAudit(db, {
          at: now,
          who: person.id,
          role: person.role,
          what: 'desk.set_up',
          subject: `school ${schoolId}`,
          why: '',
          console_id,
        })
      })()
    } finally {
      db.close()
    }
    // A new one: whoever has a key that stood here before, an older demonstration's say, shall not reach the school.
    deskKey(folder, randomness)
    finishSetUp(dataDir)
    return { dir: dataDir, keys, admin: person, release }
  } catch (error) {
    release()
    throw error
  }
}
