/**
 * Whether main answers over a socket that is open: a frozen program keeps its sockets, and looks connected for
 * minutes. Main answers “PING” with “PONG” (tRPC's own), in the order in which it read what was sent before.
 */

/** A socket as far as the pulse uses one. */
export interface PulsedSocket {
  send(text: string): void
  addEventListener(type: 'open' | 'close', hear: () => void): void
  addEventListener(type: 'message', hear: (event: { data?: unknown }) => void): void
}

export interface Pulse {
  /** Takes the pulse of this socket, the newest, while it is open. */
  follow(socket: PulsedSocket): void
  /** Asks once more, behind whatever was sent until now, and calls `late` where no answer comes in time (milliseconds); the answer ends it. */
  ask(patience: number, late: () => void): () => void
}

/** How often it is looked, main is asked, and how long it may take to answer (milliseconds); red within 10 s in all. */
const lookEvery = 500
const askEvery = 2_000
const silentAfter = 7_000

interface Asked {
  at: number
  /** Looks since: where the machine slept, the clock has run on and nobody could answer. */
  looks: number
  answered: (() => void) | null
}

/** `say` hears when main falls silent and when it answers again; a socket that closes is no news of its own. */
export function createPulse(say: (silent: boolean) => void, now: () => number = () => performance.now()): Pulse {
  let following: PulsedSocket | null = null
  let asked: Asked[] = []
  let last = -Infinity
  let silent = false
  let looking: ReturnType<typeof setInterval> | null = null

  const ask = (socket: PulsedSocket, answered: Asked['answered'] = null): void => {
    last = now()
    asked.push({ at: last, looks: 0, answered })
    socket.send('PING')
  }
  const become = (next: boolean): void => {
    if (next === silent) return
    silent = next
    say(silent)
  }
  const look = (socket: PulsedSocket): void => {
    for (const each of asked) each.looks += 1
    const oldest = asked[0]
    if (oldest === undefined) {
      if (now() - last >= askEvery) ask(socket)
    } else if (now() - oldest.at >= silentAfter && oldest.looks > 2) become(true)
  }
  const end = (): void => {
    if (looking) clearInterval(looking)
    looking = null
    following = null
    asked = []
    silent = false
  }

  return {
    follow(socket) {
      socket.addEventListener('open', () => {
        end()
        following = socket
        looking = setInterval(() => look(socket), lookEvery)
        ask(socket)
      })
      socket.addEventListener('message', ({ data }) => {
        if (data !== 'PONG' || socket !== following) return
        asked.shift()?.answered?.()
        become(false)
      })
      socket.addEventListener('close', () => {
        if (socket === following) end()
      })
    },
    ask(patience, late) {
      const timer = setTimeout(late, patience)
      const stop = () => clearTimeout(timer)
      if (following) ask(following, stop)
      return stop
    },
  }
}
