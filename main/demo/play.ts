/** Plays the demonstration school: its history as fast as the station takes it, then live. */
import { setImmediate } from 'node:timers/promises'
import { minutes } from '../../shared/time.ts'
import type { Cancel } from '../platform/ports.ts'
import type { PlannedSession } from './plan-past.ts'
import type { LiveConversation } from './live.ts'
import type { DemonstrationPorts, Raised, Received } from './ports.ts'
import { talk, type Talk } from './talk.ts'

export interface DemonstrationPlan {
  /** In order of their start. */
  history: PlannedSession[]
  live: Iterator<LiveConversation>
}

export interface Demonstration {
  /**
   * All of the past has been received and acted upon, and `onHistoryDone` has settled; rejects when the station
   * refused a part of it.
   */
  history: Promise<void>
  /** Sends nothing more. */
  stop(): void
}

/** Going live waits for the actions of the past, but not for ever: a busy machine may take its time. */
const longestWaitForActions = minutes(3)

/** Sessions of the past that are told side by side: the station commits together what comes together. */
const toldAtOnce = 8

/**
 * Tells the history, then goes live by the clock. The event loop gets its turn after every message, so that windows
 * stay responsive. `onHistoryDone` is called once, and awaited before the first live message.
 */
export function playDemonstration(
  ports: DemonstrationPorts,
  plan: DemonstrationPlan,
  onHistoryDone: () => void | Promise<void> = () => undefined,
): Demonstration {
  const stopping = new AbortController()
  const history = playHistory(ports, plan.history, stopping.signal).then(async () => {
    if (stopping.signal.aborted) return
    ports.logger.info({ sessions: plan.history.length }, 'demonstration history played')
    await onHistoryDone()
    playLive(ports, plan.live, stopping.signal)
  })
  return { history, stop: () => stopping.abort() }
}

/** A student's sessions one after the other, those of several students side by side. */
async function playHistory(ports: DemonstrationPorts, sessions: PlannedSession[], stop: AbortSignal): Promise<void> {
  const failing = new AbortController()
  const ended = AbortSignal.any([stop, failing.signal])
  const latest = new Map<string, Promise<void>>()
  const acting: Promise<void>[] = []
  const play = async (session: PlannedSession, before: Promise<void> | undefined): Promise<void> => {
    await before
    if (ended.aborted) return
    const played = await playSession(ports, session, ended)
    if (played) acting.push(actOn(ports, session, played, stop))
  }
  const waiting = sessions.values()
  const lane = async (): Promise<void> => {
    for (const session of waiting) {
      if (ended.aborted) return
      const playing = play(session, latest.get(session.user_id))
      latest.set(session.user_id, playing)
      await playing
    }
  }
  try {
    await Promise.all(Array.from({ length: toldAtOnce }, lane))
  } finally {
    // Where one was refused, the others end as well.
    failing.abort()
  }
  if (!stop.aborted) await within(ports, longestWaitForActions, Promise.all(acting))
}

interface PlayedSession {
  session_id: string
  raised: Raised[]
}

/** Tells one session of the past from its start to its end; null where it was stopped in between. */
async function playSession(
  { chat }: DemonstrationPorts,
  { ref, user_id, metadata, started_at, messages, ended_at }: PlannedSession,
  stop: AbortSignal,
): Promise<PlayedSession | null> {
  const { session_id } = await chat.startSession({ user_id, metadata, at: started_at })
  const raised: Raised[] = []
  const state: Talk = { answered: false }
  for (const [index, { at, sender, content }] of messages.entries()) {
    if (stop.aborted) return null
    const send = async ({ later, ...message }: Parameters<Parameters<typeof talk>[1]>[0]): Promise<Received> => {
      const answer = await chat.send(session_id, { ...message, at: at + later })
      const { message_id, tier } = answer
      if (message_id !== null && (tier === 'high' || tier === 'crisis')) raised.push({ message_id, tier })
      return answer
    }
    await talk(state, send, { sender, content, client_message_id: `${ref}-${index}` })
    await setImmediate()
  }
  if (stop.aborted) return null
  if (ended_at !== null) await chat.endSession(session_id, ended_at)
  return { session_id, raised }
}

/** What was done about a session, one after the other; what fails is said, and the rest is done. */
async function actOn(
  ports: DemonstrationPorts,
  { actions }: PlannedSession,
  played: PlayedSession,
  stop: AbortSignal,
): Promise<void> {
  for (const action of actions) {
    if (stop.aborted) return
    try {
      await ports.act({ ...played, ...action })
    } catch (error) {
      if (!stop.aborted) ports.logger.warn({ kind: action.kind, error: nameOf(error) }, 'demonstration action failed')
    }
  }
}

function playLive(ports: DemonstrationPorts, script: Iterator<LiveConversation>, stop: AbortSignal): void {
  const began = ports.clock.now()
  const waiting = new Set<Cancel>()
  const after = (delay: number, work: () => void) => {
    if (stop.aborted) return
    const cancel = ports.clock.after(delay, () => {
      waiting.delete(cancel)
      work()
    })
    waiting.add(cancel)
  }
  stop.addEventListener('abort', () => waiting.forEach((cancel) => cancel()), { once: true })

  /** Seconds of lateness (a machine that slept) move the script instead of being caught up in a burst. */
  let shift = 0
  const scheduleNext = () => {
    const next = script.next()
    if (next.done) return
    const late = ports.clock.now() - (began + shift + next.value.starts)
    if (late > minutes(1)) shift += late
    after(Math.max(0, began + shift + next.value.starts - ports.clock.now()), () => {
      void playConversation(ports, next.value, after, stop)
      scheduleNext()
    })
  }
  scheduleNext()
}

/** Plays one live conversation; one that fails is dropped and said so, the script goes on. */
async function playConversation(
  { chat, clock, logger, randomness }: DemonstrationPorts,
  { user_id, metadata, turns, ends }: LiveConversation,
  after: (delay: number, work: () => void) => void,
  stop: AbortSignal,
): Promise<void> {
  const began = clock.now()
  const until = (moment: number) =>
    new Promise<void>((resolve) => after(Math.max(0, began + moment - clock.now()), resolve))
  // A fresh name per run: the intake keeps the client's ids for ever, and a script repeats its own.
  const run = randomness.uuid()
  try {
    const { session_id } = await chat.startSession({ user_id, metadata })
    const state: Talk = { answered: false }
    for (const [index, { after: moment, sender, content }] of turns.entries()) {
      await until(moment)
      if (stop.aborted) return
      await talk(state, ({ later: _, ...message }) => chat.send(session_id, message), {
        sender,
        content,
        client_message_id: `${run}-${index}`,
      })
    }
    await until(ends)
    if (!stop.aborted) await chat.endSession(session_id)
  } catch (error) {
    if (!stop.aborted) logger.warn({ error: nameOf(error) }, 'demonstration conversation dropped')
  }
}

/** Waits for work at most so long. */
async function within({ clock, logger }: DemonstrationPorts, limit: number, work: Promise<unknown>): Promise<void> {
  let cancel: Cancel = () => undefined
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(limit, () => resolve('late'))
  })
  if ((await Promise.race([work, late])) === 'late') logger.warn({}, 'demonstration actions are still waiting')
  cancel()
}

/** Only the kind of an error goes to the log: its message may quote. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
