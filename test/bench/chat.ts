import { Agent, request } from 'node:http'

/** Calls of a chat over connections that stay open, as its server keeps them: `connections` at most. */
export function openChat(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = (key: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const asked = request(new URL(path, url), { method, agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          if (response.statusCode === 200 || response.statusCode === 201)
            resolve(JSON.parse(answer) as Record<string, unknown>)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
        })
      })
      asked.on('error', reject)
      asked.end(text)
    })
  return {
    get: (key: string, path: string) => call(key, 'GET', path),
    post: (key: string, path: string, body: object) => call(key, 'POST', path, body),
    close: () => agent.destroy(),
  }
}
