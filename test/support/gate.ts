/** A way to a server on loopback that can be cut: connections end at once, and new ones too, until it is open again. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export async function openGate(target: string) {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((incoming) => {
    keep(incoming)
    if (isCut) return void incoming.destroy()
    const outgoing = connect(Number(port), '127.0.0.1')
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    open: () => void (isCut = false),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => void server.close(() => closed()))
    },
  }
}
