import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAnnouncer, type Announcer } from '../../../../main/console/alerts/index.ts'
import { createLateStart, type LateStart } from '../../../../main/console/late-start/index.ts'
import { readSetting } from '../../../../main/store/console/index.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { silentLogger } from '../../../support/logger.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let late: LateStart
let announcer: Announcer
let said: string[]
let connected: number | null
const running: (() => void)[] = []

beforeEach(() => {
  at = openRecord()
  said = []
  connected = noon
})
afterEach(() => {
  stop()
  at.close()
})

/** The console starts on what is kept. */
function start(): void {
  const shell = {
    notify: ({ title, body, urgent }: { title: string; body: string; urgent: boolean }) =>
      void said.push(`${urgent ? '! ' : ''}${title}. ${body}`),
    badge: () => undefined,
    openExternal: () => undefined,
  }
  const parts = { db: at.db, changes: at.changes, clock: at.clock, shell, schoolId: () => school }
  late = createLateStart({
    ...parts,
    logger: silentLogger,
    connection: () => ({ state: connected === null ? 'connecting' : 'connected', since: connected ?? at.clock.now() }),
  })
  announcer = createAnnouncer({ ...parts, isHere: () => false, speaksForLate: (row) => late.speaksFor(row) })
  announcer.start()
  late.start()
  running.push(() => {
    late.stop()
    announcer.stop()
  })
}
const stop = (): void => running.splice(0).forEach((end) => end())
const offFor = (length: number): void => {
  stop()
  at.clock.jump(length)
  connected = at.clock.now()
}
const settle = (): void => at.clock.advance(seconds(10))
const keyOf = (session: string): string =>
  String(at.rows('SELECT key FROM alerts WHERE session_id = ?', session)[0]?.['key'])

it('what came in a night is told once, counted, and listed oldest first', async () => {
  start()
  at.clock.advance(hours(1))
  await at.receive(crisis({ session_id: 'before', at: at.clock.now() }))
  const left = at.clock.now()
  offFor(hours(14))
  said = []
  start()
  await at.receive(
    crisis({ session_id: 'second', at: left + hours(5) }),
    analyzed({ session_id: 'first', tier: 'high', score: 0.8, at: left + hours(2) }),
  )
  await at.receive(crisis({ session_id: 'third', at: left + hours(6) }))
  expect(said).toEqual([])
  expect(late.view(marlow)).toMatchObject({ arrived: 3, settled: false, opened: false })
  settle()
  expect(said).toEqual([
    '! Late: 3 alerts. They arrived while this console was off; 3 were never acknowledged by anyone. Open PsyFlo Console.',
  ])
  expect(late.view(marlow)).toMatchObject({ from: left, arrived: 3, unacknowledged: 3, settled: true })
  expect(late.alerts(marlow).map(({ key }) => key)).toEqual(['first', 'second', 'third'].map(keyOf))

  // What comes now is news again, and no part of it.
  await at.receive(crisis({ session_id: 'now', at: at.clock.now() }))
  expect(said.at(-1)).toMatch(/^! Crisis alert/)
  expect(late.view(marlow)?.arrived).toBe(3)
  // What waited longer than the backlog was awaited is told by itself, and listed with the rest.
  at.clock.advance(seconds(5))
  await at.receive(crisis({ session_id: 'later still', at: left + hours(3) }))
  expect(said.at(-1)).toMatch(/^! Late: crisis alert/)
  expect(late.view(marlow)?.arrived).toBe(4)
})

it('a crisis of this minute is told at once, although the backlog is still on its way', async () => {
  start()
  offFor(hours(14))
  start()
  await at.receive(crisis({ at: at.clock.now() - seconds(20) }))
  expect(said).toEqual([expect.stringMatching(/^! Crisis alert/)])
})

it('is settled as soon as the queue is quiet, and after ten seconds however it is', async () => {
  start()
  offFor(hours(14))
  connected = null
  start()
  const raised = { at: at.clock.now() - hours(1) }
  await at.receive(crisis({ session_id: 's0', ...raised }))
  at.clock.advance(seconds(5))
  expect(late.view(marlow)?.settled).toBe(false)
  connected = at.clock.now()
  at.clock.advance(seconds(1.5))
  expect(late.view(marlow)?.settled).toBe(false)
  at.clock.advance(seconds(1))
  expect(late.view(marlow)?.settled).toBe(true)

  offFor(hours(1))
  start()
  for (let second = 0; second < 9; second++) {
    await at.receive(crisis({ session_id: `t${second}`, at: at.clock.now() - minutes(20) }))
    at.clock.advance(seconds(1))
  }
  expect(late.view(marlow)?.settled).toBe(false)
  at.clock.advance(seconds(1.5))
  expect(late.view(marlow)?.settled).toBe(true)
})

it('nobody is told of a short absence, of a past that is told, or of what was received before', async () => {
  start()
  await at.receive(crisis({ session_id: 'received', at: noon + minutes(30) }))
  const left = at.clock.now()
  offFor(minutes(29))
  start()
  await at.receive(crisis({ session_id: 'short', at: left + minutes(10) }))
  settle()
  expect(late.view(marlow)).toBeNull()
  offFor(hours(3))
  start()
  await at.receive(crisis({ session_id: 'past', at: left + hours(1), backfill: true }))
  settle()
  expect(late.view(marlow)).toBeNull()
})

it('a sleep of the machine is an absence too, known before anybody hears of what came meanwhile', async () => {
  start()
  at.clock.advance(minutes(3))
  at.clock.jump(hours(9))
  const raised = at.clock.now() - hours(4)
  said = []
  await at.receive(crisis({ session_id: 'one', at: raised }), crisis({ session_id: 'two', at: raised }))
  expect(said).toEqual([])
  settle()
  expect(said).toEqual([expect.stringMatching(/^! Late: 2 alerts\./)])
})

it('a clock that is set, forward or back, brings nothing to go through and keeps nobody waiting', async () => {
  start()
  await at.receive(crisis({ session_id: 'here', at: at.clock.now() }))
  for (const jump of [hours(2), -hours(2), hours(-30), hours(30)]) {
    at.clock.jump(jump)
    settle()
    expect(late.view(marlow)).toBeNull()
    said = []
    await at.receive(crisis({ session_id: `after ${jump}`, at: at.clock.now() }))
    expect(said).toEqual([expect.stringMatching(/^! Crisis alert/)])
  }
})

it('each person goes through it by themselves, across restarts; another night begins anew', async () => {
  start()
  const left = at.clock.now()
  offFor(hours(14))
  start()
  await at.receive(crisis({ session_id: 'one', at: left + hours(1) }))
  settle()
  const number = late.view(marlow)?.number ?? -1
  late.opened(marlow, number)
  expect(late.view(marlow)?.opened).toBe(true)
  expect(late.view(osei)?.opened).toBe(false)
  stop()
  start()
  settle()
  expect(said).toHaveLength(1)
  expect(late.view(marlow)?.opened).toBe(true)
  late.finished(marlow, number)
  expect(late.view(marlow)).toBeNull()
  expect(late.view(osei)).toMatchObject({ arrived: 1 })

  const second = at.clock.now()
  offFor(hours(10))
  start()
  await at.receive(crisis({ session_id: 'two', at: second + hours(1) }))
  settle()
  expect(late.view(marlow)).toMatchObject({ arrived: 1, opened: false, from: second })
  expect(late.view(osei)).toMatchObject({ arrived: 2, from: left })
})

it('counts what nobody ever acknowledged, and lists what was', async () => {
  start()
  const left = at.clock.now()
  offFor(hours(14))
  start()
  await at.receive(
    crisis({ session_id: 'one', at: left + hours(1) }),
    crisis({ session_id: 'two', at: left + hours(2) }),
  )
  settle()
  at.lifecycle.act(keyOf('one'), marlow, { action: 'acknowledged' })
  expect(late.view(osei)).toMatchObject({ arrived: 2, unacknowledged: 1 })
  expect(late.alerts(osei).map(({ state }) => state)).toEqual(['acknowledged', 'open'])
})

it('what a program that was ended never told, its next start tells', async () => {
  start()
  const left = at.clock.now()
  offFor(hours(14))
  start()
  await at.receive(crisis({ session_id: 'one', at: left + hours(1) }))
  stop()
  start()
  expect(said).toEqual([])
  settle()
  expect(said).toEqual([expect.stringMatching(/^! Late: 1 alert\. It arrived while this console was off; 1 was never/)])
})

it('keeps nothing of a student', async () => {
  start()
  const left = at.clock.now()
  offFor(hours(14))
  start()
  await at.receive(crisis({ session_id: 'one', at: left + hours(1) }))
  settle()
  late.finished(marlow, late.view(marlow)?.number ?? -1)
  const kept = at.rows(`SELECT name, value FROM settings WHERE name LIKE 'late%' OR name LIKE 'absen%'`)
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).not.toMatch(/[0-9a-f]{64}|one/)
  stop()
  expect(Number(readSetting(at.db, 'last_awake'))).toBe(at.clock.now())
})
