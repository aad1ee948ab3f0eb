import type { Lifecycle } from '../alerts/index.ts'
import type { RunningAssessment } from '../../assessment/index.ts'
import type { Configuration } from '../../configuration/index.ts'
import type { People, Windows } from '../identity/index.ts'
import type { ConnectionState } from '../event-queue/index.ts'
import type { Clock, PreferenceStore } from '../../platform/ports.ts'
import type { Database, EventLog } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Person } from '../../../shared/people.ts'
import type { ConnectionTest, GateState, QueueSettings, StripView } from '../../../shared/views.ts'
import type { Feed } from './feed.ts'

/** The parts of an open console that the calls are made of. */
export interface Parts {
  db: Database
  eventLog: EventLog
  evidenceKey: EvidenceKey
  clock: Clock
  consoleId: string
  configuration: Configuration
  /** The console's school; empty until one is known. */
  schoolId(): string
  lifecycle: Lifecycle
  people: People
  windows: Windows
  preferences: PreferenceStore
  assessment: RunningAssessment
  feed: Feed
  connection(): ConnectionState
  /** The strip as it stands, and its changes. */
  strip: { now(): StripView; listen(listener: () => void): () => void }
  queues(): QueueSettings
  testConnection(): Promise<ConnectionTest>
}

/** The door before the console: locked, opening, ready or failed. */
export interface Gate {
  state(): GateState
  listen(listener: (state: GateState) => void): () => void
  /** Opens (or creates) the key store with a passphrase; the answer comes as a state. */
  unlock(passphrase: string): void
  /** Null until the console is open. */
  parts(): Parts | null
}

/** What a call knows of its caller: the window, and who sits at it. */
export interface Context {
  windowId: string
  gate: Gate
}

/** A caller with an open console. */
export interface Caller {
  parts: Parts
  person: Person
  windowId: string
}
