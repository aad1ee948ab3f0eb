import fastifyStatic from '@fastify/static'
import type { AnyRouter, inferRouterContext } from '@trpc/server'
import { applyWSSHandler } from '@trpc/server/adapters/ws'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { ConsoleError } from '../../../shared/errors.ts'
import { logFailedCall } from '../failed-call.ts'
import type { Logger, Randomness } from '../ports.ts'
import { againPath, type Opening } from '../window-file.ts'
import { closedPage, closedPagePolicy, enterPage } from './closed-page.ts'
import { cookieName, createAdmission, isSame, readCookie } from './cookies.ts'
import { contentSecurityPolicy, fixedHeaders, isOwn } from './policy.ts'

/** Where the page opens its socket. */
const socketPath = '/trpc'

/** The largest message a page may send, bytes: a roster file of a large district. */
const largestMessage = 16 * 1024 * 1024

export interface BrowserHost {
  port: number
  /** A new address that opens the console once; the one before it, if unused, opens nothing any more. */
  address(): string
  /** Answers the page's calls from now on; until then its socket is refused and it tries again. */
  serve<Router extends AnyRouter>(router: Router, contextFor: (windowId: string) => inferRouterContext<Router>): void
  /** Whoever shows it on `againPath` is given a new address, once the host was told what it opens as. */
  secret: string
  opensAs(what: Opening['what']): void
  close(): Promise<void>
}

export interface BrowserHostOptions {
  /** The first of these that is free; 0 = any free one. */
  ports: readonly [number, ...number[]]
  /** Folder of the built page. */
  pageDir: string
  randomness: Randomness
  logger: Logger
}

/**
 * Serves the page and its socket on one port of 127.0.0.1, to whoever holds the cookie that a
 * one-time address was exchanged for. Throws ConsoleError `port_taken` or `port_refused`.
 */
export async function openBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const [port, ...others] = options.ports
  try {
    return await openAt(port, options)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !(error instanceof ConsoleError)) throw error
    return openBrowserHost({ ...options, ports: [next, ...rest] })
  }
}

async function openAt(port: number, { pageDir, randomness, logger }: BrowserHostOptions): Promise<BrowserHost> {
  const admission = createAdmission(randomness)
  const app = fastify({ forceCloseConnections: true })
  const bound = () => (app.server.address() as { port: number }).port
  const address = () => `http://127.0.0.1:${bound()}/?token=${admission.mint()}`
  const secret = randomness.bytes(32).toString('base64url')
  let what: Opening['what'] | null = null
  const windowOf = (headers: IncomingMessage['headers']) =>
    admission.windowOf(readCookie(headers.cookie, cookieName(bound())))

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...fixedHeaders, 'cache-control': 'no-store' })
    if (!isOwn(request.headers, bound(), false)) return reply.code(403).type('text/plain').send('Not this host.\n')
    if (isAgain(request)) {
      // A second start is no page: it names no origin.
      const given = request.headers.authorization ?? ''
      if (request.headers.origin === undefined && isSame(given, `Bearer ${secret}`)) return
      return reply.code(403).type('text/plain').send('Not for you.\n')
    }
    const token = tokenIn(request)
    if (windowOf(request.headers) !== null) {
      if (token !== null) {
        admission.spend(token)
        return reply.redirect('/', 303)
      }
      void reply.header('content-security-policy', contentSecurityPolicy(`ws://${request.headers.host}`))
      return
    }
    const cookie = token === null || request.method !== 'GET' ? null : admission.exchange(token)
    if (cookie === null) return closed(reply, 401, closedPage)
    void reply.header('set-cookie', `${cookieName(bound())}=${cookie}; HttpOnly; SameSite=Strict; Path=/`)
    return request.headers['sec-fetch-site'] === 'cross-site' ? closed(reply, 200, enterPage) : reply.redirect('/', 303)
  })
  app.head(againPath, (_request, reply) => reply.code(what === null ? 503 : 204).send())
  app.post(againPath, (_request, reply) =>
    what === null ? reply.code(503).send() : reply.send({ what, address: address() } satisfies Opening),
  )
  await app.register(fastifyStatic, {
    root: pageDir,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names of built assets hold a digest of what is in them.
      if (/[\\/]assets[\\/]/.test(path)) void reply.header('cache-control', 'private, max-age=31536000, immutable')
    },
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('Nothing here.\n'))
  app.setErrorHandler((error, _request, reply) => {
    logger.error({ error }, 'page')
    return reply.code(500).type('text/plain').send('The page could not be read. Stop the console and start it again.\n')
  })

  await listen(app, port)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage, perMessageDeflate: false })
  let serving = false
  const windows = new WeakMap<IncomingMessage, string>()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    socket.on('error', () => socket.destroy())
    if (!isOwn(request.headers, bound(), true)) return refuse('403 Forbidden')
    const windowId = windowOf(request.headers)
    if (windowId === null) return refuse('401 Unauthorized')
    if (!serving || request.url?.split('?')[0] !== socketPath) return refuse('503 Service Unavailable')
    windows.set(request, windowId)
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request))
  })

  return {
    port: bound(),
    address,
    serve(router, contextFor) {
      applyWSSHandler({
        wss: sockets,
        router,
        createContext: ({ req }) => contextFor(windows.get(req) ?? ''),
        keepAlive: { enabled: true },
        onError: ({ error, path: call }) => logFailedCall(logger, error, call),
      })
      serving = true
    },
    secret,
    opensAs: (now) => void (what = now),
    async close() {
      for (const client of sockets.clients) client.close(1001)
      sockets.close()
      for (const client of sockets.clients) client.terminate()
      await app.close()
    },
  }
}

function closed(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).header('content-security-policy', closedPagePolicy).type('text/html').send(page)
}

function isAgain({ method, url }: FastifyRequest): boolean {
  return url === againPath && (method === 'POST' || method === 'HEAD')
}

function tokenIn(request: FastifyRequest): string | null {
  return new URL(request.url, 'http://127.0.0.1').searchParams.get('token')
}

async function listen(app: FastifyInstance, port: number): Promise<void> {
  try {
    await app.listen({ host: '127.0.0.1', port })
  } catch (cause) {
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new ConsoleError(
      {
        code: taken ? 'port_taken' : 'port_refused',
        happened: taken
          ? `Port ${port} on this machine is in use by another program, perhaps a console that is already running.`
          : `This machine does not let the console use port ${port}.`,
        safe: 'Nothing was opened or changed.',
        todo: 'Start with `--port 0` to use any free port, or choose another one.',
      },
      { cause },
    )
  }
}
