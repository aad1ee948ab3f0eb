/** What a console says of its keys and what it does with those of its school, on a real encrypted file. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  consoleKeys,
  keyRing,
  schoolKey,
  startEnrolment,
  type Enrolment,
} from '../../../../main/console/enrolment/index.ts'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { contentKeyId, sealingKey, sealTo } from '../../../../main/platform/sealing.ts'
import { fingerprintOf, isSignedBy } from '../../../../main/platform/signing.ts'
import { consoleAnnouncedSchema, sealingContext } from '../../../../shared/enrolment.ts'
import { policyPurpose } from '../../../../shared/policy.ts'
import { minutes } from '../../../../shared/time.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { crisis, heartbeat, noon, school } from '../../../support/wire.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
const contentKey = systemRandomness.bytes(32)
const key_id = contentKeyId(contentKey)

let at: OpenRecord
let running: Enrolment[]
const { logger, entries } = recordingLogger()
beforeEach(async () => {
  at = openRecord()
  // A station is there.
  await at.receive(heartbeat())
  running = []
  entries.length = 0
})
afterEach(async () => {
  for (const enrolment of running) await enrolment.stop()
  at.close()
})

const keys = () => consoleKeys(at.db, systemRandomness)
function start(hasAckQueue = true): Enrolment {
  const { db, changes, clock, ownSchool } = at
  const schoolId = () => ownSchool.id
  const common = { db, changes, clock, logger, randomness: systemRandomness }
  const enrolment = startEnrolment({ ...common, keys: keys(), consoleId: 'console-1', schoolId, hasAckQueue })
  running.push(enrolment)
  return enrolment
}
const announcements = () =>
  at
    .rows(`SELECT body FROM outbox WHERE event_type = 'CONSOLE_ANNOUNCED' ORDER BY position`)
    .map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>)

/** A content key as the station sends it to this console; what is changed is not what was sealed for. */
async function sealed(changes: Record<string, unknown> = {}, to = keys().public.sealing_key) {
  const of = { school_id: school, console_id: 'console-1', key_id }
  return {
    schema_version: 1,
    event_type: 'SCHOOL_KEY_SEALED',
    idempotency_key: `school-key:${systemRandomness.uuid()}`,
    timestamp: new Date(noon).toISOString(),
    fingerprint: keys().fingerprint,
    ...of,
    sealed: await sealTo(to, contentKey, sealingContext(of)),
    ...changes,
  }
}
const ring = () => keyRing({ db: at.db, own: at.key, schoolId: () => at.ownSchool.id })
const ofSchool = evidenceKey(contentKey)

describe('the keys of a console', () => {
  it('are made once and are its own', () => {
    const { fingerprint } = keys()
    expect(keys().public).toEqual(keys().public)
    expect(fingerprintOf(keys().public)).toBe(fingerprint)
    const other = openRecord()
    expect(consoleKeys(other.db, systemRandomness).fingerprint).not.toBe(fingerprint)
    other.close()
  })

  it('are announced once, signed with the one that is named', () => {
    start()
    start()
    const [announced, ...more] = announcements()
    expect(more).toEqual([])
    expect(consoleAnnouncedSchema.parse(announced)).toMatchObject({
      console_id: 'console-1',
      school_id: school,
      ...keys().public,
      at: noon,
    })
    expect(isSignedBy(keys().public.signing_key, announced ?? {})).toBe(true)
    expect(at.heard.some(({ queued }) => queued)).toBe(true)
  })

  it('are announced when the school is named, and again when they are others', () => {
    at.ownSchool.id = ''
    const enrolment = start()
    expect([announcements(), enrolment.view().state]).toEqual([[], 'not announced'])
    at.ownSchool.id = school
    at.changes.tell({ every_student: true })
    expect(announcements()).toHaveLength(1)
    expect(enrolment.view()).toMatchObject({ state: 'waiting', since: noon })
    at.rows(`DELETE FROM settings WHERE name = 'signing_secret' RETURNING name`)
    start()
    expect(announcements().map(({ signing_key }) => signing_key)).toHaveLength(2)
    expect(new Set(announcements().map(({ signing_key }) => signing_key)).size).toBe(2)
  })

  it('are announced to a station that was heard of, and to no back end that proves nothing', async () => {
    at.close()
    at = openRecord()
    const enrolment = start()
    await at.receive(crisis())
    expect([announcements(), enrolment.view().state]).toEqual([[], 'not announced'])
    await at.receive(heartbeat())
    await at.receive(heartbeat())
    expect([announcements().length, enrolment.view().state]).toEqual([1, 'waiting'])
  })

  it('stay here where there is no queue to tell them on', () => {
    expect(start(false).view()).toMatchObject({ state: 'no queue', since: null })
    expect(announcements()).toEqual([])
  })
})

describe('a content key that comes sealed', () => {
  it('opens what the school sealed, from then on and after a restart; the console’s own opens as before', async () => {
    const enrolment = start()
    const [theirs, own] = [ofSchool.seal('their words'), at.key.seal('own words')]
    expect(() => ring().open(theirs)).toThrow()
    const open = ring()
    await at.receive(await sealed())
    await enrolment.settled()
    expect([open.open(theirs), open.open(own)]).toEqual(['their words', 'own words'])
    expect(at.key.open(open.seal('more'))).toBe('more')
    expect(enrolment.view()).toEqual({ fingerprint: keys().fingerprint, state: 'approved', since: noon })
    expect(at.heard.at(-1)).toMatchObject({ every_student: true })
    expect(start().view().state).toBe('approved')
    expect(announcements()).toHaveLength(1)
  })

  it('is one of several: after a new one, what older ones sealed opens still', async () => {
    const enrolment = start()
    const newer = systemRandomness.bytes(32)
    const of = { school_id: school, console_id: 'console-1', key_id: contentKeyId(newer) }
    await at.receive(await sealed())
    await at.receive(
      await sealed({
        key_id: of.key_id,
        timestamp: new Date(noon + minutes(1)).toISOString(),
        sealed: await sealTo(keys().public.sealing_key, newer, sealingContext(of)),
      }),
    )
    await enrolment.settled()
    expect(ring().open(ofSchool.seal('old'))).toBe('old')
    expect(ring().open(evidenceKey(newer).seal('new'))).toBe('new')
    expect(enrolment.view().since).toBe(noon)
  })

  it('stays in use while it opens the newest directory, whatever key comes later, which is said in the log', async () => {
    const enrolment = start()
    await at.receive(await sealed())
    const told = { school_id: school, version: 1, changed_at: noon, changed_by: 'admin' }
    await at.receive({
      ...{ schema_version: 2, event_type: 'POLICY_CHANGED', idempotency_key: 'policy-1', school_id: school },
      ...{ timestamp: new Date(noon).toISOString(), version: 1, changed_by: 'admin' },
      sealed: ofSchool.seal('{}', policyPurpose(told)),
    })
    const forged = systemRandomness.bytes(32)
    const of = { school_id: school, console_id: 'console-1', key_id: contentKeyId(forged) }
    at.clock.set(noon + minutes(1))
    await at.receive(
      await sealed({
        key_id: of.key_id,
        timestamp: new Date(noon + minutes(600)).toISOString(),
        sealed: await sealTo(keys().public.sealing_key, forged, sealingContext(of)),
      }),
    )
    await enrolment.settled()
    expect(at.count('quarantine')).toBe(0)
    expect(ofSchool.open(schoolKey(at.db, school)?.seal('words') ?? ofSchool.seal(''))).toBe('words')
    expect(entries.map(({ level, fields }) => [level, fields])).toEqual([['warn', { keys: 2 }]])
    expect(enrolment.view().since).toBe(noon)
    expect(Math.max(...at.rows('SELECT approved_at FROM school_keys').map((row) => Number(row['approved_at'])))).toBe(
      noon + minutes(1),
    )
  })

  it('before this program could open it, is opened at the next start', async () => {
    await at.receive(await sealed())
    const enrolment = start()
    await enrolment.settled()
    expect(ring().open(ofSchool.seal('words'))).toBe('words')
  })

  it.each([
    ['another console', { console_id: 'console-2' }],
    ['another school', { school_id: otherSchool }],
    ['earlier keys of this console', { fingerprint: '0000-0000-0000-0000-0000' }],
  ])('for %s is passed over without a word', async (_, changes) => {
    const enrolment = start()
    await at.receive(await sealed(changes))
    await enrolment.settled()
    expect([at.count('school_keys'), at.count('quarantine'), entries]).toEqual([0, 0, []])
    expect(enrolment.view().state).toBe('waiting')
  })

  it.each([
    ['bound to another name', () => sealed({ key_id: 'key-2' })],
    [
      'named as another key is',
      async () => {
        const of = { school_id: school, console_id: 'console-1', key_id: contentKeyId(systemRandomness.bytes(32)) }
        return sealed({ ...of, sealed: await sealTo(keys().public.sealing_key, contentKey, sealingContext(of)) })
      },
    ],
    ['sealed to somebody else', () => sealed({}, sealingKey(systemRandomness.bytes(32)).publicKey)],
    ['no key at all', () => sealed({ sealed: 'AAAA' })],
    [
      'of another length',
      async () => {
        const of = { school_id: school, console_id: 'console-1', key_id }
        return sealed({ sealed: await sealTo(keys().public.sealing_key, Buffer.from('short'), sealingContext(of)) })
      },
    ],
  ])('%s is said once in the log, and is never a key', async (_, made) => {
    const enrolment = start()
    const event = await made()
    await at.receive(event)
    await at.receive(event)
    await enrolment.settled()
    await start().settled()
    expect(at.count('school_keys')).toBe(0)
    expect(entries.map(({ level, fields }) => [level, fields])).toEqual([['warn', { refused: 1 }]])
    expect(at.count('quarantine')).toBe(0)
  })
})
