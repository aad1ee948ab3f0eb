/** Brings the demonstration school to life in a running desk: the past in process, the present over REST. */
import { actionSchema } from '../../shared/actions.ts'
import { seconds } from '../../shared/time.ts'
import type { Lifecycle } from '../console/alerts/index.ts'
import { importRoster, type People } from '../console/identity/index.ts'
import type { Clock, Ports } from '../platform/ports.ts'
import type { Station } from '../station/index.ts'
import { waitForDisk, type Database } from '../store/console/index.ts'
import { planHistory } from './history.ts'
import { planLive } from './live.ts'
import type { DemonstrationAction, HistoryIntake } from './ports.ts'
import { restIntake } from './rest.ts'
import { runDemonstration } from './run.ts'
import type { DemonstrationSchool } from './school.ts'

/** The same school every day: only the dates move. */
const seed = 20_260_120
const commitPatience = seconds(20)

export interface StartOptions {
  school: DemonstrationSchool
  ports: Ports
  db: Database
  station: Station
  lifecycle: Lifecycle
  people: People
  /** How much of the past has been told, 0–1. */
  onProgress(told: number): void
}

export interface StartedDemonstration {
  /** The past is told, as far as it could be; from here on it is now. */
  live: Promise<void>
  stop(): void
}

/** Imports the roster and starts playing. */
export function startDemonstration(options: StartOptions): StartedDemonstration {
  const { school, ports, db, station, lifecycle, people } = options
  const { clock, randomness, logger } = ports
  importRoster(db, { csv: school.rosterCsv, salt: station.salt }, school.school.id, clock.now())

  const act = async (action: DemonstrationAction): Promise<void> => {
    await committed(station, clock, action.session_id)
    const by = people.find(action.by)
    if (!by) return
    for (const alert of lifecycle.ofSession(school.school.id, action.session_id)) {
      if (alert.state === 'resolved' || (action.kind === 'acknowledged' && alert.state === 'acknowledged')) continue
      const { at, kind, next_action, due_at, note, disposition } = action
      const done = actionSchema.parse({ action: kind, next_action, due_at, note, disposition })
      lifecycle.act(alert.key, by, { ...done, at })
    }
  }
  // The past is invented anew at each start: a power cut may take it, so the disk is not waited for.
  waitForDisk(db, false)
  station.waitForDisk(false)
  const past = planHistory(school, { now: clock.now(), seed })
  const total = past.reduce((sum, { messages }) => sum + messages.length, 0)
  let received = 0
  const counting: HistoryIntake = {
    startSession: (input) => station.intake.startSession(input),
    endSession: (input) => station.intake.endSession(input),
    receive(message) {
      received += 1
      if (received % 50 === 0) options.onProgress(received / total)
      return station.intake.receive(message)
    },
  }
  const stopping = new AbortController()
  const demonstration = runDemonstration(
    {
      intake: counting,
      live: restIntake({ origin: station.url, apiKey: station.apiKey, clock, signal: stopping.signal }),
      act,
      clock,
      randomness,
      logger,
    },
    { history: past, live: planLive(school, { seed }) },
    () => {
      waitForDisk(db, true)
      station.waitForDisk(true)
    },
  )
  return {
    live: demonstration.history.catch((error: unknown) => logger.error({ error }, 'the demonstration stopped')),
    stop() {
      stopping.abort()
      demonstration.stop()
    },
  }
}

/** Waits until what the intake took in of a session has come back through the queue. */
function committed(station: Station, clock: Clock, sessionId: string): Promise<void> {
  const giveUpAt = clock.now() + commitPatience
  return new Promise((resolve) => {
    const look = async (): Promise<void> => {
      const waiting = await station.hasUnconfirmed(sessionId).catch(() => false)
      if (!waiting || clock.now() > giveUpAt) resolve()
      else clock.after(25, () => void look())
    }
    void look()
  })
}
