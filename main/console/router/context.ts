import type { DeskCalls, Lifecycle } from '../alerts/index.ts'
import type { Configuration } from '../../configuration/index.ts'
import type { Assessment } from '../assessment.ts'
import type { Changes } from '../changes.ts'
import type { Enrolment } from '../enrolment/index.ts'
import type { LateStart } from '../late-start/index.ts'
import type { Directory } from '../policy/index.ts'
import type { Viewing } from '../viewing/index.ts'
import type { DrillWatch } from '../drills.ts'
import type { Strip } from '../strip.ts'
import type { StudentRecords } from '../student-records/index.ts'
import type { Accounts, People, Windows } from '../identity/index.ts'
import type { ConnectionState, DeadLetterWatch } from '../event-queue/index.ts'
import type { Clock, PreferenceStore } from '../../platform/ports.ts'
import type { Database, EventLog } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Ways } from '../../../shared/escalation/index.ts'
import type { Person } from '../../../shared/people.ts'
import type { SetUpInput } from '../../../shared/set-up.ts'
import type {
  ApiKeyView,
  ConnectionTest,
  QueueSettings,
  ReplyInUse,
  SetUpDefaults,
  StartupState,
} from '../../../shared/views.ts'

/** The parts of an open console that the calls are made of. */
export interface Parts {
  db: Database
  eventLog: EventLog
  evidenceKey: EvidenceKey
  clock: Clock
  consoleId: string
  /** For addresses of alerts and students, hex. */
  linkKey: string
  enrolment: Pick<Enrolment, 'view' | 'settled'>
  configuration: Configuration
  /** The console's school; empty until one is known. */
  schoolId(): string
  lifecycle: Lifecycle
  studentRecords: StudentRecords
  deskCalls: Pick<DeskCalls, 'of' | 'shown'>
  people: People
  windows: Windows
  /** Local accounts; null where people come by token or one by one. */
  accounts: Accounts | null
  /** The station in this process; null until it runs, and where it is a program of its own. */
  station: OwnStation | null
  /** Who looks at which alert. */
  viewing: Viewing
  /** What came while the console was off. */
  lateStart: LateStart
  /** The school's directory and calendar. */
  directory: Directory
  preferences: PreferenceStore
  assessment: Assessment
  /** What each commit altered. */
  changes: Changes
  connection(): ConnectionState
  /** The ways by which the station can tell anybody, as it said last; null = it did not. */
  waysOfStation(): Ways
  /** The strip as it stands, and its changes. */
  strip: Pick<Strip, 'now' | 'listen'>
  drills: Pick<DrillWatch, 'painted'>
  queues(): QueueSettings
  /** Messages that SQS has put aside; null where the queue is this program's own. */
  deadLetters: DeadLetterWatch | null
  testConnection(): Promise<ConnectionTest>
  /** Shows a test notification on this desktop; false where the page has to do that by itself, or nothing can. */
  testNotification(): boolean
}

/** What a desk's console asks of the station beside it. */
export interface OwnStation {
  /** Address of the intake, for the chat. */
  url: string
  /** Salt of the school's pseudonyms, for the roster. */
  salt: string
  /** Who answers students, and how that fares; null = nobody. */
  reply(): ReplyInUse | null
  keys: {
    /** The key itself is in this answer and nowhere else. */
    issue(input: { label: string; scopes: readonly ('read' | 'write')[] }): Promise<{ id: string; key: string }>
    list(): Promise<ApiKeyView[]>
    /** From now on it opens nothing; false where there is none of this id. */
    revoke(id: string): Promise<boolean>
  }
}

/** Sets this machine up for a school, in the place of what runs here. */
export interface SetUp {
  defaults(): Promise<SetUpDefaults>
  /** Throws ConsoleError; then nothing was made. The window becomes the admin's. */
  make(windowId: string, input: SetUpInput): Promise<void>
}

/** What stands between a window and the console: locked, opening, ready or failed. */
interface Startup {
  state(): StartupState
  listen(listener: (state: StartupState) => void): () => void
  /** Opens (or creates) the key store with a passphrase; the answer comes as a state. */
  unlock(passphrase: string): void
  /** Goes on with a start that was refused. */
  tryAgain(): void
  /** Null until the console is open. */
  parts(): Parts | null
  /** Null where nothing can be set up: it was, or the queues are configured. */
  setUp: SetUp | null
  /** Of this start of the program. */
  startId: string
  /** Its data are made anew at each start. */
  madeAnew: boolean
  /** The chat talks to this very program; false = to a station elsewhere. */
  takesMessages: boolean
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
  /** The act's own id, the same where it is sent again; null or absent = none was named. */
  callId?: string | null | undefined
}
