/** How people's work is kept here and told to colleagues: at once or not at all, and sealed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evidenceKey } from '../../../main/platform/envelope.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { isSignedBy } from '../../../main/platform/signing.ts'
import { relayAction } from '../../../main/station/relay/relay-action.ts'
import { openFollowUps, safetyPlans, verifyAudit } from '../../../main/store/console/index.ts'
import { actionSchema, type Action } from '../../../shared/actions.ts'
import { openWords } from '../../../shared/record-words.ts'
import { safetyPlanHeadings, type SafetyPlan } from '../../../shared/student-records.ts'
import { defaultNextAction } from '../../../shared/thresholds.ts'
import { minutes } from '../../../shared/time.ts'
import { dump, marlow, openRecord, osei, type OpenRecord } from '../../support/record.ts'
import { crisis, hashOf, noon, school } from '../../support/wire.ts'

const wordsKey = evidenceKey(systemRandomness.bytes(32))
const student = { school_id: school, student_hash: hashOf('session-1') }
const trigger = crisis({ idempotency_key: 'first', message_id: 'm' })
const planOf = (words: string) => Object.fromEntries(safetyPlanHeadings.map((name) => [name, words])) as SafetyPlan
const unchanged = <T>(record: T): T => record

let at: OpenRecord
let opened: OpenRecord[]
let key: string
/** A console that has heard of the crisis. */
async function open(options: Parameters<typeof openRecord>[0]): Promise<OpenRecord> {
  const console = openRecord(options)
  opened.push(console)
  await console.receive(trigger)
  return console
}
/** A colleague's of the same school: it was given the school's key, or waits for it. */
const openColleague = () => open({ wordsKey, key: wordsKey })
const openWaiting = () => open({})
beforeEach(async () => {
  opened = []
  at = await open({ wordsKey })
  key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
})
afterEach(() => opened.forEach((console) => console.close()))

const sent = () => at.rows('SELECT body FROM outbox ORDER BY position').map(({ body }) => String(body))
/** What the station makes of all that was sent. */
const relayed = () =>
  sent().map((body, index) => {
    const action = relayAction(body)
    if (!action) throw new Error('it is not relayed')
    return { ...action.event, position: index + 1 }
  })

/** Every field that people's actions have; a new one is said here to hold a person's words, or not. */
const words = ['next_action', 'note', 'reason', 'title', 'who'] as const
const said: Record<string, unknown> = {
  ...Object.fromEntries(words.map((field) => [field, `MARKED ${field}`])),
  ...{ due_at: noon + minutes(30), owner: osei.id, owner_name: osei.name, to: osei.id, to_name: osei.name },
  ...{ urgent: true, record: 'set below', disposition: 'contacted student', step: 'call-guardian' },
  ...{ contact: 'guardian', outcome: 'no answer', commitment: 'set below' },
}
/** One of every kind, with everything that it can say. */
function doEverything(): { action: Action['action']; ackId: string }[] {
  const done: { action: Action['action']; ackId: string }[] = []
  for (const { shape } of actionSchema.options) {
    const [action] = [...shape.action.values]
    const fields = Object.keys(shape).filter((field) => field !== 'action')
    for (const field of fields) expect(Object.keys(said), 'a field that nobody classed').toContain(field)
    const doing = Object.fromEntries(fields.map((field) => [field, said[field]]))
    const idOf = (kind: Action['action']) => done.find((one) => one.action === kind)?.ackId
    if ('record' in doing) doing['record'] = idOf(action === 'withdrawn' ? 'contact_attempted' : 'noted')
    if ('commitment' in doing) doing['commitment'] = idOf('commitment_made')
    done.push({ action: action!, ackId: at.lifecycle.act(key, marlow, { ...doing, action } as Action).ackId })
  }
  return done
}

describe('what people write', () => {
  it('of every kind stands in no message in the clear', () => {
    const kinds = doEverything().filter(({ action }) => action !== 'seen')
    at.studentRecords.keep(student, marlow, { event_type: 'SAFETY_PLAN_SAVED', sections: planOf('MARKED plan') })
    const set = at.studentRecords.keep(student, marlow, {
      ...{ event_type: 'FOLLOW_UP_SET', next_action: 'MARKED check-in', due_at: noon + minutes(60) },
      ...{ owner: osei.id, owner_name: osei.name },
    })
    const ending = { event_type: 'FOLLOW_UP_DONE' as const, follow_up: set, outcome: 'done' as const }
    at.studentRecords.keep(student, marlow, { ...ending, note: 'MARKED end' })
    expect(sent()).toHaveLength(kinds.length + 3)
    for (const body of sent()) {
      expect(body).not.toContain('MARKED')
      expect(isSignedBy(at.keys.public.signing_key, JSON.parse(body) as Record<string, unknown>)).toBe(true)
    }
  })

  it('is read by a colleague as it was written, and does there what it did here', async () => {
    const colleague = await openColleague()
    doEverything()
    await colleague.receive(...relayed())
    const facts = (console: OpenRecord) => {
      const alert = console.lifecycle.find(key)!
      // Having looked concerns nobody else; and each console has its own clock.
      // Nor has what was done here come back yet with its place in the order.
      const history = alert.history
        .filter(({ action }) => action.action !== 'seen')
        .map((entry) => ({ ...entry, action: { ...entry.action, position: undefined } }))
      return { ...alert, history, first_seen_at: null }
    }
    expect(facts(colleague)).toEqual(facts(at))
    expect(JSON.stringify(facts(colleague))).toContain('MARKED who')
    expect(colleague.count('quarantine')).toBe(0)
  })

  it('is shown as sealed where the key has not come, does the same there, and opens once it has', async () => {
    const waiting = await openWaiting()
    doEverything()
    await waiting.receive(...relayed())
    const alert = waiting.lifecycle.find(key)!
    const ours = at.lifecycle.find(key)!
    expect(alert).toMatchObject({ state: ours.state, owner: ours.owner, tier: ours.tier })
    expect(JSON.stringify(alert)).not.toContain('MARKED')
    const sealed = alert.history.filter(({ action }) => action.sealed)
    expect(sealed.length).toBeGreaterThan(8)
    for (const { action } of sealed) {
      const opened = openWords(
        { ...action, school_id: school, student_hash: alert.student_hash, ack_id: action.id },
        wordsKey,
      )
      const written = ours.history.find((one) => one.action.id === action.id)?.action
      expect(opened).toMatchObject(JSON.parse(JSON.stringify(written)) as object)
      expect(opened.sealed).toBeUndefined()
    }
  })

  it('goes out as it is while the school has given no key', async () => {
    const waiting = await openWaiting()
    waiting.lifecycle.act(key, marlow, { action: 'noted', note: 'Spoke.' })
    expect(waiting.rows('SELECT body FROM outbox')[0]?.['body']).toContain('"note":"Spoke."')
  })

  it('in the acknowledgement that other back ends read is sealed, but for the words that everybody has', () => {
    at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    const plain = JSON.parse(sent()[0]!) as Record<string, unknown>
    expect(plain).toMatchObject({ event_type: 'ALERT_ACKNOWLEDGED', next_action: defaultNextAction })
    expect(plain).not.toHaveProperty('sealed')
  })

  it('fits into what a queue takes, however much it is', () => {
    const fullest = [planOf('\u{6f22}'.repeat(4000)), planOf('\u0001'.repeat(4000))]
    for (const sections of fullest)
      at.studentRecords.keep(student, marlow, { event_type: 'SAFETY_PLAN_SAVED', sections })
    for (const note of ['\u{6f22}', '\u0001'])
      at.lifecycle.act(key, marlow, { action: 'noted', note: note.repeat(20_000) })
    expect(relayed()).toHaveLength(4)
  })
})

describe('a record', () => {
  const save = (console = at) =>
    console.studentRecords.keep(student, marlow, { event_type: 'SAFETY_PLAN_SAVED', sections: planOf('Mine.') })
  const plansOf = (console: OpenRecord) => safetyPlans(console.db, { school, ...student }, unchanged)

  it('stands in log, audit and outbox when it returns, and everybody here is told', () => {
    const id = save()
    expect(plansOf(at)).toEqual([{ id, at: noon, by_name: marlow.name, sections: planOf('Mine.') }])
    expect(at.rows('SELECT who, role, what, subject FROM audit')).toEqual([
      ...[
        {
          who: 'marlow',
          role: 'COUNSELOR',
          what: 'student.safety_plan_saved',
          subject: `student ${student.student_hash}`,
        },
      ],
    ])
    expect(verifyAudit(at.db)).toMatchObject({ ok: true })
    expect(at.heard.at(-1)).toMatchObject({ queued: true })
    expect(at.rows('SELECT group_id FROM outbox')).toEqual([{ group_id: `student:${student.student_hash}` }])
  })

  it.each(['events', 'audit', 'outbox', 'student_records'])('that %s refuses is not kept at all', (table) => {
    at.db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON main.${table} BEGIN SELECT RAISE(ABORT, 'full'); END`)
    expect(() => save()).toThrow('full')
    at.db.exec('DROP TRIGGER full')
    expect(['student_records', 'audit', 'outbox'].map((each) => at.count(each))).toEqual([0, 0, 0])
    expect(plansOf(at)).toEqual([])
  })

  it('stays here where there is no queue for it', () => {
    const alone = openRecord({ hasAckQueue: false })
    save(alone)
    expect([alone.count('outbox'), alone.count('audit'), plansOf(alone).length]).toEqual([0, 1, 1])
    alone.close()
  })

  it('comes to a colleague once, however often it is sent, and a rebuild gives the same', async () => {
    const colleague = await openColleague()
    save()
    const set = { event_type: 'FOLLOW_UP_SET' as const, next_action: 'Check in', due_at: noon + minutes(60) }
    const follow_up = at.studentRecords.keep(student, marlow, { ...set, owner: osei.id, owner_name: osei.name })
    const events = relayed()
    await colleague.receive(...events, ...events.toReversed())
    await at.receive(...events)
    await colleague.receive(...events)
    for (const console of [at, colleague]) {
      expect(plansOf(console)).toMatchObject([{ sections: planOf('Mine.') }])
      expect(openFollowUps(console.db, { school, person: osei.id }, unchanged)).toMatchObject([
        { id: follow_up, what: 'Check in', due_at: noon + minutes(60), owner: { id: osei.id } },
      ])
      const before = dump(console.db)
      expect(before['student_records']).toHaveLength(2)
      console.eventLog.rebuild()
      expect(dump(console.db)).toEqual(before)
    }
  })

  it('that a station refused, or that says it is of another time, changes nothing', async () => {
    const colleague = await openColleague()
    save()
    const [event] = relayed()
    await colleague.receive({ ...event, ack_id: 'refused:1', idempotency_key: 'refused:1', refused: 'signature' })
    expect(plansOf(colleague)).toEqual([])
    // The same record with another place: the first stands.
    await colleague.receive(event, { ...event, position: 9 })
    expect(colleague.rows('SELECT position FROM student_records')).toEqual([{ position: 1 }])
  })

  it('that is the last by position counts, whatever the clocks said; one not sent yet counts above all', async () => {
    const plan = (words: string, position: number, time: number) => {
      at.clock.advance(1)
      at.studentRecords.keep(student, marlow, { event_type: 'SAFETY_PLAN_SAVED', sections: planOf(words) })
      const event = { ...relayed().at(-1), position, at: new Date(time).toISOString() }
      return event
    }
    const [first, second] = [plan('First.', 1, noon + 900), plan('Second.', 2, noon + 5)]
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const console = openRecord({ key: wordsKey })
      await console.receive(...order)
      expect(plansOf(console).map(({ sections }) => sections?.warning_signs)).toEqual(['Second.', 'First.'])
      save(console)
      expect(plansOf(console)[0]?.sections?.warning_signs).toBe('Mine.')
      console.close()
    }
  })

  it('of a follow-up that is ended or set anew replaces what was, and ends it for all', async () => {
    const colleague = await openColleague()
    const set = (next_action: string, follow_up?: string) =>
      at.studentRecords.keep(student, marlow, {
        ...{
          event_type: 'FOLLOW_UP_SET',
          next_action,
          due_at: noon + minutes(60),
          owner: osei.id,
          owner_name: osei.name,
        },
        follow_up,
      })
    const open = (console: OpenRecord) => openFollowUps(console.db, { school }, unchanged).map(({ what }) => what)
    const one = set('One')
    set('Other')
    set('One, later', one)
    await colleague.receive(...relayed())
    for (const console of [at, colleague]) expect(open(console).toSorted()).toEqual(['One, later', 'Other'])
    at.studentRecords.keep(student, osei, { event_type: 'FOLLOW_UP_DONE', follow_up: one, outcome: 'not needed' })
    await colleague.receive(...relayed())
    for (const console of [at, colleague]) expect(open(console)).toEqual(['Other'])
    expect(openFollowUps(at.db, { school: 'another' }, unchanged)).toEqual([])
  })
})

describe('what comes about an alert', () => {
  it('before the alert waits for it, and is then as it would have been', async () => {
    const colleague = await openColleague()
    doEverything()
    const late = openRecord({ key: wordsKey })
    await late.receive(...relayed().toReversed())
    expect(late.count('alerts')).toBe(0)
    await late.receive(trigger)
    await colleague.receive(...relayed())
    const strip = ({ lifecycle }: OpenRecord) => ({ ...lifecycle.find(key), received_at: null, triggers: null })
    expect(strip(late)).toEqual(strip(colleague))
    const before = dump(late.db)
    late.eventLog.rebuild()
    expect(dump(late.db)).toEqual(before)
    late.close()
  })

  it('with a note that no console writes is set aside in sight, and changes nothing', async () => {
    const colleague = await openColleague()
    at.lifecycle.act(key, marlow, { action: 'contact_attempted', contact: 'guardian', outcome: 'no answer' })
    const [event] = relayed()
    await colleague.receive({ ...event, note: 'x'.repeat(200 * 1024) })
    expect(colleague.count('quarantine')).toBe(1)
    expect(colleague.lifecycle.find(key)?.history).toEqual([])
  })
})
