/** The wire to main, picked once: the shell's message port where there is one, else a WebSocket. */
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import type { AppRouter } from '../../shared/api.ts'
import { deliveredLink } from './delivered.ts'
import { socketOver } from './desk-socket.ts'
import { createPulse } from './pulse.ts'

/**
 * `lost`: there is no socket to main, and another is tried. `silent`: there is one, and main does not answer on it.
 * `refused`: it answers but no longer knows this page, because the console was started anew; only a new address helps.
 */
export type WireState = 'connecting' | 'open' | 'silent' | 'lost' | 'refused'

const desk = window.desk
const pulse = createPulse((silent) => become(silent ? 'silent' : 'open'))
const PlainSocket = desk ? socketOver(desk) : WebSocket

class PulsedSocket extends PlainSocket {
  constructor(url: string | URL) {
    super(url)
    pulse.follow(this)
  }
}

const client = createWSClient({
  url: desk ? 'desk:' : `ws://${location.host}/trpc`,
  WebSocket: PulsedSocket,
  // A console that was restarted is back within seconds; nobody should wait half a minute for it.
  retryDelayMs: (attempt) => Math.min(250 * 2 ** attempt, 5_000),
  onOpen: () => become('open'),
  onClose: () => void lost(),
  onError: () => void lost(),
})

const delivered = deliveredLink({
  answers: () => state === 'open' || state === 'connecting',
  ask: (patience, late) => pulse.ask(patience, late),
  watch: (lost) => watchWire(() => state !== 'open' && lost()),
  now: () => Date.now(),
})

export const trpc = createTRPCClient<AppRouter>({ links: [delivered, wsLink({ client })] })

let state: WireState = 'connecting'
const listeners = new Set<() => void>()

export function wireState(): WireState {
  return state
}

/** Calls `listener` at each change; the answer ends it. */
export function watchWire(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function become(next: WireState): void {
  if (next === state) return
  state = next
  listeners.forEach((listener) => listener())
}

/** How long the page may take to say whether it knows this window (milliseconds). */
const askingLasts = 5_000

async function lost(): Promise<void> {
  // Each try to come back fails while it is refused: that is no news until something else answers.
  if (state !== 'refused') become('lost')
  if (desk) return
  // A refused upgrade looks like no network at all; the page itself says which it is.
  const asking = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(askingLasts) } as const
  const answer = await fetch('/', asking).catch(() => null)
  if (state === 'lost' || state === 'refused') become(answer?.status === 401 ? 'refused' : 'lost')
}
