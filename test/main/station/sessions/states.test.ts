import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal, statusAfter } from '../../../../main/station/sessions/index.ts'
import type { SessionStatus } from '../../../../main/store/station/index.ts'
import { cautionWords, crisisWords, intakeSchool } from '../../../support/intake-school.ts'
import { onEachStore } from '../../../support/test-stores.ts'

type Step = { say: string; id?: string | undefined } | 'assistant' | 'end'

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        say: fc.constantFrom('fine', cautionWords, crisisWords),
        id: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      }),
    },
    { weight: 2, arbitrary: fc.constant<Step>('assistant') },
    { weight: 1, arbitrary: fc.constant<Step>('end') },
  ),
  { maxLength: 25 },
)

onEachStore((kind) => {
  it('whatever comes in whatever order: the session’s state follows, no crisis is lost, none is doubled', async () => {
    const at = await intakeSchool({}, kind)
    try {
      await fc.assert(
        fc.asyncProperty(steps, async (walk) => {
          const { session_id } = await at.intake.startSession({ user_id: 'student-1' })
          let status: SessionStatus = 'active'
          const accepted = new Map<string, string>()
          /** Crises under an id that is another message's: each is heard once, however often it comes. */
          const heard = new Set<string>()
          let expectedCrises = 0
          for (const step of walk) {
            if (step === 'end') {
              await at.intake.endSession({ session_id })
              status = 'ended'
              continue
            }
            const isAssistant = step === 'assistant'
            const content = isAssistant ? 'I am here.' : step.say
            const id = isAssistant ? undefined : step.id
            const known = id === undefined ? undefined : accepted.get(id)
            const outcome = await at.intake
              .receive({ session_id, sender: isAssistant ? 'assistant' : 'user', content, client_message_id: id })
              .then(
                () => 'accepted' as const,
                (error: unknown) => (error instanceof Refusal ? error.kind : Promise.reject(error as Error)),
              )

            if (known === content) {
              // Sent again: the first outcome stands, and nothing new is made of it.
              expect(['accepted', 'ended']).toContain(outcome)
            } else if (content === crisisWords && id !== undefined && heard.has(id)) {
              expect(['reused', 'ended']).toContain(outcome)
            } else {
              expect(outcome).toBe(status === 'ended' ? 'ended' : known === undefined ? 'accepted' : 'reused')
              if (content === crisisWords) expectedCrises++
              if (content === crisisWords && known !== undefined && id !== undefined) heard.add(id)
              // A harmless message that was refused is kept nowhere, so its id is still free.
              if (id !== undefined && known === undefined && (outcome === 'accepted' || content !== 'fine'))
                accepted.set(id, content)
              status = statusAfter(status, content === crisisWords ? 'crisis' : 'ok')
            }
            const session = await at.intake.session(session_id)
            expect(session.status).toBe(status)
            expect(session.message_count).toBe(session.buffer.at(-1)?.sequence ?? 0)
          }
          for (const only of ['active', 'ended', 'escalated', undefined] as const) {
            const { total, sessions } = await at.intake.sessions({ status: only, limit: 1_000, offset: 0 })
            expect(total).toBe(sessions.length)
          }
          const own = (await at.events()).filter((event) => 'session_id' in event && event.session_id === session_id)
          expect(own.filter(({ event_type }) => event_type === 'CRISIS_DETECTED')).toHaveLength(expectedCrises)
          expect(own.filter(({ event_type }) => event_type === 'SESSION_ENDED')).toHaveLength(
            status === 'ended' ? 1 : 0,
          )
          const sequences = own.flatMap((event) => (event.event_type === 'MESSAGE_ANALYZED' ? [event.sequence] : []))
          expect(sequences).toEqual(sequences.map((_, index) => index + 1))
          expect(new Set(own.map((event) => event.idempotency_key)).size).toBe(own.length)
        }),
        { numRuns: kind === 'file' ? 60 : 20, seed: 7 },
      )
    } finally {
      await at.close()
    }
  })
})
