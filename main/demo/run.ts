/** Plays the demonstration school: its history as fast as the pipeline takes it, then live. */
import { setImmediate } from 'node:timers/promises'
import { minutes, seconds } from '../../shared/time.ts'
import type { Cancel } from '../platform/ports.ts'
import type { PlannedSession } from './history.ts'
import type { LiveConversation } from './live.ts'
import type { DemonstrationPorts, HistoryIntake } from './ports.ts'
import { talk, type Said, type Talk } from './talk.ts'

export interface DemonstrationPlan {
  history: PlannedSession[]
  live: Iterator<LiveConversation>
}

export interface Demonstration {
  /** All of the past has been received and acted upon; rejects when the intake refused a message of it. */
  history: Promise<void>
  /** Sends nothing more. */
  stop(): void
}

/** Going live waits for the actions of the past, but not for ever. */
const longestWaitForActions = seconds(30)

/**
 * Plays the history through the intake, then goes live by the clock. The event loop gets its turn after
 * every message, so that windows stay responsive. `onHistoryDone` is called once, before the first live message.
 */
export function runDemonstration(
  ports: DemonstrationPorts,
  plan: DemonstrationPlan,
  onHistoryDone: () => void = () => undefined,
): Demonstration {
  const stopping = new AbortController()
  const history = playHistory(ports, plan.history, stopping.signal).then(() => {
    if (stopping.signal.aborted) return
    ports.logger.info({ sessions: plan.history.length }, 'demonstration history played')
    onHistoryDone()
    playLive(ports, plan.live, stopping.signal)
  })
  return { history, stop: () => stopping.abort() }
}

type Step = { at: number; order: number; run: (played: Played) => void | Promise<unknown> }
/** Ids the intake gave, and the actions under way, by session reference. */
interface Played {
  ids: Map<string, string>
  talks: Map<string, Talk>
  acting: Map<string, Promise<void>>
}

async function playHistory(ports: DemonstrationPorts, sessions: PlannedSession[], stop: AbortSignal): Promise<void> {
  const played: Played = { ids: new Map(), talks: new Map(), acting: new Map() }
  const steps = sessions.flatMap((session) => stepsOf(session, ports))
  steps.sort((a, b) => a.at - b.at || a.order - b.order)
  for (const step of steps) {
    if (stop.aborted) return
    await step.run(played)
    await setImmediate()
  }
  await within(ports, longestWaitForActions, Promise.all(played.acting.values()))
}

/** A session's calls in order; at equal times a start comes before messages, an end after them, actions last. */
function stepsOf(session: PlannedSession, ports: DemonstrationPorts): Step[] {
  const { ref, user_id, metadata, started_at, ended_at } = session
  const intake: HistoryIntake = ports.intake
  const idIn = ({ ids }: Played) => ids.get(ref) as string
  const lastWord = Math.max(started_at, ended_at ?? 0, ...session.messages.map(({ at }) => at))
  return [
    {
      at: started_at,
      order: 0,
      run: async ({ ids }) => {
        const { session_id } = await intake.startSession({ user_id, metadata, at: started_at })
        ids.set(ref, session_id)
      },
    },
    ...session.messages.map(({ at, sender, content }, index) => ({
      at,
      order: 1,
      run: (played: Played) => {
        const talk = talkOf(played, ref, ({ later, ...message }) =>
          intake.receive({ session_id: idIn(played), at: at + later, ...message }),
        )
        return talk({ sender, content, client_message_id: `${ref}-${index}` })
      },
    })),
    ...(ended_at === null
      ? []
      : [
          {
            at: ended_at,
            order: 2,
            run: (played: Played) => intake.endSession({ session_id: idIn(played), at: ended_at }),
          },
        ]),
    ...session.actions.map((action) => ({
      // An acknowledgement in the middle of a session is applied when all of its messages are there.
      at: Math.max(action.at, lastWord),
      order: 3,
      run: (played: Played) => {
        const before = played.acting.get(ref) ?? Promise.resolve()
        const act = async () => ports.act({ session_id: idIn(played), ...action })
        const acting = before.then(act).catch((error: unknown) => {
          ports.logger.warn({ kind: action.kind, error: nameOf(error) }, 'demonstration action failed')
        })
        played.acting.set(ref, acting)
      },
    })),
  ]
}

function talkOf({ talks }: Played, ref: string, send: Parameters<typeof talk>[1]): (message: Said) => Promise<void> {
  const state = talks.get(ref) ?? { answered: false }
  talks.set(ref, state)
  return (message) => talk(state, send, message)
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
  { live, clock, logger, randomness }: DemonstrationPorts,
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
    const { session_id } = await live.startSession({ user_id, metadata })
    const state: Talk = { answered: false }
    for (const [index, { after: moment, sender, content }] of turns.entries()) {
      await until(moment)
      if (stop.aborted) return
      await talk(state, ({ later: _, ...message }) => live.send({ session_id, ...message }), {
        sender,
        content,
        client_message_id: `${run}-${index}`,
      })
    }
    await until(ends)
    if (!stop.aborted) await live.endSession({ session_id })
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
