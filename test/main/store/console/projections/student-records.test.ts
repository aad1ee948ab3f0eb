import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  endedFollowUps,
  openFollowUps,
  promises,
  safetyPlans,
  schoolsResolved,
  type Database,
} from '../../../../../main/store/console/index.ts'
import type { StudentRecord } from '../../../../../shared/events.ts'
import { days, minutes } from '../../../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../../../support/record.ts'
import { noon, school } from '../../../../support/wire.ts'

const hashes = ['a'.repeat(64), 'b'.repeat(64)]
const sections = {
  warning_signs: '',
  coping_strategies: '',
  people_and_places_for_distraction: '',
  people_to_ask_for_help: '',
  professionals_and_agencies: '',
  making_the_environment_safe: '',
}

interface Arriving {
  body: object
  receivedAt: number
  origin: 'queue' | 'console'
}

const time = (at: number) => new Date(at).toISOString()
const kinds = fc.oneof(
  fc.record({ event_type: fc.constant('SAFETY_PLAN_SAVED'), sections: fc.constant(sections) }),
  fc.record({
    event_type: fc.constant('FOLLOW_UP_SET'),
    follow_up: fc.constantFrom('one', 'two'),
    next_action: fc.constantFrom('Call', 'Ask'),
    due_at: fc.nat(90).map((after) => time(noon + minutes(after))),
    owner: fc.constantFrom('marlow', 'osei'),
  }),
  fc.record({
    event_type: fc.constant('FOLLOW_UP_DONE'),
    follow_up: fc.constantFrom('one', 'two'),
    outcome: fc.constantFrom('done', 'not needed', 'withdrawn'),
  }),
)

/** Records of people at this console and elsewhere; those with a position came back from the relay, and ours came here before. */
const histories = fc
  .array(
    fc.record({
      kind: kinds,
      student_hash: fc.constantFrom(...hashes),
      after: fc.nat(60),
      here: fc.boolean(),
      relayed: fc.boolean(),
      names: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((records): Arriving[] =>
    records
      .flatMap(({ kind, student_hash, after, here, relayed, names }, index): Omit<Arriving, 'receivedAt'>[] => {
        const at = time(noon - minutes(after))
        const body = {
          schema_version: 2,
          idempotency_key: `record-${index}`,
          ack_id: `record-${index}`,
          timestamp: at,
          at,
          student_hash,
          ...(names && { school_id: school }),
          console_id: 'console',
          by: 'marlow',
          ...kind,
        }
        const back = { body: { ...body, position: index + 1 }, origin: 'queue' } as const
        return here ? [{ body, origin: 'console' }, ...(relayed ? [back] : [])] : [back]
      })
      .map((one, index) => ({ ...one, receivedAt: noon + index })),
  )

/** What the screens are told: which version, which follow-up and which due time counts. */
function told(db: Database) {
  const asIs = (record: StudentRecord) => record
  return hashes.map((student_hash) => ({
    plans: safetyPlans(db, { school, student_hash }, asIs),
    open: openFollowUps(db, { school, student_hash }, asIs),
    ended: endedFollowUps(db, { school, student_hash }, asIs),
    promised: promises(db, { school }).sort((a, b) => (a.id < b.id ? -1 : 1) || a.due_at - b.due_at),
  }))
}

const append = (at: OpenRecord, { body, receivedAt, origin }: Arriving) => at.append(body, receivedAt, origin)
const resolve = (at: OpenRecord) => at.eventLog.append(schoolsResolved(at.db, school, noon + minutes(60)))
async function within(work: (at: OpenRecord) => void | Promise<void>): Promise<void> {
  const at = openRecord({ school: '' })
  try {
    await work(at)
  } finally {
    at.close()
  }
}

describe('what is kept about students', () => {
  it('is the same to the byte when it is made anew from the log', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(10), (history, known) =>
        within((at) => {
          history.forEach((one, index) => {
            append(at, one)
            if (index === known) resolve(at)
          })
          const rows = () => at.rows('SELECT * FROM student_records ORDER BY 1, 2, 3')
          const before = rows()
          at.db.exec(`DELETE FROM student_records`)
          at.eventLog.rebuild()
          expect(rows()).toEqual(before)
        }),
      ),
      { numRuns: 10 },
    )
  })

  it('counts the same in every order of arrival, and where it comes twice', async () => {
    const cases = histories.chain((history) =>
      fc.tuple(fc.constant(history), fc.shuffledSubarray(history, { minLength: history.length }), fc.subarray(history)),
    )
    await fc.assert(
      fc.asyncProperty(cases, ([history, shuffled, twice]) =>
        within((at) =>
          within((other) => {
            history.forEach((one) => append(at, one))
            ;[...shuffled, ...twice].forEach((one) => append(other, one))
            expect(told(other.db)).toEqual(told(at.db))
          }),
        ),
      ),
      { numRuns: 10 },
    )
  })

  it('leaves out what a station refused', () =>
    within((at) => {
      const refused = {
        schema_version: 2,
        event_type: 'FOLLOW_UP_SET',
        idempotency_key: 'record',
        ack_id: 'record',
        timestamp: time(noon),
        at: time(noon),
        student_hash: hashes[0],
        console_id: 'console',
        by: 'somebody',
        follow_up: 'one',
        due_at: time(noon),
        owner: 'somebody',
        refused: 'signature',
      }
      at.append(refused)
      expect(at.count('student_records')).toBe(0)
    }))

  it('puts no follow-up off for longer than a school year', () =>
    within((at) => {
      at.append({
        ...{ schema_version: 2, event_type: 'FOLLOW_UP_SET', idempotency_key: 'record', ack_id: 'record' },
        ...{ timestamp: time(noon), at: time(noon), student_hash: hashes[0], console_id: 'console' },
        ...{ by: 'marlow', follow_up: 'one', due_at: time(noon + days(40_000)), owner: 'marlow', school_id: school },
      })
      expect(promises(at.db, { school }).map(({ due_at }) => due_at)).toEqual([noon + days(400)])
    }))
})
