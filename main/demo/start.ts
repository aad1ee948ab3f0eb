/** Brings the demonstration school to life in a running desk: the past in process, the present over REST. */
import { readFileSync } from 'node:fs'
import { actionSchema } from '../../shared/actions.ts'
import { seconds } from '../../shared/time.ts'
import type { Lifecycle } from '../console/alerts/index.ts'
import type { AssessmentPorts, Engine } from '../analysis/index.ts'
import { importRoster, type People } from '../console/identity/index.ts'
import { announceIntake, deskKey } from '../platform/intake-address.ts'
import { createIntake, readIntakeSettings, serveIntake, type IntakeOptions } from '../station/intake/index.ts'
import type { Clock, Logger, Ports } from '../platform/ports.ts'
import type { Database } from '../store/console/index.ts'
import type { EvidenceKey } from '../platform/envelope.ts'
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
  engine: Engine
  /** Services the engine asks about what is said from now on; null = none. */
  services: AssessmentPorts | null
  evidenceKey: EvidenceKey
  dataDir: string
  lifecycle: Lifecycle
  people: People
  /** The outbox has something to send. */
  onQueued(): void
  /** How much of the past has been told, 0–1. */
  onProgress(told: number): void
}

export interface StartedDemonstration {
  /** The past is told, as far as it could be; from here on it is now. */
  live: Promise<void>
  stop(): Promise<void>
}

/** Imports the roster, serves the intake and starts playing. */
export async function startDemonstration(options: StartOptions): Promise<StartedDemonstration> {
  const { school, ports, db, engine, evidenceKey, dataDir, lifecycle, people } = options
  const { clock, randomness, logger } = ports
  const salt = randomness.bytes(32).toString('hex')
  importRoster(db, { csv: school.rosterCsv, salt }, school.school.id, clock.now())

  /** A crisis of weeks ago is no news for a terminal. */
  let live = false
  const quiet: Logger = { ...logger, warn: (fields, message) => (live ? logger.warn(fields, message) : undefined) }

  const settings = readIntakeSettings(process.env, (file) => readFileSync(file, 'utf8'))
  const intakeOptions: IntakeOptions = {
    db,
    engine,
    evidenceKey,
    clock,
    randomness,
    logger: quiet,
    salt,
    schoolId: school.school.id,
    storeContent: true,
    bufferSize: settings.bufferSize,
    committed: options.onQueued,
  }
  const intake = createIntake({ ...intakeOptions, ports: options.services })
  const apiKey = deskKey(dataDir, randomness)
  const keys = [{ key: apiKey, school_id: school.school.id, scopes: ['read', 'write'] as const }, ...settings.keys]
  const server = await serveIntake(intake, { host: '127.0.0.1', port: 0, keys, logger, clock, randomness })
  const withdraw = announceIntake(dataDir, { url: server.url, pid: process.pid })

  const act = async (action: DemonstrationAction): Promise<void> => {
    await committed(db, clock, action.session_id)
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
  db.pragma('synchronous = OFF')
  const past = planHistory(school, { now: clock.now(), seed })
  const total = past.reduce((sum, { messages }) => sum + messages.length, 0)
  let received = 0
  // Thousands of invented messages, told in seconds: no service is asked about them.
  const pastIntake = createIntake(intakeOptions)
  const counting: HistoryIntake = {
    startSession: (input) => pastIntake.startSession(input),
    endSession: (input) => pastIntake.endSession(input),
    receive(message) {
      received += 1
      if (received % 50 === 0) options.onProgress(received / total)
      return pastIntake.receive(message)
    },
  }
  const demonstration = runDemonstration(
    { intake: counting, live: restIntake({ origin: server.url, apiKey }), act, clock, randomness, logger },
    { history: past, live: planLive(school, { seed }) },
    () => {
      live = true
      db.pragma('synchronous = FULL')
    },
  )
  return {
    live: demonstration.history.catch((error: unknown) => logger.error({ error }, 'the demonstration stopped')),
    async stop() {
      demonstration.stop()
      withdraw()
      await server.close()
    },
  }
}

/** Waits until what the intake took in of a session has come back through the queue. */
function committed(db: Database, clock: Clock, sessionId: string): Promise<void> {
  const waiting = db.prepare(`SELECT 1 FROM outbox WHERE target = 'events' AND group_id = ? LIMIT 1`)
  const giveUpAt = clock.now() + commitPatience
  return new Promise((resolve) => {
    const look = (): void => {
      if (waiting.get(sessionId) === undefined || clock.now() > giveUpAt) resolve()
      else clock.after(25, look)
    }
    look()
  })
}
