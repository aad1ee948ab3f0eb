import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createAnnouncer,
  createDeskCalls,
  type Announcer,
  type DeskCalls,
} from '../../../../main/console/alerts/index.ts'
import { createWindows, type Windows } from '../../../../main/console/identity/index.ts'
import { isSignedBy } from '../../../../main/platform/signing.ts'
import { toldAtConsoleSchema } from '../../../../shared/console-messages.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { crisis, hashOf, noon, notified, school } from '../../../support/wire.ts'

let at: OpenRecord
let windows: Windows
let announcer: Announcer
let calls: DeskCalls
let said: string[]
let takesNotifications: boolean
let hasAckQueue: boolean

function begin() {
  const shell = {
    notify: ({ title }: { title: string }) => void said.push(title),
    notifies: () => takesNotifications,
    badge: () => undefined,
    openExternal: () => undefined,
  }
  const { db, changes, clock, keys } = at
  const isHere = (id: string) => windows.isHere(id)
  announcer = createAnnouncer({ db, changes, clock, shell, schoolId: () => school, isHere })
  calls = createDeskCalls({
    ...{ db, changes, clock, shell, announcer, windows, keys, hasAckQueue, consoleId: 'console-1' },
    schoolId: () => school,
  })
  announcer.start()
  calls.start()
}
beforeEach(() => {
  at = openRecord()
  said = []
  takesNotifications = true
  hasAckQueue = true
  windows = createWindows(null, at.clock)
  windows.seat('window', 'osei')
  begin()
})
afterEach(() => {
  calls.stop()
  announcer.stop()
  windows.stop()
  at.close()
})

const answers = () => at.rows('SELECT body FROM outbox').map(({ body }) => JSON.parse(String(body)) as object)
const call = (delivery_id: string, changes: object = {}) =>
  notified({
    ...{ alert_key: 'elsewhere', channel: 'desktop', to: 'osei', delivery_id, at: at.clock.now() },
    ...changes,
  })

describe('whom the ladder calls at this console', () => {
  it('is told by a notification that names nobody, and the station hears when it was shown, signed', async () => {
    await at.receive(crisis({ session_id: 's', at: noon - minutes(5) }))
    at.clock.advance(minutes(5))
    said = []
    const [alert_key] = at.rows('SELECT key FROM alerts').map(({ key }) => String(key))
    await at.receive(call('d', { alert_key, session_id: 's' }))
    expect(said).toEqual(['Your turn: crisis alert'])
    const [answer, ...more] = answers()
    expect(more).toEqual([])
    expect(toldAtConsoleSchema.parse(answer)).toMatchObject({
      ...{ console_id: 'console-1', school_id: school, session_id: 's', student_hash: hashOf('s'), alert_key },
      ...{ delivery_id: 'd', channel: 'desktop', outcome: 'delivered', to: 'osei', at: noon + minutes(5) },
    })
    expect(isSignedBy(at.keys.public.signing_key, answer as Record<string, unknown>)).toBe(true)
    expect(at.heard.some(({ queued }) => queued)).toBe(true)
  })

  it('is told of an alert that has not come here', async () => {
    await at.receive(call('d'))
    expect(said).toEqual(['Your turn: crisis alert'])
    expect(answers()).toHaveLength(1)
  })

  it('is not told twice of an alert that was announced a moment ago, and the call is answered all the same', async () => {
    await at.receive(crisis({ session_id: 's' }))
    const [alert_key] = at.rows('SELECT key FROM alerts').map(({ key }) => String(key))
    at.clock.advance(seconds(5))
    await at.receive(call('d', { alert_key, session_id: 's' }))
    expect(said).toEqual(['Crisis alert'])
    expect(answers()).toHaveLength(1)
  })

  it('is answered once, however often the call comes, also after a restart', async () => {
    const once = call('d')
    await at.receive(once, once, { ...once, idempotency_key: 'again' })
    calls.stop()
    announcer.stop()
    begin()
    expect(said).toHaveLength(1)
    expect(answers()).toHaveLength(1)
  })

  it('is told however far this clock is from the station’s, and hears nothing of what came with a backlog', async () => {
    await at.receive(call('ahead', { at: noon - minutes(4) }), call('behind', { at: noon + hours(1) }))
    expect(said).toEqual(['Your turn: crisis alert'])
    expect(answers()).toMatchObject([{ delivery_id: 'ahead' }, { delivery_id: 'behind' }])
    await at.receive(call('d', { at: noon - minutes(5) }))
    expect([said.length, answers().length]).toEqual([1, 2])
  })

  it('is not told by who sits down 15 seconds after it came here, nor after a restart: the ladder has gone on', async () => {
    await at.receive(call('d', { at: noon - seconds(20), to: 'reed' }))
    at.clock.advance(seconds(14))
    expect(calls.of('reed')).toHaveLength(1)
    at.clock.advance(seconds(1))
    expect(calls.of('reed')).toEqual([])
    windows.seat('other', 'reed')
    calls.stop()
    announcer.stop()
    begin()
    expect([calls.of('reed'), said, answers()]).toEqual([[], [], []])
  })

  it('hears nothing of somebody who sits elsewhere; who sits down in time is told then', async () => {
    await at.receive(call('d', { to: 'reed' }))
    expect([said, answers()]).toEqual([[], []])
    at.clock.advance(seconds(10))
    windows.seat('other', 'reed')
    expect(answers()).toMatchObject([{ delivery_id: 'd', to: 'reed' }])
  })

  it('is told by another way without a word here, and so is a told past', async () => {
    await at.receive(call('d', { channel: 'sms' }), call('e', { backfill: true }))
    expect([said, answers()]).toEqual([[], []])
  })

  it('is told where nobody can be answered, once', async () => {
    calls.stop()
    announcer.stop()
    hasAckQueue = false
    begin()
    await at.receive(call('d'))
    await at.receive(call('d', { idempotency_key: 'again' }))
    expect([said.length, answers()]).toEqual([1, []])
  })
})

describe('where the page notifies by itself', () => {
  beforeEach(() => {
    takesNotifications = false
  })
  it('a call is answered when a window of that person has shown it, and by nobody else', async () => {
    await at.receive(call('d'))
    expect([said, answers()]).toEqual([[], []])
    expect(calls.of('osei')).toMatchObject([{ delivery_id: 'd', key: null }])
    expect(calls.of('marlow')).toEqual([])
    calls.shown('marlow', ['d'])
    calls.shown('osei', ['another'])
    expect(answers()).toEqual([])
    at.clock.advance(seconds(3))
    calls.shown('osei', ['d'])
    calls.shown('osei', ['d'])
    expect(answers()).toMatchObject([{ delivery_id: 'd', at: new Date(noon + seconds(3)).toISOString() }])
  })

  it('a window that shows it too late is not believed', async () => {
    await at.receive(call('d'))
    at.clock.advance(seconds(15))
    calls.shown('osei', ['d'])
    expect(answers()).toEqual([])
  })
})
