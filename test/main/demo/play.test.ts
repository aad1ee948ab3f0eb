import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import {
  loadSchool,
  planHistory,
  planLive,
  playDemonstration,
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
  interface Call {
    call: string
    session_id: string
    at: number
    content?: string
    id?: string
  }
  const calls: Call[] = []
  const students = new Map<string, string>()
  const note = (call: string, session_id: string, at: number | undefined, said: Pick<Call, 'content' | 'id'> = {}) =>
    void calls.push({ call: at === undefined ? `live ${call}` : call, session_id, at: at ?? clock.now(), ...said })
  const actions: DemonstrationAction[] = []
  let sessions = 0
  let ids = 0
  const ports: DemonstrationPorts = {
    clock,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    randomness: { bytes: (count) => Buffer.alloc(count), uuid: () => `uuid-${ids++}`, fraction: () => 0.5 },
    chat: {
      startSession: async ({ user_id, at }) => {
        const session_id = `session-${sessions++}`
        students.set(session_id, user_id)
        note('start', session_id, at)
        return { session_id }
      },
      send: async (session_id, { content, client_message_id: id, at }) => {
        note('message', session_id, at, { content, id })
        return { message_id: id, tier: 'ok', reply: null }
      },
      endSession: async (session_id, at) => note('end', session_id, at),
    },
    act: (action) => void actions.push(action),
  }
  return { clock, calls, students, actions, ports }
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
  it('plays the whole past, each student’s in order of time, before it goes live', async () => {
    const { ports, calls, students, clock } = recorder()
    const onHistoryDone = vi.fn(async () => {
      await setImmediate()
      expect(calls.every(({ call }) => !call.startsWith('live'))).toBe(true)
    })
    const planned = plan()
    const demonstration = playDemonstration(ports, planned, onHistoryDone)
    await demonstration.history
    expect(onHistoryDone).toHaveBeenCalledTimes(1)

    for (const student of new Set(students.values())) {
      const times = calls.filter(({ session_id }) => students.get(session_id) === student).map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    }
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
    await playDemonstration(ports, planned).history
    expect(actions).toHaveLength(planned.history.flatMap((session) => session.actions).length)
    for (const [session, callsThen] of heard)
      expect(callsThen).toBe(calls.filter(({ session_id }) => session_id === session).length)
    for (const session of new Set(actions.map(({ session_id }) => session_id))) {
      const times = actions.filter(({ session_id }) => session_id === session).map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    }
  })

  it('gives the event loop its turn after the messages that are sent side by side', async () => {
    const { ports, calls } = recorder()
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) void setImmediate().then(count)
    }
    count()
    await playDemonstration(ports, plan()).history
    counting = false
    expect(turns).toBeGreaterThan(calls.length / 16)
  })

  it('shows the first crisis within a minute of going live', async () => {
    const { ports, calls, clock } = recorder()
    const demonstration = playDemonstration(ports, plan())
    await demonstration.history
    const wentLive = clock.now()
    await pass(clock, seconds(60))
    const crisis = school.incidents.first.turns.find(({ expected }) => expected === 'crisis')?.text
    const shown = calls.find(({ content }) => content === crisis)
    expect(shown?.call).toBe('live message')
    expect((shown?.at ?? Infinity) - wentLive).toBeLessThan(seconds(60))
    demonstration.stop()
  })

  it('tells several sessions side by side, so that the station commits them together', async () => {
    const { ports } = recorder()
    let underWay = 0
    let most = 0
    const { send } = ports.chat
    ports.chat.send = async (session, message) => {
      most = Math.max(most, ++underWay)
      await setImmediate()
      underWay -= 1
      return send(session, message)
    }
    await playDemonstration(ports, plan()).history
    expect(most).toBe(8)
  })

  it('says of each action what its session has raised', async () => {
    const { ports, actions } = recorder()
    const { send } = ports.chat
    ports.chat.send = async (session, message) => {
      const answer = await send(session, message)
      return { ...answer, tier: /want to die|end my life/.test(message.content) ? ('crisis' as const) : answer.tier }
    }
    await playDemonstration(ports, plan()).history
    const raised = actions.flatMap((action) => action.raised)
    expect(raised.length).toBeGreaterThan(0)
    expect(new Set(raised.map(({ tier }) => tier))).toEqual(new Set(['crisis']))
  })

  it('ends where the station refuses a part of the past, and tells no more of it', async () => {
    const { ports, calls } = recorder()
    const { send } = ports.chat
    ports.chat.send = async (session, message) => {
      if (calls.length > 100) throw new Error('refused')
      return send(session, message)
    }
    const onHistoryDone = vi.fn()
    await expect(playDemonstration(ports, plan(), onHistoryDone).history).rejects.toThrow('refused')
    const told = calls.length
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    expect(calls).toHaveLength(told)
    expect(onHistoryDone).not.toHaveBeenCalled()
  })

  it('goes on when an action or a live call fails', async () => {
    const { ports, calls, clock } = recorder()
    ports.act = () => {
      throw new Error('no such alert')
    }
    let failures = 0
    const { send } = ports.chat
    ports.chat.send = async (session, message) => {
      if (message.at === undefined && failures++ === 0) throw new Error('connection refused')
      return send(session, message)
    }
    const demonstration = playDemonstration(ports, plan())
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
    const demonstration = playDemonstration(ports, planned)
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
    const stopped = playDemonstration(early.ports, plan())
    stopped.stop()
    await stopped.history
    expect(early.calls).toEqual([])

    const { ports, calls, clock } = recorder()
    const demonstration = playDemonstration(ports, plan())
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
    const demonstration = playDemonstration(sleeper, plan())
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
    const { send } = ports.chat
    const alarming = /want to die|end my life/
    ports.chat.send = async (session, message) => {
      const answer = await send(session, message)
      return { ...answer, reply: message.sender === 'user' && alarming.test(message.content) ? protocol : null }
    }
    // A written answer follows the alarming words of the friend in danger: it is left out.
    const demonstration = playDemonstration(ports, plan())
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
