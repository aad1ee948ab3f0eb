/** On PostgreSQL one school never meets another’s rows, whatever it asks, in whatever table. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStationStore } from '../../../../main/store/station/index.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { postgresMissing, testPostgres } from '../../../support/postgres.ts'
import { openTestStore, type TestStore } from '../../../support/test-stores.ts'

let at: TestStore
const asSchool = (id: string, statement: string) =>
  at.store.asSchool(id, (unit) => sql.raw<Record<string, unknown>>(statement).execute(unit))
/** Every table with rows of schools, as the database itself names them: a new one cannot be forgotten. */
const tablesOfSchools = async () =>
  (
    await at.rows(`SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'school_id' ORDER BY table_name`)
  ).map(({ table_name }) => String(table_name))

const rowsOf = (id: string) => `
  INSERT INTO schools VALUES ('${id}', 'salt', 'key');
  INSERT INTO api_keys VALUES ('key-${id}', '${id}', 'chat', 'digest-${id}', 'read', 1, NULL);
  INSERT INTO sessions (school_id, session_id, student_hash, status, started_at, metadata) VALUES ('${id}', 's', 'h', 'active', 1, '{}');
  INSERT INTO session_counts VALUES ('${id}', 'active', 1);
  INSERT INTO messages VALUES ('${id}', 's', 'm', 1, 'analyzed', 'student', NULL, 'd', 1, NULL, NULL, NULL, 'ok', 0, 0, NULL, NULL, 0);
  INSERT INTO markers VALUES ('${id}', 's', 'm', 'PHQ9_ITEM_9', 'h', 1, 1);
  INSERT INTO outbox (id, school_id, group_id, event_type, body, created_at, next_attempt_at) VALUES ('event-${id}', '${id}', 's', 't', '{}', 1, 1);
  INSERT INTO records VALUES ('${id}', 'a', 's', 1, 1);
  INSERT INTO record_positions VALUES ('${id}', 's', 1);
  INSERT INTO heartbeats VALUES ('${id}', 1, 1);
  INSERT INTO drills VALUES ('${id}', 1, 'station-1', 's', 1, NULL, NULL);
  INSERT INTO drills_seen VALUES ('${id}', 1, 'console', 1, 1, NULL, 1);
  INSERT INTO consoles_closed VALUES ('${id}', 'console', 1, 1);
  INSERT INTO consoles VALUES ('${id}', 'console', 'fingerprint', 'key', 'key', 'waiting', 1, NULL, NULL, NULL);
  INSERT INTO policies VALUES ('${id}', 1, 'event', '{}', 1, 'admin-1');
  INSERT INTO assignments VALUES ('${id}', 'h', 'counselor-1', 1, 'admin-1');
  INSERT INTO alert_sessions VALUES ('${id}', 's', 1, 'step');
  INSERT INTO alert_steps VALUES ('${id}', 's', 'step', 'trigger', 0, '{}');
  INSERT INTO alerts VALUES ('${id}', 'key', 's', 'h', 'crisis', 'open', 1, NULL, NULL, 1, '{}', NULL, NULL, NULL, 0, 0, NULL);
  INSERT INTO alert_numbers VALUES ('${id}', 1);
  INSERT INTO timers VALUES ('${id}', 'key', 'rung', 's', 'run', 0, 0, NULL, 1, 1);
  INSERT INTO tellings VALUES ('${id}', 'telling', 'alert', 'counselor-1', 'sms', 'waiting', 0, 1, 1, NULL, 0, NULL, NULL, NULL);
  INSERT INTO tell_windows VALUES ('${id}', 'counselor-1', 'sms', 1, 1, NULL);
  INSERT INTO texts_received VALUES ('${id}', 'digest', 1);
  INSERT INTO test_alerts VALUES ('${id}', 'test', 'sms', 'counselor-1', 1, NULL, NULL, NULL);
  INSERT INTO deliveries VALUES ('${id}', 'delivery', 'key', 's', 'run', 1, 0, 'counselor-1', 'sms', 'telling', 'attempted', 1, NULL, NULL, NULL);
  INSERT INTO salt_reads (school_id, read_at, read_by) VALUES ('${id}', 1, 'admin-1');`

describe.skipIf(postgresMissing !== null)(`row-level security${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  beforeAll(async () => {
    at = await openTestStore('PostgreSQL')
    for (const id of [school, otherSchool]) await at.run(rowsOf(id))
  })
  afterAll(() => at.close())

  it('is on for every table of schools, and binds the owner too', async () => {
    const bound = await at.rows(
      `SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity ORDER BY relname`,
    )
    expect(bound.map(({ relname }) => relname)).toEqual(
      [...(await tablesOfSchools()), 'clock_changes', 'settings'].sort(),
    )
    expect(bound.map(({ relname }) => relname)).toEqual(
      [...(await tablesOfSchools()), 'clock_changes', 'settings'].sort(),
    )
    expect(bound.length).toBeGreaterThanOrEqual(9)
  })

  it('keeps the settings, and the key store among them, from every school', async () => {
    await at.run(`INSERT INTO settings VALUES ('keystore', 'wrapped')`)
    expect((await asSchool(school, 'SELECT * FROM settings')).rows).toEqual([])
    await asSchool(school, `UPDATE settings SET value = 'another'`)
    await expect(asSchool(school, `INSERT INTO settings VALUES ('mine', 'x')`)).rejects.toThrow()
    expect(await at.rows('SELECT value FROM settings')).toEqual([{ value: 'wrapped' }])
  })

  it('shows a school its own rows and no others', async () => {
    for (const table of await tablesOfSchools())
      expect((await asSchool(school, `SELECT school_id FROM ${table}`)).rows, table).toEqual([{ school_id: school }])
  })

  it('lets a school change, take over and remove nothing of another', async () => {
    for (const table of await tablesOfSchools()) {
      const before = await at.rows(`SELECT * FROM ${table} WHERE school_id = '${otherSchool}'`)
      expect(before, table).toHaveLength(1)
      const ofOther = `WHERE school_id = '${otherSchool}'`
      const touched = await Promise.all([
        asSchool(school, `UPDATE ${table} SET school_id = '${school}' ${ofOther}`),
        asSchool(school, `DELETE FROM ${table} ${ofOther}`),
      ])
      expect(
        touched.map(({ numAffectedRows }) => numAffectedRows),
        table,
      ).toEqual([0n, 0n])
      expect(await at.rows(`SELECT * FROM ${table} ${ofOther}`), table).toEqual(before)
    }
  })

  it('lets a school write nothing in another’s name, neither new nor by giving its own away', async () => {
    for (const table of await tablesOfSchools()) {
      const [row] = await at.rows(`SELECT * FROM ${table} WHERE school_id = '${otherSchool}'`)
      const copy = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::${table}, '${JSON.stringify(row)}')`
      await expect(asSchool(school, copy), table).rejects.toThrow(/row-level security/)
      // A salt, who read it, and a version of a policy are refused even earlier.
      const refused = ['schools', 'policies', 'salt_reads'].includes(table)
        ? /never changes|stays written/
        : /row-level security/
      await expect(asSchool(school, `UPDATE ${table} SET school_id = '${otherSchool}'`), table).rejects.toThrow(refused)
    }
  })

  it('shows nothing to a transaction that names no school', async () => {
    if (!('url' in at.database)) throw new Error('not PostgreSQL')
    const client = new pg.Client(at.database.url)
    await client.connect()
    for (const table of await tablesOfSchools())
      expect((await client.query(`SELECT * FROM ${table}`)).rows, table).toEqual([])
    await client.end()
  })

  it('leaves no rights behind on a connection', async () => {
    await at.store.asStation((unit) => unit.selectFrom('sessions').selectAll().execute())
    const many = await Promise.all(Array.from({ length: 20 }, () => asSchool(school, 'SELECT school_id FROM sessions')))
    for (const { rows } of many) expect(rows).toEqual([{ school_id: school }])
  })

  it.each(['SUPERUSER', 'BYPASSRLS'])('does not bind a %s: with such a role no station starts', async (right) => {
    const server = await testPostgres()
    const role = `unbound_${right.toLowerCase()}`
    await server.run(`CREATE ROLE ${role} LOGIN ${right}`)
    const { url } = at.database as { url: string }
    const opening = openStationStore({ url: url.replace('station@', `${role}@`) })
    await expect(opening).rejects.toMatchObject({
      code: 'database_role',
      todo: expect.stringContaining('NOBYPASSRLS') as string,
    })
  })
})
