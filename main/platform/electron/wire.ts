import type { AnyRouter, inferRouterContext } from '@trpc/server'
import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import { ipcMain, type IpcMainEvent, type WebContents } from 'electron'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { logFailedCall } from '../failed-call.ts'
import type { Logger } from '../ports.ts'
import { pageOrigin } from './scheme.ts'

const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open'), connection: z.int() }),
  z.strictObject({ kind: z.literal('text'), connection: z.int(), text: z.string() }),
  z.strictObject({ kind: z.literal('close'), connection: z.int() }),
])

/** A WebSocket as far as tRPC's handler uses one, over the window's message channel. */
class DeskSocket extends EventEmitter {
  readyState = 1
  readonly #post: (message: z.infer<typeof messageSchema>) => void
  readonly #connection: number

  constructor(connection: number, post: (message: z.infer<typeof messageSchema>) => void) {
    super()
    this.#connection = connection
    this.#post = post
  }

  send(text: string): void {
    if (this.readyState === 1) this.#post({ kind: 'text', connection: this.#connection, text })
  }

  close(): void {
    if (this.readyState !== 1) return
    this.#post({ kind: 'close', connection: this.#connection })
    this.end()
  }

  terminate(): void {
    this.close()
  }

  /** The other side has gone. */
  end(): void {
    this.readyState = 3
    this.emit('close')
  }
}

/**
 * Answers the page of one window. A message counts only from the main frame of that window while it shows
 * our own page; connections end when the page is reloaded, navigates, crashes or is destroyed.
 */
export function serveWindow<Router extends AnyRouter>(
  contents: WebContents,
  router: Router,
  createContext: () => inferRouterContext<Router>,
  logger: Logger,
): void {
  const connections = new Map<number, DeskSocket>()
  // The handler reads nothing of the server but its options.
  const connect = getWSConnectionHandler({
    router,
    createContext,
    wss: undefined as unknown as WebSocketServer,
    onError: ({ error, path: call }) => logFailedCall(logger, error, call),
  })
  const post = (message: z.infer<typeof messageSchema>) => {
    if (!contents.isDestroyed()) contents.send('desk', message)
  }
  const endAll = () => {
    for (const socket of connections.values()) socket.end()
    connections.clear()
  }
  const hear = (event: IpcMainEvent, raw: unknown) => {
    if (event.sender !== contents) return
    const frame = event.senderFrame
    const own = frame !== null && frame.parent === null && frame.origin === pageOrigin
    const message = messageSchema.safeParse(raw)
    if (!own || !message.success) return logger.warn({ own, valid: message.success }, 'desk message refused')
    const { connection } = message.data
    if (message.data.kind === 'open') {
      const socket = new DeskSocket(connection, post)
      connections.get(connection)?.end()
      connections.set(connection, socket)
      socket.once('close', () => connections.delete(connection))
      connect(socket as unknown as WebSocket, { url: '/', headers: {} } as IncomingMessage)
      post({ kind: 'open', connection })
    } else if (message.data.kind === 'text')
      connections.get(connection)?.emit('message', Buffer.from(message.data.text), false)
    else connections.get(connection)?.end()
  }
  ipcMain.on('desk', hear)
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) endAll()
  })
  contents.on('render-process-gone', endAll)
  contents.once('destroyed', () => {
    ipcMain.off('desk', hear)
    endAll()
  })
}
