import type { LiveIntake } from './ports.ts'

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
    startSession: async (input) => {
      const session = (await post('/sessions', input)) as { session_id?: string; id?: string }
      const session_id = session.session_id ?? session.id
      if (session_id === undefined) throw new RestRefusal(502)
      return { session_id }
    },
    send: ({ session_id, ...message }) => post(`/sessions/${encodeURIComponent(session_id)}/messages`, message),
    endSession: ({ session_id }) => post(`/sessions/${encodeURIComponent(session_id)}/end`, {}),
  }
}

/** The intake answered with something other than success; the body is left unread, it may quote. */
export class RestRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the intake answered ${status}`)
    this.name = 'RestRefusal'
    this.status = status
  }
}
