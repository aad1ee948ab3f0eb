/** The few REST calls that a replay makes, with patience where the intake asks for it. */
import { z } from 'zod'
import { riskTierSchema, type RiskTier } from '../../shared/risk.ts'
import { seconds } from '../../shared/time.ts'
import type { Clock } from '../platform/ports.ts'
import { pause } from './pause.ts'
import type { Turn } from './transcripts.ts'

/** The intake did not answer, or refuses every call: nothing more can be sent. */
export class CallFailed extends Error {}

export interface IntakeClient {
  start(student: string): Promise<string>
  /** The tier of the message, or the status with which it was refused. */
  say(
    session: string,
    turn: Turn,
    clientMessageId: string,
  ): Promise<{ tier: RiskTier; refused?: never } | { refused: number }>
  end(session: string): Promise<void>
}

interface ClientOptions {
  url: string
  key: string
  clock: Clock
  signal: AbortSignal
}

const startedSchema = z.object({ session_id: z.string() })
const answerSchema = z.object({ tier: riskTierSchema })
/** Times a call is tried while nobody answers, a second apart. */
const tries = 3

export function intakeClient({ url, key, clock, signal }: ClientOptions): IntakeClient {
  async function post(path: string, body: unknown): Promise<Response> {
    for (let attempt = 1; ;) {
      let response: Response
      try {
        response = await fetch(new URL(path, url), {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(seconds(30)),
        })
      } catch (error) {
        if (attempt++ >= tries || signal.aborted)
          throw new CallFailed('The intake does not answer. Is the console still running?', { cause: error })
        await pause(clock, seconds(1), signal)
        continue
      }
      if (response.status === 401 || response.status === 403)
        throw new CallFailed(`The intake refuses this key (${response.status}). Pass one that may write with --key.`)
      if (response.status !== 429 || signal.aborted) return response
      await response.body?.cancel()
      await pause(clock, seconds(Number(response.headers.get('retry-after')) || 1), signal)
    }
  }

  return {
    async start(student) {
      const response = await post('/sessions', { user_id: student })
      const started = startedSchema.safeParse(await response.json().catch(() => null))
      if (!started.success)
        throw new CallFailed(`The intake opened no session (${response.status}). Does --url name an intake?`)
      return started.data.session_id
    },
    async say(session, { sender, text }, client_message_id) {
      const response = await post(`/sessions/${session}/messages`, { sender, content: text, client_message_id })
      const answer = answerSchema.safeParse(await response.json().catch(() => null))
      return response.ok && answer.success ? { tier: answer.data.tier } : { refused: response.status }
    },
    async end(session) {
      const response = await post(`/sessions/${session}/end`, {})
      await response.body?.cancel()
    },
  }
}
