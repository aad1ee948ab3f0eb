/** Consoles as they are kept: what was decided about one stands, whoever else decides at the same moment. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { enrolmentStore, type AnnouncedConsole, type EnrolmentStore } from '../../../../main/store/station/index.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

onEachStore((kind) => {
  let at: TestStore
  let consoles: EnrolmentStore
  beforeEach(async () => {
    at = await openTestStore(kind)
    for (const id of [school, otherSchool]) await at.run(`INSERT INTO schools VALUES ('${id}', 'salt', 'key')`)
    consoles = enrolmentStore(at.store)
  })
  afterEach(() => at.close())

  const named = (fingerprint: string, school_id = school) => ({ school_id, console_id: 'console-1', fingerprint })
  const announce = (fingerprint: string, { school_id = school, at: now = 1 } = {}) =>
    consoles.announce({ ...named(fingerprint, school_id), signing_key: 's', sealing_key: 'x', at: now })
  const sealed = (fingerprint: string, key: string) => ({
    sealed_key_id: key,
    publish: {
      ...{ id: `${fingerprint}:${key}`, school_id: school, group: 'console', event_type: 'SCHOOL_KEY_SEALED' },
      ...{ body: '{}', at: 1 },
    },
  })
  const approve = (fingerprint: string, from: AnnouncedConsole['state'] = 'waiting', by = 'admin-1') =>
    consoles.approve({
      ...{ ...named(fingerprint), from, by, at: 2, sealed_key_id: 'key-1' },
      publish: [sealed(fingerprint, 'key-1').publish],
    })
  const states = async () =>
    Object.fromEntries((await consoles.list(school)).map(({ fingerprint, state }) => [fingerprint, state]))
  const published = async () =>
    (await at.rows(`SELECT id, school_id FROM outbox ORDER BY id`)).map((row) => [row['id'], row['school_id']])

  it('are announced once; the key that was sealed and who decided are kept with them', async () => {
    await announce('A')
    await announce('A', { at: 9 })
    expect(await consoles.find({ console_id: 'console-1', school_id: school })).toEqual([
      {
        ...named('A'),
        ...{ signing_key: 's', sealing_key: 'x', state: 'waiting', announced_at: 1 },
        ...{ decided_at: null, decided_by: null, sealed_key_id: null },
      },
    ])
    expect(await approve('A')).toBe(true)
    const decided = { state: 'approved', decided_at: 2, decided_by: 'admin-1', sealed_key_id: 'key-1' }
    expect(await consoles.list(null)).toMatchObject([decided])
    expect(await published()).toEqual([['A:key-1', school]])
  })

  it('are their school’s own, under the same name too; those that wait come first, then the newest', async () => {
    await announce('A')
    await announce('B', { at: 2 })
    await announce('C', { at: 3 })
    await announce('D', { school_id: otherSchool, at: 4 })
    await approve('C')
    const fingerprints = (found: AnnouncedConsole[]) => found.map(({ fingerprint }) => fingerprint)
    expect(fingerprints(await consoles.list(school))).toEqual(['B', 'A', 'C'])
    expect(fingerprints(await consoles.list(null))).toEqual(['D', 'B', 'A', 'C'])
    expect(fingerprints(await consoles.find({ console_id: 'console-1' })).sort()).toEqual(['A', 'B', 'C', 'D'])
    expect(fingerprints(await consoles.find({ console_id: 'console-1', school_id: otherSchool }))).toEqual(['D'])
    expect(await consoles.find({ console_id: 'console-2' })).toEqual([])
  })

  it('have one approved pair of keys; a decision that came too late changes nothing, and takes none back', async () => {
    for (const fingerprint of ['A', 'B']) await announce(fingerprint)
    await approve('A')
    await consoles.revoke({ ...named('B'), from: 'waiting', to: 'refused', by: 'admin-2', at: 3 })
    expect(await approve('B', 'waiting')).toBe(false)
    expect(await approve('unknown', 'waiting')).toBe(false)
    expect(await consoles.revoke({ ...named('B'), from: 'waiting', to: 'refused', by: 'admin-3', at: 4 })).toBe(false)
    expect(await states()).toEqual({ A: 'approved', B: 'refused' })
    expect(await approve('B', 'refused')).toBe(true)
    expect(await states()).toEqual({ A: 'revoked', B: 'approved' })
    expect(await published()).toHaveLength(2)
  })

  it('have one approved pair of keys where several admins approve at once', async () => {
    const fingerprints = ['A', 'B', 'C', 'D']
    for (const fingerprint of fingerprints) await announce(fingerprint)
    const approved = await Promise.all([...fingerprints, ...fingerprints].map((fingerprint) => approve(fingerprint)))
    expect(approved.filter(Boolean)).toHaveLength(4)
    expect(Object.values(await states()).sort()).toEqual(['approved', 'revoked', 'revoked', 'revoked'])
  })

  it('get another key once, from one of the stations that would send it, and only while they are approved', async () => {
    for (const fingerprint of ['A', 'B']) await announce(fingerprint)
    await approve('A')
    const reseal = (fingerprint: string) => consoles.reseal({ ...named(fingerprint), ...sealed(fingerprint, 'key-2') })
    const sent = await Promise.all([reseal('A'), reseal('A'), reseal('B')])
    expect(sent.filter(Boolean)).toHaveLength(1)
    expect(await published()).toEqual([
      ['A:key-1', school],
      ['A:key-2', school],
    ])
  })
})
