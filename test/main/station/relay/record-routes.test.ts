/** A past of actions told over REST: real station, real queues, each database. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Station, StationOptions } from '../../../../main/station/index.ts'
import { parseApiKeys } from '../../../../main/station/intake/index.ts'
import { hours, minutes } from '../../../../shared/time.ts'
import { announcingConsole } from '../../../support/announcing-console.ts'
import { crisisWords, otherSchool, school } from '../../../support/intake-school.ts'
import { stationHouse, type StationHouse } from '../../../support/station.ts'
import { onEachStore } from '../../../support/test-stores.ts'
import { hashOf } from '../../../support/wire.ts'
import { intakeClient } from '../../../../main/chat/index.ts'

const historian = 'key-of-the-historian'
const chat = 'key-of-the-chat-0001'

onEachStore((kind) => {
  let house: StationHouse
  let station: Station
  /** A crisis that was told as 51 hours old, and one that is said now, in the same session. */
  let told: { session_id: string; student_hash: string; past: string; now: string }
  beforeEach(async () => (house = await stationHouse(kind)))
  afterEach(() => house.close())

  const start = async (changes: Partial<StationOptions> = {}) => {
    const keys = parseApiKeys(`${historian}::write+backfill,${chat}::read+write,key-of-another-school:${otherSchool}`)
    station = await house.start({ settings: { keys, bufferSize: 20 }, ...changes })
    told = await tellCrises('student-1')
  }
  const tellCrises = async (user_id: string): Promise<typeof told> => {
    const { signal } = new AbortController()
    const { clock } = house
    const client = intakeClient({ target: () => ({ url: station.url, key: historian }), clock, signal, tries: 1 })
    const at = clock.now() - hours(51)
    const { session_id } = await client.startSession({ user_id, metadata: {}, at })
    const said = { sender: 'user', content: crisisWords } as const
    const past = await client.send(session_id, { ...said, client_message_id: 'm-1', at })
    const now = await client.send(session_id, { ...said, client_message_id: 'm-2' })
    const [row] = await house.rows(`SELECT student_hash FROM sessions WHERE session_id = '${session_id}'`)
    return {
      session_id,
      student_hash: String(row?.['student_hash']),
      past: `${past.message_id}:CRISIS_DETECTED`,
      now: `${now.message_id}:CRISIS_DETECTED`,
    }
  }
  const iso = (at: number) => new Date(at).toISOString()
  const acknowledgement = (changes: Record<string, unknown> = {}) => ({
    schema_version: 1,
    ack_id: 'a-1',
    event_type: 'ALERT_ACKNOWLEDGED',
    action: 'acknowledged',
    alert_key: 'alert',
    covers: [told.past],
    session_id: told.session_id,
    student_hash: told.student_hash,
    school_id: school,
    acknowledged_by: 'rivera',
    acknowledged_by_name: 'A. Rivera',
    acknowledged_at: iso(house.clock.now() - hours(50)),
    console_id: 'console-1',
    next_action: 'contact the student',
    ...changes,
  })
  const note = (changes: Record<string, unknown> = {}) => ({
    schema_version: 1,
    ack_id: 'a-2',
    event_type: 'ALERT_ACTION',
    action: 'noted',
    idempotency_key: 'a-2',
    timestamp: iso(house.clock.now() - hours(49)),
    at: iso(house.clock.now() - hours(49)),
    alert_key: 'alert',
    covers: [told.past],
    session_id: told.session_id,
    student_hash: told.student_hash,
    school_id: school,
    by: 'rivera',
    console_id: 'console-1',
    note: 'xx-words-of-a-counselor-xx',
    ...changes,
  })
  async function tell(records: unknown, key = historian) {
    const response = await fetch(new URL('/records', station.url), {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ records }),
    })
    const body = (await response.json()) as { details?: { path: string; problem: string }[] } & Record<string, unknown>
    return { status: response.status, body }
  }
  const published = async (count: number) => {
    const actions: Record<string, unknown>[] = []
    await vi.waitFor(
      async () => {
        actions.push(...(await house.queue.take()).filter(({ event_type }) => event_type === 'ALERT_ACTION'))
        expect(actions).toHaveLength(count)
      },
      { timeout: 10_000, interval: 20 },
    )
    return actions.sort((a, b) => Number(a.position) - Number(b.position))
  }
  const kept = () => house.rows('SELECT ack_id FROM records')

  describe('a told past of actions', () => {
    beforeEach(() => start())

    it('reaches the consoles in its order, each record marked as told later', async () => {
      expect(await tell([acknowledgement(), note()])).toEqual({ status: 200, body: { kept: 2, known: 0 } })
      const { acknowledged_by: by, acknowledged_at: at } = acknowledgement()
      expect(await published(2)).toMatchObject([
        { ack_id: 'a-1', action: 'acknowledged', by, at, timestamp: at, backfill: true, position: 1 },
        { ack_id: 'a-2', action: 'noted', backfill: true, position: 2 },
      ])
    })

    it('is kept once, however often it is told, and whatever came by the queue before it', async () => {
      await house.queue.send(acknowledgement(), house.acksQueueUrl)
      const [first] = await published(1)
      expect(first).not.toHaveProperty('backfill')
      expect((await tell([acknowledgement(), note(), note()])).body).toEqual({ kept: 1, known: 2 })
      expect((await tell([note()])).body).toEqual({ kept: 0, known: 1 })
      expect(await published(1)).toMatchObject([{ ack_id: 'a-2', position: 2 }])
    })

    it('is of the school of the key where it names none, and refused where it names another', async () => {
      expect((await tell([note({ school_id: undefined })])).status).toBe(200)
      expect(await published(1)).toMatchObject([{ school_id: school }])
      expect(await tell([note({ ack_id: 'a-3', school_id: otherSchool })])).toMatchObject({
        status: 400,
        body: { details: [{ path: 'records.0.school_id', problem: 'is not the school of this key' }] },
      })
    })

    it('is taken as a whole or not at all; each record that cannot be is named, and quoted nowhere', async () => {
      const later = iso(house.clock.now() + minutes(10))
      const { status, body } = await tell([
        note(),
        { event_type: 'HEARTBEAT', ack_id: 'a-9' },
        note({ ack_id: 'a-3', covers: [] }),
        note({ ack_id: 'a-4', at: later }),
        note({ ack_id: 'a-5', action: 'xx-unknown-xx' }),
        acknowledgement({ ack_id: 'a-6', acknowledged_at: 'yesterday' }),
      ])
      expect(status).toBe(400)
      expect(body.details?.map(({ path }) => path)).toEqual([
        'records.1',
        'records.2.covers',
        'records.3.at',
        'records.4.action',
        'records.5.timestamp',
      ])
      expect(body.details?.[0]?.problem).toBe('is no message about an action')
      expect(body.details?.[2]?.problem).toBe('is still to happen')
      expect(JSON.stringify(body)).not.toContain('xx-')
      expect(await kept()).toEqual([])
      for (const records of [[], 'no', [5]]) expect((await tell(records)).status).toBe(400)
    })

    it('concerns what was told alone: nothing that is said now, of nobody else, and nothing said after it', async () => {
      const other = await tellCrises('student-2')
      const closing = { action: 'resolved', disposition: 'not a concern', console_id: 'nobody' }
      for (const [changes, field] of [
        [{ covers: [told.now] }, 'covers'],
        [{ covers: [told.past, told.now] }, 'covers'],
        [{ covers: [told.now.replace('CRISIS_DETECTED', 'MESSAGE_ANALYZED')] }, 'covers'],
        [{ covers: ['trigger-1'] }, 'covers'],
        [{ covers: [other.past] }, 'covers'],
        [{ session_id: 'session-1' }, 'session_id'],
        [{ student_hash: hashOf('somebody else') }, 'student_hash'],
        [{ at: iso(house.clock.now() - hours(51) - 1) }, 'at'],
      ] as const)
        expect(await tell([note(), note({ ack_id: 'a-3', ...closing, ...changes })]), field).toMatchObject({
          status: 400,
          body: { details: [{ path: `records.1.${field}` }] },
        })
      expect(await kept()).toEqual([])
      expect(await tell([note({ ...closing })])).toMatchObject({ status: 200 })
    })

    it('needs a key of the scope backfill', async () => {
      for (const key of [chat, station.apiKey])
        expect(await tell([note()], key)).toMatchObject({ status: 403, body: { details: { scope: 'backfill' } } })
      expect((await tell([note()], 'unknown')).status).toBe(401)
      expect(await kept()).toEqual([])
    })
  })

  it('must be signed by the console that it names, once that one was approved', async () => {
    const console = announcingConsole({ school_id: school })
    await start({ ownConsoles: [console] })
    await house.queue.send(console.announcement(), house.acksQueueUrl)
    await vi.waitFor(async () =>
      expect(await house.rows('SELECT state FROM consoles')).toEqual([{ state: 'approved' }]),
    )

    const signed = console.signing.sign({ ...note(), key_id: console.fingerprint })
    const forged = { status: 400, body: { details: [{ path: 'records.0.signature' }] } }
    expect(await tell([note()])).toMatchObject(forged)
    expect(await tell([{ ...signed, note: 'other words' }])).toMatchObject(forged)
    expect(await tell([signed])).toMatchObject({ status: 200 })
    expect(await published(1)).toMatchObject([
      { key_id: console.fingerprint, signature: signed.signature, backfill: true },
    ])
  })
})
