import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSchool, planHistory, planLive, restIntake, runDemonstration } from '../../../main/demo/index.ts'
import { serveIntake } from '../../../main/intake/index.ts'
import { intakeSchool, type IntakeSchool } from '../../support/intake-school.ts'

const school = loadSchool(join(import.meta.dirname, '../../../resources/demo'))

/** The demonstration through the intake of the product, on a real database. */
describe('the demonstration school at the real intake', () => {
  let desk: IntakeSchool
  beforeAll(() => {
    desk = intakeSchool()
  })
  afterAll(() => desk.close())

  it('has every message of its past accepted, each with its past time', async () => {
    const now = desk.clock.now()
    const history = planHistory(school, { now, seed: 1 })
    const demonstration = runDemonstration(
      {
        intake: desk.intake,
        live: {
          startSession: () => Promise.reject(new Error('not live here')),
          send: () => Promise.reject(new Error('not live here')),
          endSession: () => Promise.reject(new Error('not live here')),
        },
        act: () => undefined,
        clock: desk.clock,
        randomness: desk.options.randomness,
        log: desk.log,
      },
      { history, live: planLive(school, { seed: 1 }) },
    )
    await demonstration.history
    demonstration.stop()

    const analyzed = desk.events().filter(({ event_type }) => event_type === 'MESSAGE_ANALYZED')
    const planned = history.flatMap(({ messages }) => messages.map(({ at }) => at))
    expect(analyzed.map(({ timestamp }) => timestamp).sort()).toEqual(planned.sort())
    expect(desk.events().filter(({ event_type }) => event_type === 'SESSION_STARTED')).toHaveLength(history.length)
  })

  it('speaks the REST that the intake serves', async () => {
    const { log, clock } = desk
    const { url, close } = await serveIntake(desk.intake, {
      host: '127.0.0.1',
      port: 0,
      keys: [{ key: 'a-key-of-the-desk', school_id: null, scopes: ['read', 'write'] }],
      log,
      clock,
      randomness: desk.options.randomness,
    })
    try {
      const live = restIntake({ origin: url, apiKey: 'a-key-of-the-desk' })
      const metadata = { locale: 'en-US', channel: 'web', device: 'phone' }
      const { session_id } = await live.startSession({ user_id: 'NG-1001', metadata })
      const words = { session_id, sender: 'user', content: 'good morning', client_message_id: 'm1' } as const
      expect(await live.send(words)).toEqual({ reply: null })
      await live.endSession({ session_id })
      expect(desk.intake.session(session_id)?.status).toBe('ended')
    } finally {
      await close()
    }
  })
})
