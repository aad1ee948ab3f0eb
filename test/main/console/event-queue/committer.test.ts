import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dump, openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, heartbeat, noon, school, started } from '../../../support/wire.ts'
import { legacyCrisis } from '../../../support/events.ts'
import { minutes } from '../../../../shared/time.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const quarantined = () => at.rows('SELECT reason, detail, receive_count, names_crisis FROM quarantine ORDER BY id')

describe('what comes twice, or in another order', () => {
  it('changes nothing: an event delivered again is the same event', async () => {
    const event = legacyCrisis({ timestamp: new Date(noon).toISOString() })
    await at.receive(event)
    const before = dump(at.db)
    at.clock.advance(minutes(3))
    await at.receive(event, event)
    await at.receive(event)
    expect(dump(at.db)).toEqual(before)
    expect(at.count('events')).toBe(1)
  })

  it('two different crises with the same key in one second are two', async () => {
    const event = legacyCrisis({ timestamp: new Date(noon).toISOString() })
    await at.receive(event, { ...event, matched_patterns: ['self_harm'], consensus_score: 0.97 })
    expect([at.count('events'), at.count('triggers'), at.count('alerts')]).toEqual([2, 2, 1])
  })

  it('gives the same alerts', async () => {
    const session = (index: number) => `session-${index % 3}`
    const events = Array.from({ length: 12 }, (_, index) =>
      index % 2
        ? crisis({ session_id: session(index), at: noon - minutes(index * 7) })
        : analyzed({ session_id: session(index), at: noon - minutes(index * 5), tier: 'high', score: 0.8 }),
    )
    await at.receive(...events)
    const expected = dump(at.db, ['event_seq', 'received_at'])
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(events, { minLength: 12 }), fc.subarray(events), async (all, twice) => {
        const other = openRecord()
        for (const event of [...twice, ...all]) await other.receive(event)
        expect(dump(other.db, ['event_seq', 'received_at'])).toEqual(expected)
        other.close()
      }),
      { numRuns: 5 },
    )
  })
})

describe('a told past', () => {
  const told = (at: number) => ({ backfill: true, at })

  it('counts as received a moment after it was said, and never later than now', async () => {
    await at.receive(crisis({ session_id: 'a', ...told(noon - minutes(90)) }))
    await at.receive(crisis({ session_id: 'b', ...told(noon - 100) }))
    await at.receive(crisis({ session_id: 'c', at: noon - minutes(90) }))
    expect(at.rows('SELECT session_id, received_at FROM triggers ORDER BY session_id')).toEqual([
      { session_id: 'a', received_at: noon - minutes(90) + 400 },
      { session_id: 'b', received_at: noon },
      { session_id: 'c', received_at: noon },
    ])
  })

  it('says nothing of signals that are missing now', async () => {
    await at.receive(analyzed({ degraded: ['clinical'], ...told(noon - minutes(90)) }))
    expect(at.heard.at(-1)).toMatchObject({ degraded: null })
  })
})

describe('what cannot be read', () => {
  it('is kept sealed, with its reason, and counted when it comes again', async () => {
    await at.receive('MARKED but no JSON', legacyCrisis({ consensus_score: 1.2, reasoning: 'MARKED' }))
    await at.receive('MARKED but no JSON')
    expect(quarantined()).toEqual([
      // What names a crisis comes first.
      expect.objectContaining({ reason: 'does not fit its schema', names_crisis: 1, receive_count: 1 }),
      expect.objectContaining({ reason: 'not JSON', names_crisis: 0, receive_count: 2 }),
    ])
    const rows = at.rows('SELECT * FROM quarantine')
    expect(JSON.stringify(rows)).not.toContain('MARKED')
    expect(at.key.open(JSON.parse(String(rows[1]?.['raw'])) as never)).toBe('MARKED but no JSON')
  })

  it('says how often the queue has handed it out already', async () => {
    await at.committer.commit([{ body: 'no JSON', receiveCount: 4 }])
    expect(quarantined()).toMatchObject([{ receive_count: 4 }])
  })

  it('harms nothing that comes with it', async () => {
    await at.receive('no', crisis(), '{', heartbeat(), 'null')
    expect([at.count('events'), at.count('quarantine'), at.count('alerts')]).toEqual([2, 3, 1])
  })
})

describe('what events tell beside their rows', () => {
  const told = () => at.heard.at(-1)

  it.each(['HEARTBEAT', 'DRILL'])('a %s proves that the alarm works, no later than now', async (event_type) => {
    await at.receive({ ...heartbeat({ at: noon - minutes(2) }), event_type })
    expect(told()).toMatchObject({ proven_at: noon - minutes(2) })
    await at.receive({ ...heartbeat({ at: noon + minutes(2) }), event_type })
    expect(told()).toMatchObject({ proven_at: noon })
    await at.receive(crisis())
    expect(told()).toMatchObject({ proven_at: null })
  })

  it('which signals were missing, as the newest message of a student was read', async () => {
    await at.receive(
      analyzed({ degraded: ['clinical'] }),
      analyzed({ degraded: ['semantic'] }),
      analyzed({ role: 'assistant', degraded: [] }),
    )
    expect(told()).toMatchObject({ degraded: ['semantic'] })
    await at.receive(analyzed({ role: 'assistant', degraded: [] }))
    expect(told()).toMatchObject({ degraded: null })
  })
})

it('an event without a school belongs to the console’s own', async () => {
  await at.receive(legacyCrisis({ timestamp: new Date(noon).toISOString() }))
  expect(at.rows('SELECT school_id FROM alerts')).toEqual([{ school_id: school }])
})

describe('an event that cannot be stored', () => {
  beforeEach(() => {
    at.db.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON sessions WHEN NEW.id = 'poison' BEGIN SELECT RAISE(ABORT, 'poison'); END`,
    )
  })

  it('is put aside alone; all that came with it is committed, and what comes after', async () => {
    await at.receive(crisis({ session_id: 'one' }), started({ session_id: 'poison' }), crisis({ session_id: 'two' }))
    expect(quarantined()).toEqual([expect.objectContaining({ reason: 'could not be stored', names_crisis: 0 })])
    await at.receive(crisis({ session_id: 'three' }))
    expect(at.rows('SELECT session_id FROM alerts ORDER BY 1')).toEqual(
      ['one', 'three', 'two'].map((session_id) => ({ session_id })),
    )
  })

  it('is flagged when it is a crisis, and leaves half of nothing behind', async () => {
    await at.receive(crisis({ session_id: 'poison' }))
    expect(quarantined()).toEqual([expect.objectContaining({ names_crisis: 1 })])
    expect([at.count('events'), at.count('triggers'), at.count('alerts'), at.count('students')]).toEqual([0, 0, 0, 0])
    expect(at.heard.flatMap(({ alerts }) => alerts)).toEqual([])
  })
})

describe('when the database cannot be written', () => {
  it('a full disk refuses the messages, puts nothing aside, and recovers by itself', async () => {
    await at.receive(crisis({ session_id: 'before' }))
    at.db.pragma(`max_page_count = ${String(at.db.pragma('page_count', { simple: true }))}`)
    const large = Array.from({ length: 20 }, (_, index) =>
      crisis({ session_id: `large-${index}`, reasoning: 'x'.repeat(15_000) }),
    )
    await expect(at.receive(...large, 'not JSON')).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect([at.count('events'), at.count('quarantine')]).toEqual([1, 0])
    at.db.pragma('max_page_count = 1000000')
    await at.receive(...large, 'not JSON')
    expect([at.count('events'), at.count('quarantine'), at.count('alerts')]).toEqual([21, 1, 21])
  })

  it('a disk with a little room left puts nothing aside either', async () => {
    // Small events, so that now and then there is no room for what an event alters and enough for one put aside.
    for (let index = 0; index < 120; index += 1) {
      at.db.pragma(`max_page_count = ${String(at.db.pragma('page_count', { simple: true }))}`)
      const event = crisis({ session_id: `room-${index}` })
      await at.receive(event).catch((error: unknown) => expect(error).toMatchObject({ code: 'SQLITE_FULL' }))
      at.db.pragma('max_page_count = 1000000')
      await at.receive(event)
    }
    expect([at.count('quarantine'), at.count('alerts')]).toEqual([0, 120])
  })

  it('another program that holds the file makes the messages wait, and no crisis is put aside for it', async () => {
    at.db.pragma('busy_timeout = 20')
    const other = new Database(at.file)
    other.pragma(`cipher = 'aegis'`)
    other.pragma(`key = "x'${at.databaseKey.toString('hex')}'"`)
    other.exec('BEGIN IMMEDIATE')
    await expect(at.receive(crisis(), crisis({ session_id: 'two' }))).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    other.exec('ROLLBACK')
    other.close()
    await at.receive(crisis(), crisis({ session_id: 'two' }))
    expect([at.count('quarantine'), at.count('alerts')]).toEqual([0, 2])
  })
})

it('commits what several receivers bring at once, crises first', async () => {
  const calm = Array.from({ length: 150 }, (_, index) => analyzed({ session_id: `calm-${index}` }))
  await Promise.all([
    at.receive(...calm.slice(0, 75)),
    at.receive(...calm.slice(75), crisis({ session_id: 'alarm' })),
    at.receive(analyzed({ session_id: 'watch', tier: 'high', score: 0.8 })),
  ])
  expect(at.rows('SELECT session_id FROM events ORDER BY seq LIMIT 2')).toEqual([
    { session_id: 'alarm' },
    { session_id: 'watch' },
  ])
  expect(at.heard.map(({ confirmed }) => confirmed.length)).toEqual([100, 52])
})
