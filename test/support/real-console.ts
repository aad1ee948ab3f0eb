/** Talks to a running console as its page does: the one-time address for a cookie, then its socket. */
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { WebSocket } from 'ws'
import type { AppRouter } from '../../shared/api.ts'

export async function openPage(address: string) {
  const entered = await fetch(address, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const origin = new URL(address).origin
  class WithCookie extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { cookie, origin } })
    }
  }
  const socket = createWSClient({
    url: `${origin.replace('http', 'ws')}/trpc`,
    WebSocket: WithCookie as unknown as typeof globalThis.WebSocket,
    retryDelayMs: () => 60_000,
  })
  const calls = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] })
  return { calls, close: () => socket.close() }
}
export type Page = Awaited<ReturnType<typeof openPage>>
