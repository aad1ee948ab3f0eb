/**
 * What a station takes for Amazon SNS: a server on loopback that keeps texts to telephone numbers, and passes everything
 * else on to the server that has the topic.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpServer } from './http-server.ts'

interface Text {
  number: string
  text: string
}

/** `refused`: numbers that no text reaches, for good. */
export async function textsBesideTopic(topicEndpoint: string, refused: ReadonlySet<string>) {
  const texts: Text[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<void> => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', topicEndpoint), {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body,
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/xml' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = await httpServer((response, request) => {
    const body = server.asked.at(-1)?.body ?? ''
    const asked = new URLSearchParams(body)
    const number = asked.get('PhoneNumber')
    if (number === null) return void pass(request, response, body).catch(() => response.writeHead(502).end())
    if (refused.has(number)) {
      const error = '<Error><Type>Sender</Type><Code>InvalidParameter</Code><Message>no</Message></Error>'
      return void response.writeHead(400, { 'content-type': 'text/xml' }).end(`<ErrorResponse>${error}</ErrorResponse>`)
    }
    texts.push({ number, text: asked.get('Message') ?? '' })
    const result = `<PublishResult><MessageId>text-${texts.length}</MessageId></PublishResult>`
    response.writeHead(200, { 'content-type': 'text/xml' }).end(`<PublishResponse>${result}</PublishResponse>`)
  })
  return { texts, url: server.url, stop: () => server.stop() }
}
