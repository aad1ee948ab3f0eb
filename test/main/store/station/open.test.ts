/** Opening the station's store: what it finds, what it refuses, and what it says then. */
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { passphraseProvider, throwawayProvider } from '../../../../main/platform/key-providers.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import {
  DatabaseGone,
  insertPolicy,
  newestPolicy,
  openStationKeys,
  openStationStore,
  storedApiKeys,
} from '../../../../main/store/station/index.ts'
import { migrations as ofFile } from '../../../../main/store/station/migrations/file/index.ts'
import { migratePostgres, migrations as ofPostgres } from '../../../../main/store/station/migrations/postgres/index.ts'
import { openEncrypted } from '../../../../main/store/open.ts'
import { postgresMissing } from '../../../support/postgres.ts'
import { school } from '../../../support/intake-school.ts'
import { onEachStore, openTestStore, type StoreKind, type TestStore } from '../../../support/test-stores.ts'

let at: TestStore
const open = (kind: StoreKind) => async () => void (at = await openTestStore(kind))
afterEach(() => at.close())

onEachStore((kind) => {
  beforeEach(open(kind))

  it('answers until it is closed; then every question says so', async () => {
    expect(await at.store.isAnswering()).toBe(true)
    await at.store.close()
    expect(await at.store.isAnswering()).toBe(false)
    const asked = at.store.asStation((unit) => unit.selectFrom('settings').selectAll().execute())
    await expect(asked).rejects.toThrow(DatabaseGone)
    at.store = await openStationStore(at.database)
  })

  it('brings a store of the first release up to date, with all that was kept in it', async () => {
    await at.store.close()
    await firstRelease(at)
    at.store = await openStationStore(at.database)
    const kept = { school_id: 'here', salt: 'salt', content_key: 'key' }
    expect(await at.store.asStation((unit) => unit.selectFrom('schools').selectAll().execute())).toEqual([kept])
    const stored = {
      ...{ school_id: 'here', version: 1, event_id: 'e', document: '{}' },
      changed_at: 1,
      changed_by: 'x',
    }
    expect(await at.store.asSchool('here', (unit) => insertPolicy(unit, stored))).toBe(true)
    expect(await at.store.asSchool('there', (unit) => newestPolicy(unit, 'here'))).toEqual(
      kind === 'file' ? stored : null,
    )
    expect(await at.rows('SELECT count(*) AS assigned FROM assignments')).toEqual([{ assigned: 0 }])
  })

  it('opened to read only, reads data of an older program as they are, and writes nothing', async () => {
    const older = kind === 'file' ? 'PRAGMA user_version = 1' : 'UPDATE schema_version SET version = 1'
    await at.run(`DROP TABLE salt_reads; ${older}`)
    const reading = await openStationStore(at.database, { readonly: true })
    expect(await reading.asStation((unit) => storedApiKeys(unit))).toEqual([])
    expect(await reading.asSchool(school, (unit) => storedApiKeys(unit, school))).toEqual([])
    const writing = reading.asStation((unit) => unit.insertInto('settings').values({ name: 'a', value: '1' }).execute())
    await expect(writing).rejects.toThrow(DatabaseGone)
    await reading.close()
    expect(await at.rows(kind === 'file' ? 'PRAGMA user_version' : 'SELECT version FROM schema_version')).toMatchObject(
      [kind === 'file' ? { user_version: 1 } : { version: 1 }],
    )
    await expect(at.rows('SELECT * FROM salt_reads')).rejects.toThrow()
  })

  it('keeps all of a unit of work, or nothing', async () => {
    const failing = at.store.asStation(async (unit) => {
      await unit.insertInto('settings').values({ name: 'half', value: '1' }).execute()
      throw new Error('in the middle')
    })
    await expect(failing).rejects.toThrow('in the middle')
    expect(await at.rows('SELECT * FROM settings')).toEqual([])
  })
})

/** Makes the database anew as the first release made it, with a school. */
async function firstRelease({ database, run, folder }: TestStore): Promise<void> {
  const school = `INSERT INTO schools VALUES ('here', 'salt', 'key')`
  if ('url' in database) {
    await run('DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION station')
    const pool = new pg.Pool({ connectionString: database.url })
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    await migratePostgres(db, ofPostgres.slice(0, 1))
    await db.destroy()
    return run(school)
  }
  database.file = join(folder, 'first.db')
  const db = openEncrypted(database.file, database.key, ofFile.slice(0, 1))
  db.exec(school)
  db.close()
}

describe.skipIf(postgresMissing !== null)(`a PostgreSQL${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  beforeEach(open('PostgreSQL'))
  const url = () => (at.database as { url: string }).url

  it('that two stations open for the first time at once is made once', async () => {
    await at.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION station')
    const both = await Promise.all([openStationStore({ url: url() }), openStationStore({ url: url() })])
    for (const store of both) {
      expect(await store.isAnswering()).toBe(true)
      await store.close()
    }
    expect(await at.rows('SELECT version FROM schema_version')).toEqual([{ version: ofPostgres.at(-1)?.version }])
  })

  it('gives the same keys to whoever comes with the same passphrase, and none to another', async () => {
    const provider = (passphrase: string) => passphraseProvider(passphrase, systemRandomness)
    const [first, second] = await Promise.all([
      openStationKeys(at.store, provider('correct horse battery'), systemRandomness),
      openStationKeys(at.store, provider('correct horse battery'), systemRandomness),
    ])
    expect(second).toEqual(first)
    const wrong = openStationKeys(at.store, provider('another passphrase'), systemRandomness)
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_passphrase' })
    const changed = openStationKeys(at.store, throwawayProvider(), systemRandomness)
    await expect(changed).rejects.toMatchObject({ code: 'provider_changed' })
    expect(JSON.stringify(await at.rows('SELECT * FROM settings'))).not.toContain(first.evidence.toString('base64'))
  })

  it('that a newer program has written is refused and left alone', async () => {
    // Said as a change of its tables, so that nobody is given this database again.
    await at.run('ALTER TABLE schema_version ADD COLUMN note text; UPDATE schema_version SET version = 99')
    await expect(openStationStore({ url: url() })).rejects.toMatchObject({ code: 'database_newer' })
    expect(await at.rows('SELECT version FROM schema_version')).toEqual([{ version: 99 }])
  })

  it.each([
    ['database_unreachable', () => `postgres://station@localhost/x?host=${join(at.folder, 'nowhere')}`],
    ['database_refused', () => url().replace('station@', 'nobody_here@')],
    ['database_refused', () => url().replace(/\/station_\d+/, '/no_such_database')],
  ])('that cannot be opened is %s, without its password or address', async (code, address) => {
    const refused = await openStationStore({ url: address().replace('@', ':xx-secret-xx@') }).catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ code })
    expect(String(refused)).not.toMatch(/xx-secret-xx|nowhere|no_such/)
  })
})
