/** The console of the demonstration's people at a real station: its REST, its topic, its acknowledgement queue. */
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { intakeClient, type IntakeClient } from '../../../main/chat/index.ts'
import {
  eventsOfInterest,
  makeConsoleKeys,
  openDemonstrationConsole,
  type DemonstrationAction,
} from '../../../main/demo/index.ts'
import { toTopic } from '../../../main/outbox/index.ts'
import { startDeskQueue, type DeskQueue } from '../../../main/platform/desk-queue.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { isSignedBy } from '../../../main/platform/signing.ts'
import { parseApiKeys } from '../../../main/station/intake/index.ts'
import { snsNotificationSchema } from '../../../shared/events.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { crisisWords, school } from '../../support/intake-school.ts'
import { stationHouse, type StationHouse } from '../../support/station.ts'

const key = 'a-key-that-tells-a-past'
const people = [
  { id: 'rivera', name: 'A. Rivera', role: 'COUNSELOR' as const },
  { id: 'osei', name: 'K. Osei', role: 'COUNSELOR' as const },
]
const metadata = { locale: 'en-US', channel: 'web', device: 'phone' }

let house: StationHouse
let queue: DeskQueue
let subscription: Awaited<ReturnType<DeskQueue['subscribe']>>
let client: IntakeClient
let opened: Awaited<ReturnType<typeof openDemonstrationConsole>>
const keys = makeConsoleKeys(systemRandomness)
beforeEach(async () => {
  house = await stationHouse()
  queue = await startDeskQueue(systemRandomness, school)
})
afterEach(async () => {
  await opened.stop()
  await house.close()
  await queue.stop()
})

async function open(ownConsoles: { console_id: string; fingerprint: string }[]) {
  const { sqs, acksQueueUrl } = queue
  const station = await house.start({
    ...{ sqs, acksQueueUrl, ownConsoles },
    publish: toTopic(queue.sns, queue.topicArn),
    settings: { keys: parseApiKeys(`${key}::write+backfill`), bufferSize: 20 },
  })
  const { clock } = house
  const { signal } = new AbortController()
  client = intakeClient({ target: () => ({ url: station.url, key }), clock, signal, tries: 1 })
  subscription = await queue.subscribe('other-console', eventsOfInterest(school))
  const { queueUrl: eventsQueueUrl } = subscription
  opened = await openDemonstrationConsole({
    ...house.ports,
    keys,
    schoolId: school,
    people,
    client,
    sqs,
    eventsQueueUrl,
    acksQueueUrl,
  })
}

/** A student wrote these words two hours ago. */
async function tell(...contents: string[]): Promise<Pick<DemonstrationAction, 'session_id' | 'raised' | 'at' | 'by'>> {
  const at = house.clock.now() - hours(2)
  const { session_id } = await client.startSession({ user_id: 'student-1', metadata, at })
  const raised: DemonstrationAction['raised'][number][] = []
  for (const [index, content] of contents.entries()) {
    const message = { sender: 'user', content, client_message_id: `m-${index}`, at: at + minutes(index) } as const
    const { message_id, tier } = await client.send(session_id, message)
    if (tier === 'crisis' && message_id !== null) raised.push({ message_id, tier })
  }
  return { session_id, raised, at: at + minutes(20), by: 'rivera' }
}

/** What has reached the desk's own queue so far. */
async function arrived(): Promise<Record<string, unknown>[]> {
  const receive = new ReceiveMessageCommand({ QueueUrl: queue.eventsQueueUrl, MaxNumberOfMessages: 10 })
  const { Messages = [] } = await queue.sqs.send(receive)
  return Messages.map(({ Body = '' }) => JSON.parse(snsNotificationSchema.parse(JSON.parse(Body)).Message) as never)
}
async function actions(count: number): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  await vi.waitFor(
    async () => {
      found.push(...(await arrived()).filter(({ event_type }) => event_type === 'ALERT_ACTION'))
      expect(found).toHaveLength(count)
    },
    { timeout: 10_000, interval: 10 },
  )
  return found.sort((a, b) => Number(a['position']) - Number(b['position']))
}

it('acts as any approved console does: on what came by its own queue, signed, and told as a past', async () => {
  await open([keys])
  const told = await tell('hello', crisisWords, crisisWords)
  await opened.act({ ...told, kind: 'acknowledged', next_action: 'See the student' })
  await opened.act({ ...told, at: told.at + minutes(5), kind: 'resolved', note: 'Seen.', disposition: 'safety plan' })

  const [acknowledged, resolved] = await actions(2)
  const at = new Date(told.at).toISOString()
  const due_at = new Date(told.at + minutes(15)).toISOString()
  const common = { by: 'rivera', by_name: 'A. Rivera', session_id: told.session_id, school_id: school, backfill: true }
  expect(acknowledged).toMatchObject({
    ...common,
    action: 'acknowledged',
    at,
    next_action: 'See the student',
    due_at,
    owner: 'rivera',
    position: 1,
  })
  expect(resolved).toMatchObject({ ...common, action: 'resolved', note: 'Seen.', position: 2 })
  // Each of two messages raised by the crisis that was detected, and by its analysis.
  const covers = told.raised.flatMap(({ message_id }) => [
    `${message_id}:CRISIS_DETECTED`,
    `${message_id}:MESSAGE_ANALYZED`,
  ])
  expect(resolved?.['covers']).toHaveLength(covers.length)
  expect(resolved?.['covers']).toEqual(expect.arrayContaining(covers))
  expect(opened.taken()).toEqual([acknowledged?.['ack_id'], resolved?.['ack_id']])
  const { backfill: _, position: __, ...sent } = resolved ?? {}
  expect(isSignedBy(keys.public.signing_key, sent)).toBe(true)
})

it('does nothing about what is held or over already, and nothing in the name of a stranger', async () => {
  await open([keys])
  const told = await tell(crisisWords)
  await opened.act({ ...told, kind: 'acknowledged', by: 'nobody' })
  await opened.act({ ...told, kind: 'acknowledged' })
  await opened.act({ ...told, kind: 'acknowledged' })
  await opened.act({ ...told, kind: 'resolved', note: 'Seen.', disposition: 'safety plan' })
  await opened.act({ ...told, kind: 'noted', note: 'Later.' })
  expect((await actions(2)).map(({ action }) => action)).toEqual(['acknowledged', 'resolved'])
  expect(opened.taken()).toHaveLength(2)
})

it('says now of a plan whose time is still to come that it stands, so that it is watched', async () => {
  await open([keys])
  const due_at = house.clock.now() + hours(1)
  await opened.act({ ...(await tell(crisisWords)), kind: 'acknowledged', next_action: 'See the student', due_at })
  const over = { ...(await tell(crisisWords)), due_at: house.clock.now() }
  await opened.act({ ...over, kind: 'acknowledged' })
  await opened.renewPlans()
  const renewed = (await actions(3)).filter(({ backfill }) => backfill === undefined)
  const now = new Date(house.clock.now()).toISOString()
  expect(renewed).toMatchObject([
    {
      action: 'corrected',
      next_action: 'See the student',
      due_at: new Date(due_at).toISOString(),
      at: now,
      position: 2,
    },
  ])
  const { position: _, ...sent } = renewed[0] ?? {}
  expect(isSignedBy(keys.public.signing_key, sent)).toBe(true)
  expect(opened.taken()).toHaveLength(3)
})

it('does what makes a case: steps by their title, attempts, a commitment that is watched from now on, a hand-off', async () => {
  await open([keys])
  const told = await tell(crisisWords)
  const due_at = house.clock.now() + minutes(20)
  await opened.act({ ...told, kind: 'acknowledged', due_at: told.at + minutes(10) })
  await opened.act({ ...told, kind: 'step_done', step: 'be-with-student', note: 'Her aunt is there.' })
  await opened.act({ ...told, kind: 'contact_attempted', contact: 'guardian', outcome: 'no answer', who: 'Mother' })
  await opened.act({ ...told, kind: 'commitment_made', next_action: 'Call again', due_at })
  await opened.act({ ...told, kind: 'handed_off', to: 'osei', note: 'I am called away.' })
  await opened.renewPlans()

  const [, step, attempt, made, handed, moved] = await actions(6)
  expect(step).toMatchObject({ step: 'be-with-student', title: 'Be with the student', schema_version: 2 })
  expect(attempt).toMatchObject({ contact: 'guardian', outcome: 'no answer', who: 'Mother' })
  expect(made).toMatchObject({ next_action: 'Call again', owner: 'rivera', backfill: true })
  expect(handed).toMatchObject({ to: 'osei', to_name: 'K. Osei', note: 'I am called away.', backfill: true })
  expect(moved).toMatchObject({
    action: 'commitment_moved',
    commitment: made?.['ack_id'],
    due_at: new Date(due_at).toISOString(),
  })
  expect(moved?.['backfill']).toBeUndefined()
})

it('keeps about the student what outlives an alert, the way that every console sends it', async () => {
  await open([keys])
  const told = await tell(crisisWords)
  const sections = {
    ...{ warning_signs: 'I stop answering.', coping_strategies: '', people_and_places_for_distraction: '' },
    ...{ people_to_ask_for_help: 'Mom.', professionals_and_agencies: '', making_the_environment_safe: '' },
  }
  const due_at = house.clock.now() + hours(20)
  await opened.act({ ...told, kind: 'resolved', note: 'Seen.', disposition: 'safety plan' })
  await opened.act({ ...told, kind: 'safety_plan', sections })
  await opened.act({ ...told, kind: 'follow_up', next_action: 'Check in', due_at })
  const kept: Record<string, unknown>[] = []
  await vi.waitFor(
    async () => {
      kept.push(...(await arrived()).filter(({ event_type }) => /^(SAFETY_PLAN|FOLLOW_UP)/.test(String(event_type))))
      expect(kept).toHaveLength(2)
    },
    { timeout: 10_000, interval: 10 },
  )
  const [plan, followUp] = kept.sort((a, b) => Number(a['position']) - Number(b['position']))
  const common = { by: 'rivera', role: 'COUNSELOR', school_id: school, at: new Date(told.at).toISOString() }
  expect(plan).toMatchObject({ ...common, event_type: 'SAFETY_PLAN_SAVED', sections })
  expect(followUp).toMatchObject({ ...common, next_action: 'Check in', due_at: new Date(due_at).toISOString() })
  expect(followUp?.['follow_up']).toBe(followUp?.['ack_id'])
  for (const record of kept) {
    const { position: _, ...sent } = record
    expect(isSignedBy(keys.public.signing_key, sent)).toBe(true)
    expect(opened.taken()).toContain(record['ack_id'])
  }
})

it('waits for its approval, and gives up where it does not come', async () => {
  await open([])
  const told = await tell(crisisWords)
  const acting = opened.act({ ...told, kind: 'acknowledged' })
  const failed = expect(acting).rejects.toThrow('did not come')
  await vi.waitFor(async () => expect(await house.rows('SELECT state FROM consoles')).toEqual([{ state: 'waiting' }]))
  await setImmediate()
  house.clock.advance(seconds(20))
  await failed
  expect(opened.taken()).toEqual([])
  expect(await house.rows('SELECT ack_id FROM records')).toEqual([])
})

it('waits for nothing once it has stopped, and leaves no queue behind', async () => {
  await open([])
  const failed = expect(opened.act({ ...(await tell(crisisWords)), kind: 'acknowledged' })).rejects.toThrow(
    'did not come',
  )
  await opened.stop()
  await failed
  await opened.stop()
  await subscription.end()
  const receive = new ReceiveMessageCommand({ QueueUrl: subscription.queueUrl })
  await expect(queue.sqs.send(receive)).rejects.toMatchObject({ name: 'QueueDoesNotExist' })
})
