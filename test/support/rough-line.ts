/** A line to a server on this machine that can be cut, or go silent, and come back. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface RoughLine {
  /** Address to give to a client in the place of the server's. */
  endpoint: string
  /** `open`; `cut`: connections break, new ones too; `silent`: connections stay, and nothing gets through. */
  become(state: LineState): void
  close(): Promise<void>
}
type LineState = 'open' | 'cut' | 'silent'

export async function roughLine(target: string): Promise<RoughLine> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<[Socket, Socket]>()
  let state: LineState = 'open'
  const apply = ([near, far]: [Socket, Socket]): void => {
    for (const socket of [near, far]) {
      if (state === 'cut') socket.destroy()
      else if (state === 'silent') socket.pause()
      else socket.resume()
    }
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('data', (chunk) => {
        if (!to.destroyed) to.write(chunk)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
    apply(pair)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(next) {
      state = next
      pairs.forEach(apply)
    },
    close() {
      pairs.forEach(([near, far]) => {
        near.destroy()
        far.destroy()
      })
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
