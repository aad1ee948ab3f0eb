/** A server on loopback that answers as it is told, and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export type Answering = (response: ServerResponse, request: IncomingMessage) => void

export async function httpServer(answering: Answering) {
  const asked: Asked[] = []
  let answer = answering
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
      answer(response, request)
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    answers: (next: Answering) => void (answer = next),
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((closed) => void server.close(() => closed()))
    },
  }
}
export type HttpServer = Awaited<ReturnType<typeof httpServer>>

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Answers as a chat completion whose message is this text. */
export const completion = (content: string): Answering =>
  json({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content } }] })

/** Begins no answer at all. */
export const silence: Answering = () => undefined

/** A body without end, as far as the asker lets it go on; `sent()` is how much went out. */
export function flood(): { answer: Answering; sent: () => number } {
  let sent = 0
  const chunk = Buffer.alloc(16_384, ' ')
  return {
    sent: () => sent,
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
      }
      more()
    },
  }
}
