/** Brings the demonstration school to life: a chat and a console that have no other way into a desk than any have. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { intakeClient, type Target } from '../chat/index.ts'
import type { Ports } from '../platform/ports.ts'
import { openDemonstrationConsole, type ConsoleKeys } from './console.ts'
import { planHistory } from './plan-past.ts'
import { planLive } from './live.ts'
import type { Chat } from './ports.ts'
import { playDemonstration } from './play.ts'
import type { DemonstrationSchool } from './school.ts'

/** The same school every day: only the dates move. */
const seed = 20_260_120

export interface StartOptions {
  school: DemonstrationSchool
  ports: Pick<Ports, 'clock' | 'randomness' | 'logger'>
  /** The desk's station, and a key that may write and tell a past. */
  station: Target
  /** The console at which the past was acted; the school approves it. */
  console: { keys: ConsoleKeys; sqs: SQSClient; eventsQueueUrl: string; acksQueueUrl: string }
  /** How much of the past has been told, 0–1. */
  onProgress(told: number): void
  /**
   * The past is told, as far as it could be; `records`: ids of what people did in it. Called once, when nothing reads
   * the queue any more, and awaited before anything is said live. Not called where it is stopped before.
   */
  onTold(records: readonly string[]): Promise<void>
}

export interface StartedDemonstration {
  /** The past is told, as far as it could be; from here on it is now. */
  live: Promise<void>
  stop(): Promise<void>
}

/** Starts playing. */
export async function startDemonstration(options: StartOptions): Promise<StartedDemonstration> {
  const { school, ports, station, onProgress, onTold } = options
  const { clock, randomness, logger } = ports
  const stopping = new AbortController()
  const client = intakeClient({ target: () => station, clock, signal: stopping.signal, tries: 3 })
  const {
    people,
    school: { id: schoolId },
  } = school
  const console = await openDemonstrationConsole({ ...ports, ...options.console, schoolId, people, client })
  const history = planHistory(school, { now: clock.now(), seed })
  const total = history.reduce((sum, { messages }) => sum + messages.length, 0)
  let ending: Promise<void> | null = null
  const endPast = (): Promise<void> =>
    (ending ??= console
      .renewPlans()
      .finally(() => console.stop())
      .then(() => onTold(console.taken())))
  const demonstration = playDemonstration(
    {
      chat: counting(client, (sent) => onProgress(Math.min(1, sent / total))),
      act: (action) => console.act(action),
      clock,
      randomness,
      logger,
    },
    { history, live: planLive(school, { seed }) },
    endPast,
  )
  const failed = (error: unknown): void => logger.error({ error }, 'the demonstration stopped')
  return {
    live: demonstration.history
      .catch((error: unknown) => {
        failed(error)
        return endPast()
      })
      // Said already, where it was the end itself that failed.
      .catch(() => undefined),
    async stop() {
      stopping.abort()
      demonstration.stop()
      await console.stop()
    },
  }
}

/** Now and then tells how many messages of the past have been sent. */
function counting(chat: Chat, tell: (sent: number) => void): Chat {
  let sent = 0
  return {
    ...chat,
    send(sessionId, message) {
      if (message.at !== undefined && ++sent % 50 === 0) tell(sent)
      return chat.send(sessionId, message)
    },
  }
}
