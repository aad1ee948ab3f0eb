import type { Lifecycle } from '../alerts/index.ts'
import type { RunningAssessment } from '../../assessment/index.ts'
import type { Configuration } from '../../configuration/index.ts'
import type { Changes } from '../changes.ts'
import type { Enrolment } from '../enrolment/index.ts'
import type { Strip } from '../strip.ts'
import type { People, Windows } from '../identity/index.ts'
import type { ConnectionState } from '../event-queue/index.ts'
import type { Clock, PreferenceStore } from '../../platform/ports.ts'
import type { Database, EventLog } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Person } from '../../../shared/people.ts'
import type { ConnectionTest, QueueSettings, StartupState } from '../../../shared/views.ts'

/** The parts of an open console that the calls are made of. */
export interface Parts {
  db: Database
  eventLog: EventLog
  evidenceKey: EvidenceKey
  clock: Clock
  consoleId: string
  enrolment: Pick<Enrolment, 'view' | 'settled'>
  configuration: Configuration
  /** The console's school; empty until one is known. */
  schoolId(): string
  lifecycle: Lifecycle
  people: People
  windows: Windows
  preferences: PreferenceStore
  assessment: RunningAssessment
  /** What each commit altered. */
  changes: Changes
  connection(): ConnectionState
  /** The strip as it stands, and its changes. */
  strip: Pick<Strip, 'now' | 'listen'>
  queues(): QueueSettings
  testConnection(): Promise<ConnectionTest>
}

/** What stands between a window and the console: locked, opening, ready or failed. */
interface Startup {
  state(): StartupState
  listen(listener: (state: StartupState) => void): () => void
  /** Opens (or creates) the key store with a passphrase; the answer comes as a state. */
  unlock(passphrase: string): void
  /** Null until the console is open. */
  parts(): Parts | null
}

/** What a call knows of its caller: the window, and who sits at it. */
export interface Context {
  windowId: string
  startup: Startup
}

/** A caller with an open console. */
export interface Caller {
  parts: Parts
  person: Person
  windowId: string
}
