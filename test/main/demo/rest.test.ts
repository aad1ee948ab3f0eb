import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { restIntake } from '../../../main/demo/index.ts'

/** A server that answers as told and remembers what it was asked. */
async function serving(
  answer: { status: number; body: unknown },
  work: (origin: string, asked: Asked[]) => Promise<void>,
) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      asked.push({ path: request.url ?? '', key: request.headers.authorization ?? '', body: JSON.parse(body) })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
type Asked = { path: string; key: string; body: unknown }

describe('the live part over REST', () => {
  it('starts, sends and ends with the key of the desk', () =>
    serving({ status: 200, body: { session_id: 's1', reply: null } }, async (origin, asked) => {
      const live = restIntake({ origin, apiKey: 'key' })
      const metadata = { locale: 'en-US', channel: 'web', device: 'phone' }
      expect(await live.startSession({ user_id: 'NG-1001', metadata })).toEqual({ session_id: 's1' })
      await live.send({ session_id: 's1', sender: 'user', content: 'hi', client_message_id: 'm1' })
      await live.endSession({ session_id: 's1' })
      expect(asked.map(({ path }) => path)).toEqual(['/sessions', '/sessions/s1/messages', '/sessions/s1/end'])
      expect(asked.every(({ key }) => key === 'Bearer key')).toBe(true)
      expect(asked[1]?.body).toEqual({ sender: 'user', content: 'hi', client_message_id: 'm1' })
    }))

  it('says the status of a refusal and nothing of the words', () =>
    serving({ status: 409, body: { error: 'ended' } }, async (origin) => {
      const live = restIntake({ origin, apiKey: 'key' })
      const sending = live.send({ session_id: 's1', sender: 'user', content: 'hi', client_message_id: 'm1' })
      await expect(sending).rejects.toThrow('the intake answered 409')
    }))
})
