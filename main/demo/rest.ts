import { z } from 'zod'
import type { LiveIntake } from './ports.ts'

const startedSchema = z.object({ session_id: z.string().min(1) })
const receivedSchema = z.object({ reply: z.string().nullable() })

/** The live part as a chat speaks: REST on loopback with the desk's key. `fetch` is passed in for tests. */
export function restIntake(
  { origin, apiKey }: { origin: string; apiKey: string },
  request: typeof fetch = fetch,
): LiveIntake {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await request(new URL(path, origin), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new RestRefusal(answer.status)
    return answer.json()
  }
  return {
    startSession: async (input) => startedSchema.parse(await post('/sessions', input)),
    send: async ({ session_id, ...message }) =>
      receivedSchema.parse(await post(`/sessions/${encodeURIComponent(session_id)}/messages`, message)),
    endSession: ({ session_id }) => post(`/sessions/${encodeURIComponent(session_id)}/end`, {}),
  }
}

/** The intake answered with something other than success; the body is left unread, it may quote. */
class RestRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the intake answered ${status}`)
    this.name = 'RestRefusal'
    this.status = status
  }
}
