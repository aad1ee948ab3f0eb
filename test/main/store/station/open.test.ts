/** Opening the station's store: what it finds, what it refuses, and what it says then. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { passphraseProvider, throwawayProvider } from '../../../../main/platform/key-providers.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { DatabaseGone, openStationKeys, openStationStore, storedApiKeys } from '../../../../main/store/station/index.ts'
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
    expect(await at.rows('SELECT version FROM schema_version')).toHaveLength(1)
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
