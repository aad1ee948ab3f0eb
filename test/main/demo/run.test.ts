import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import {
  loadSchool,
  planHistory,
  planLive,
  runDemonstration,
  type DemonstrationAction,
  type DemonstrationPorts,
} from '../../../main/demo/index.ts'
import { seconds } from '../../../shared/time.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const school = loadSchool(join(import.meta.dirname, '../../../resources/demo'))
const now = new Date('2026-01-20T12:00').getTime()

/** An intake that writes down what it is told. */
function recorder() {
  const clock = virtualClock(now)
  const calls: { call: string; session_id: string; at: number; content?: string; id?: string }[] = []
  const actions: DemonstrationAction[] = []
  let sessions = 0
  let ids = 0
  const ports: DemonstrationPorts = {
    clock,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    randomness: { bytes: (count) => Buffer.alloc(count), uuid: () => `uuid-${ids++}`, fraction: () => 0.5 },
    intake: {
      startSession: async ({ at }) => {
        const session_id = `history-${sessions++}`
        calls.push({ call: 'start', session_id, at })
        return { session_id }
      },
      receive: async ({ session_id, at, content, client_message_id: id }) => {
        calls.push({ call: 'message', session_id, at, content, id })
        return { reply: null }
      },
      endSession: async ({ session_id, at }) => void calls.push({ call: 'end', session_id, at }),
    },
    live: {
      startSession: async () => {
        const session_id = `live-${sessions++}`
        calls.push({ call: 'live start', session_id, at: clock.now() })
        return { session_id }
      },
      send: async ({ session_id, content, client_message_id: id }) => {
        calls.push({ call: 'live message', session_id, at: clock.now(), content, id })
        return { reply: null }
      },
      endSession: async ({ session_id }) => void calls.push({ call: 'live end', session_id, at: clock.now() }),
    },
    act: (action) => void actions.push(action),
  }
  return { clock, calls, actions, ports }
}

const plan = (seed = 1) => ({
  history: planHistory(school, { now, seed }),
  live: planLive(school, { seed }),
})

/** Moves the clock second by second, letting promises settle in between. */
async function pass(clock: ReturnType<typeof virtualClock>, ms: number) {
  for (let left = ms; left > 0; left -= 1000) {
    clock.advance(Math.min(1000, left))
    await setImmediate()
  }
}

describe('playing the demonstration', () => {
  it('plays the whole past in order of time, each session start to end, before it goes live', async () => {
    const { ports, calls, clock } = recorder()
    const onHistoryDone = vi.fn(() => expect(calls.every(({ call }) => !call.startsWith('live'))).toBe(true))
    const planned = plan()
    const demonstration = runDemonstration(ports, planned, onHistoryDone)
    await demonstration.history
    expect(onHistoryDone).toHaveBeenCalledTimes(1)

    const times = calls.map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(calls.filter(({ call }) => call === 'start')).toHaveLength(planned.history.length)
    expect(calls.filter(({ call }) => call === 'message')).toHaveLength(
      planned.history.flatMap((s) => s.messages).length,
    )
    expect(new Set(calls.flatMap(({ id }) => id ?? [])).size).toBe(calls.filter(({ id }) => id).length)

    await pass(clock, seconds(5))
    expect(calls.some(({ call }) => call === 'live start')).toBe(true)
    demonstration.stop()
  })

  it('lets people act only after the session was received, in the order they acted', async () => {
    const { ports, calls, actions } = recorder()
    const heard: [string, number][] = []
    ports.act = async (action) => {
      heard.push([action.session_id, calls.filter(({ session_id }) => session_id === action.session_id).length])
      await setImmediate()
      actions.push(action)
    }
    const planned = plan()
    await runDemonstration(ports, planned).history
    expect(actions).toHaveLength(planned.history.flatMap((session) => session.actions).length)
    for (const [session, callsThen] of heard)
      expect(callsThen).toBe(calls.filter(({ session_id }) => session_id === session).length)
    for (const session of new Set(actions.map(({ session_id }) => session_id))) {
      const times = actions.filter(({ session_id }) => session_id === session).map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    }
  })

  it('gives the event loop its turn after every message', async () => {
    const { ports, calls } = recorder()
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) void setImmediate().then(count)
    }
    count()
    await runDemonstration(ports, plan()).history
    counting = false
    expect(turns).toBeGreaterThan(calls.length / 2)
  })

  it('shows the first crisis within a minute of going live', async () => {
    const { ports, calls, clock } = recorder()
    const demonstration = runDemonstration(ports, plan())
    await demonstration.history
    const wentLive = clock.now()
    await pass(clock, seconds(60))
    const crisis = school.incidents.first.turns.find(({ expected }) => expected === 'crisis')?.text
    const shown = calls.find(({ content }) => content === crisis)
    expect(shown?.call).toBe('live message')
    expect((shown?.at ?? Infinity) - wentLive).toBeLessThan(seconds(60))
    demonstration.stop()
  })

  it('goes on when an action or a live call fails', async () => {
    const { ports, calls, clock } = recorder()
    ports.act = () => {
      throw new Error('no such alert')
    }
    let failures = 0
    const send = ports.live.send
    ports.live.send = async (message) => {
      if (failures++ === 0) throw new Error('connection refused')
      return send(message)
    }
    const demonstration = runDemonstration(ports, plan())
    await demonstration.history
    await pass(clock, seconds(60))
    expect(calls.filter(({ call }) => call === 'live message').length).toBeGreaterThan(5)
    demonstration.stop()
  })

  it('goes live although an action never settles', async () => {
    const { ports, calls, clock } = recorder()
    ports.act = () => new Promise(() => undefined)
    const planned = plan()
    const messages = planned.history.flatMap((session) => session.messages).length
    const demonstration = runDemonstration(ports, planned)
    let done = false
    void demonstration.history.then(() => (done = true))
    // The last of the past is received before the waiting begins.
    while (!done && calls.filter(({ call }) => call === 'message').length < messages) await setImmediate()
    for (let tries = 0; tries < 1000 && !done; tries++) await pass(clock, seconds(1))
    expect(done).toBe(true)
    demonstration.stop()
  })

  it('sends nothing more once stopped, neither past nor live', async () => {
    const early = recorder()
    const stopped = runDemonstration(early.ports, plan())
    stopped.stop()
    await stopped.history
    expect(early.calls.length).toBeLessThanOrEqual(1)

    const { ports, calls, clock } = recorder()
    const demonstration = runDemonstration(ports, plan())
    await demonstration.history
    await pass(clock, seconds(30))
    demonstration.stop()
    const sent = calls.length
    await pass(clock, seconds(120))
    expect(calls).toHaveLength(sent)
  })

  it('moves the script after the machine has slept instead of sending everything at once', async () => {
    const { ports, calls, clock } = recorder()
    let slept = 0
    const sleeper = { ...ports, clock: { ...clock, now: () => clock.now() + slept } }
    const demonstration = runDemonstration(sleeper, plan())
    await demonstration.history
    await pass(clock, seconds(20))
    const before = calls.length
    slept = seconds(3600)
    await pass(clock, seconds(60))
    expect(calls.length - before).toBeGreaterThan(5)
    expect(calls.length - before).toBeLessThan(60)
    demonstration.stop()
  })

  it('shows the protocol reply on a crisis, once, in place of any written answer', async () => {
    const { ports, calls, clock } = recorder()
    const protocol = 'Call or text 988.'
    const { receive } = ports.intake
    const { send } = ports.live
    const alarming = /want to die|end my life/
    ports.intake.receive = async (message) => {
      await receive(message)
      return { reply: message.sender === 'user' && alarming.test(message.content) ? protocol : null }
    }
    ports.live.send = async (message) => {
      await send(message)
      return { reply: message.sender === 'user' && alarming.test(message.content) ? protocol : null }
    }
    // A written answer follows the alarming words of the friend in danger: it is left out.
    const demonstration = runDemonstration(ports, plan())
    await demonstration.history
    await pass(clock, seconds(240))
    for (const [index, { content, session_id }] of calls.entries()) {
      if (content === undefined || !alarming.test(content)) continue
      const [reply, next] = calls.slice(index + 1).filter((call) => call.session_id === session_id && call.content)
      expect(reply?.content).toBe(protocol)
      expect(next?.content).not.toBe(protocol)
      expect(next?.content ?? '').not.toMatch(/^I am (so )?glad/)
    }
    expect(calls.filter(({ content }) => content === protocol).length).toBeGreaterThan(3)
    demonstration.stop()
  })
})
