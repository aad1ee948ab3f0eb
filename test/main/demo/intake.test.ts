import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intakeClient } from '../../../main/chat/index.ts'
import { loadSchool, planHistory, planLive, playDemonstration, type PlannedSession } from '../../../main/demo/index.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import type { MessageAnalyzed } from '../../../shared/events.ts'
import { tierRank } from '../../../shared/risk.ts'
import { seconds } from '../../../shared/time.ts'
import { engine } from '../../evaluation/engine.ts'
import { intakeSchool, type IntakeSchool } from '../../support/intake-school.ts'

const resources = join(import.meta.dirname, '../../../resources')
const school = loadSchool(join(resources, 'demo'))

/** The demonstration through the product's intake and engine, over REST, on a real database. */
describe('the demonstration school at the real intake', () => {
  const key = 'a-key-that-tells-a-past'
  const stopping = new AbortController()
  let served: { url: string; close: () => Promise<void> }
  let desk: IntakeSchool
  let history: PlannedSession[]
  let analyzed: MessageAnalyzed[]

  beforeAll(async () => {
    desk = await intakeSchool({ engine })
    history = planHistory(school, { now: desk.clock.now(), seed: 1 })
    served = await serveIntake(desk.serverOptions(`${key}::write+backfill`), { host: '127.0.0.1', port: 0 })
    const demonstration = playDemonstration(
      {
        chat: intakeClient({
          target: () => ({ url: served.url, key }),
          clock: desk.clock,
          signal: stopping.signal,
          tries: 1,
        }),
        act: () => undefined,
        clock: desk.clock,
        randomness: desk.options.randomness,
        logger: desk.logger,
      },
      { history, live: planLive(school, { seed: 1 }) },
    )
    await demonstration.history
    demonstration.stop()
    analyzed = await analyses(desk)
  }, 60_000)
  afterAll(async () => {
    stopping.abort()
    await served.close()
    await desk.close()
  })

  it('has every message of its past accepted, each with its past time', async () => {
    const accepted = new Set(analyzed.map(({ timestamp }) => timestamp))
    for (const { messages, ref } of history)
      for (const { at, sender } of messages) if (sender === 'user') expect(accepted.has(at), ref).toBe(true)
    expect((await desk.events()).filter(({ event_type }) => event_type === 'SESSION_STARTED')).toHaveLength(
      history.length,
    )
  })

  it('raises what the stories mean to raise, and nothing else', () => {
    const tierAt = new Map(analyzed.filter(({ role }) => role === 'student').map((one) => [one.timestamp, one.tier]))
    const surprises = history.flatMap(({ ref, messages }) =>
      messages.flatMap(({ at, sender, expected, content }) => {
        const tier = tierAt.get(at) ?? 'ok'
        const highest = ref.startsWith('everyday') ? 'ok' : 'caution'
        const fits = expected === null ? tierRank(tier) <= tierRank(highest) : tier === expected
        return sender === 'assistant' || fits ? [] : [`${ref}: ${expected ?? highest} expected, ${tier}: ${content}`]
      }),
    )
    expect(surprises).toEqual([])
  })

  it('shows the protocol reply after every crisis of its past', () => {
    const crises = analyzed.filter(({ tier }) => tier === 'crisis')
    expect(crises.length).toBeGreaterThanOrEqual(5)
    for (const crisis of crises) {
      const reply = analyzed.find(
        ({ session_id, sequence }) => session_id === crisis.session_id && sequence === crisis.sequence + 1,
      )
      expect(reply?.role).toBe('assistant')
      expect(reply?.timestamp).toBe(crisis.timestamp + seconds(1))
    }
  })

  it('raises from every live conversation what it is meant to', async () => {
    const { first, second, later } = school.incidents
    const quiet = school.everyday.conversations
    const surprises: string[] = []
    for (const [index, { turns }] of [first, second, ...later, ...quiet].entries()) {
      const student = index === 0 ? (first.student as string) : `somebody-${index}`
      const { session_id } = await desk.intake.startSession({ user_id: student })
      for (const { role, text, expected } of turns) {
        const sender = role === 'student' ? 'user' : 'assistant'
        const { tier } = await desk.intake.receive({ session_id, sender, content: text })
        const highest = index < 2 + later.length ? 'caution' : 'ok'
        const fits = expected === null ? tierRank(tier) <= tierRank(highest) : tier === expected
        if (sender === 'user' && !fits) surprises.push(`${expected ?? highest} expected, ${tier}: ${text}`)
      }
    }
    expect(surprises).toEqual([])
  })
})

async function analyses(desk: IntakeSchool): Promise<MessageAnalyzed[]> {
  return (await desk.events()).flatMap((event) => (event.event_type === 'MESSAGE_ANALYZED' ? [event] : []))
}
