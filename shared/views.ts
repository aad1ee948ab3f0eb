/**
 * What the screens receive: read-only views computed in main. Times are UTC milliseconds. Students
 * are pseudonyms; `name` is filled only where the roster knows the hash and the caller may see it.
 */
import type { ActionKind, ContactKind, ContactOutcome, Disposition } from './actions.ts'
import type { Alert, AlertState, Commitment } from './alerts.ts'
import type { KeptDetection, OperatingPointName, WeightSetName } from './detection.ts'
import type { PersonalError } from './errors.ts'
import type { FlaggedSpan, SessionSummary } from './events.ts'
import type { Became } from './outcome-of-action.ts'
import type { Instrument, Marker, MarkerType } from './estimates.ts'
import type { CallNumber, Guardian } from './guardians.ts'
import type { Person, Role } from './people.ts'
import type { KeptPolicy } from './policy.ts'
import type { FollowUpEnd, SafetyPlan } from './student-records.ts'
import type { DecidedBy, DecidedOn, PatternCategory, RiskLevel, RiskTier, SignalName, Signals } from './risk.ts'
import type { Lesson, WhereNow } from './timetable.ts'
import type { Channel } from './on-call.ts'

/** How a student is named on screen. */
export interface StudentLabel {
  /** Empty where the school is not known. The same hash in two schools is two students. */
  school_id: string
  student_hash: string
  /** First four hex digits, upper case: the pseudonym people say aloud. */
  pseudonym: string
  name: string | null
  grade: string | null
  class: string | null
  /** The school, to be shown: only where the console serves none yet and shows those of all. */
  school?: string
}

// ---- Before the console is open -------------------------------------------------------------

export type StartupState =
  /**
   * `told`: how much of the demonstration's past has been played, 0–1; null = no demonstration. `claiming`: another
   * console has shown itself on the queue, and it is watched whether it is still there, for up to a minute.
   */
  | { phase: 'opening'; told: number | null; claiming?: boolean }
  /** `create`: the data directory is empty and a passphrase is to be chosen. */
  | { phase: 'locked'; create: boolean; error: PersonalError | null }
  | { phase: 'failed'; error: PersonalError }
  /** Like `failed`, and nothing has ended: the start can be tried again, when another console has been stopped, say. */
  | { phase: 'refused'; error: PersonalError }
  /** A desk whose data directory is empty: the school is asked for. */
  | { phase: 'set-up' }
  | { phase: 'ready' }
  /** Another program has taken its place in this process: the page is to be loaded anew. */
  | { phase: 'replaced' }

/** What a window is told of the start, in every phase. */
export type StartupView = StartupState & {
  /** The chat talks to this very program, a desk or the demonstration: while it does not run, nobody is heard. */
  takes_messages: boolean
  /** Of this start of the program: another one was started anew since. */
  start_id: string
  /** A demonstration: nothing of what was there before it was started anew is there now. */
  made_anew: boolean
}

/** A handful of what a person typed. */
export interface Found {
  students: StudentRow[]
  alerts: AlertRow[]
}

/** What the set-up begins with. */
export interface SetUpDefaults {
  /** This machine's, IANA. */
  time_zone: string
  /** The demonstration school runs until the desk is there. */
  demonstration: boolean
  /** PSYFLO_PASSPHRASE is set: the data are locked with it, and nothing is typed. */
  passphrase_given: boolean
  /** The operating system has a key store that encrypts: the data may be locked with it. */
  system_key_store: boolean
}

/** Who sits at a window; with local accounts perhaps nobody. */
export type SignInState = { start_id: string } & SittingState
export type SittingState =
  | { state: 'in'; person: Person }
  /** `waiting`: unacknowledged alerts. Nothing else is told to nobody. */
  | { state: 'out'; waiting: number; school: string | null }
  /** A one-time password was given: one of their own is to be chosen. */
  | { state: 'change'; name: string }

/** A local account as an admin sees it. */
export interface AccountView {
  person_id: string
  name: string
  role: Role
  user_name: string
  /** A one-time password waits to be changed. */
  must_change: boolean
  last_sign_in_at: number | null
  ended_at: number | null
}

/** An API key as an admin sees it: never the key. */
export interface ApiKeyView {
  id: string
  label: string
  scopes: string[]
  created_at: number
  revoked_at: number | null
}

/** An API key at the one moment when it can be read, and what to do with it. */
export interface IssuedKey {
  id: string
  key: string
  /** Opens a session: for a POSIX shell, and for PowerShell. */
  curl: string
  powershell: string
  /** Opens the terminal chat on this machine. */
  chat: string
}

export interface SetUpChecklist {
  /** The next start waits until somebody has typed the passphrase. */
  asks_passphrase: boolean
  /** In the order in which they are done. */
  steps: { step: 'school' | 'roster' | 'chat' | 'resources' | 'people' | 'ladder'; done: boolean }[]
}

export interface Me {
  person: Person
  demo: boolean
  /** Demonstration people one may switch to; empty outside the demonstration school. */
  others: Person[]
  time_zone: string
  /** A school's own desk: people sign in with accounts, and the chat talks to this machine. */
  desk: boolean
  /** The school's name; null where nobody has told it. */
  school_name: string | null
  /** Has a local account: signs in and out, and has a password. */
  has_account: boolean
  /** The machine can be set up for a school of its own from here. */
  may_set_up: boolean
}

/** Asked above the inbox until a person has said which school this console serves; null = it is known. */
export type SchoolQuestion = { schools: SeenSchool[] } | null

/** A school that events on this queue have named. */
export interface SeenSchool {
  school_id: string
  students: number
  open_alerts: number
  /** Its last message, UTC milliseconds; null when only other events came. */
  last_message_at: number | null
}

// ---- Strip ----------------------------------------------------------------------------------

/** Alerts from the chat do not get through, as far as that can be told here. */
export interface Outage {
  /**
   * `publishing`: the station in this program cannot hand events on. `station`: a heartbeat says so of its station.
   * `silence`: heartbeats that used to come have stopped. `ladder`: a heartbeat says that its station does not find
   * crises in drills, or does not tell people in time. `drill`: drills that used to come have stopped.
   */
  kind: 'publishing' | 'station' | 'silence' | 'ladder' | 'drill'
  /** UTC milliseconds: since when events do not get through; when the alarm was last proven. */
  since: number
}

/** A drill of the alarm, as far as it has come. */
export interface DrillView {
  /** Its number at its school; null = it has none. */
  number: number | null
  /** When its message arrived at the intake, by the station's clock; UTC milliseconds. */
  began_at: number
  /** The same, and no later than it came here. */
  at: number
  /** From there until a window here had drawn it, milliseconds; null = none has, or the two clocks do not agree. */
  took_ms: number | null
}

/** Who would be told if a crisis arrived now. */
export interface CoverageView {
  rungs: {
    /** After the alert, seconds. */
    after_s: number
    told: (
      | { kind: 'assigned' }
      | { kind: 'person'; name: string }
      /** Everybody in this role. */
      | { kind: 'role'; role: Role }
      /** So many, whose names are too many or not known here. */
      | { kind: 'people'; count: number }
    )[]
    /** Nobody of them is told anywhere but at a console: only whoever sits there hears of it. */
    only_at_console: boolean
  }[]
  /** When a rung would next tell nobody, UTC milliseconds; null = not in the next two weeks. */
  next_gap: number | null
}

export interface StripView {
  connection: {
    state: 'connecting' | 'connected' | 'disconnected'
    /** Since when the queue answers or does not answer. */
    since: number
    error: PersonalError | null
  }
  /** When the last event of any kind was committed here. */
  last_event_at: number | null
  /** Last HEARTBEAT or DRILL that came the whole way; null = none ever. */
  proven_at: number | null
  /** A source has sent heartbeats before and has been silent for over 3 minutes. */
  heartbeat_overdue: boolean
  /** The newest drill that came; null = none ever. */
  drill: DrillView | null
  /** Numbers of heartbeats that never came, oldest first, and when the last of them was missed; null = none is missing. */
  missing_heartbeats: { ranges: { from: number; to: number }[]; noticed_at: number } | null
  /** A heartbeat whose number nothing can have counted to, and when it came: it is not believed. Null = none lately. */
  unlikely_heartbeat: { number: number; noticed_at: number } | null
  /** Alerts do not get through: people are told once, and it stands here and above the inbox until it is over. */
  outage: Outage | null
  unacknowledged: number
  open: number
  quarantined: number
  quarantined_crises: number
  /** Id of the newest of these, which tells it from one that came in another's place. */
  newest_quarantined_crisis: number | null
  /** Another console takes messages from this one's queue, so that each gets some of the alerts; null = none is known to. */
  sharing: QueueSharing | null
  /** Messages that SQS has put aside and that cannot be brought back here; an alert may be among them. */
  dead_letters_stuck: number
  /** Messages waiting in the queue, null = unknown. */
  queue_waiting: number | null
  /** Age of the last event when it was received, milliseconds: how late alerts arrive. */
  queue_age_ms: number | null
  outbox_pending: number
  /** Signals missing from recent decisions. */
  degraded: SignalName[]
  /** This console waits for its approval: nothing done here holds at the school. */
  not_approved: boolean
  /** Who escalates: a station, or nothing; `unknown` = no heartbeat lately says, and nothing else does. */
  ladder: 'station' | 'off' | 'unknown'
  /**
   * Who would be told now, as the newest heartbeat says. `unknown` = it is not known, or could not be computed;
   * `pending` = the directory was saved a moment ago, and the next heartbeat will say; null = nothing escalates, or an
   * older back end does, which names nobody.
   */
  coverage: CoverageView | 'unknown' | 'pending' | null
  /** The ways by which the station can tell anybody, as the newest heartbeat says, however old; null = not known. */
  channels: Channel[] | null
  demo: boolean
  /** A demonstration in which a person has done something, all of which its stop discards. */
  discards: boolean
}

// ---- Late start -----------------------------------------------------------------------------

/** What came while this console was off, or asleep, and this person has not gone through yet. Times are UTC milliseconds. */
export interface LateStartView {
  /** Of the last absence that it is about: a later one makes another view. */
  number: number
  from: number
  until: number
  /** Alerts that came meanwhile, and those of them that are open and nobody ever acknowledged. */
  arrived: number
  unacknowledged: number
  /** Those that nobody holds now, and the crises among them. */
  open: number
  open_crises: number
  /** What waited in the queue has been received, or was awaited long enough. */
  settled: boolean
  /** This person has had it before them. */
  opened: boolean
}

/** Somebody who was told of an alert, and how. */
export interface ToldView {
  at: number
  /** Null = this console does not know the person. */
  name: string | null
  channel: string
  outcome: 'attempted' | 'delivered' | 'failed'
}

/** An alert that came while this console was off. */
export interface LateStartAlert {
  alert: AlertRow
  /** The first message of that time that raised it. */
  raised_at: number
  /** Nobody ever acknowledged it. */
  never_acknowledged: boolean
  told: ToldView[]
}

/** Who else has an alert open before them. */
export interface AlertViewers {
  /** Of the alert. */
  key: string
  /** Names of staff, sorted. */
  names: string[]
}

// ---- Alerts ---------------------------------------------------------------------------------

export type AlertFilter = 'open' | 'mine' | 'all' | 'watch'

export interface AlertRow {
  key: string
  student: StudentLabel
  session_id: string
  tier: Alert['tier']
  state: AlertState
  score: number
  categories: PatternCategory[]
  about_other: boolean
  opened_at: number
  received_at: number
  occurred_at: number | null
  last_trigger_at: number
  first_seen_at: number | null
  again_count: number
  owner: { id: string; name: string } | null
  due_at: number | null
  hand_off_to: { id: string; name: string; urgent: boolean } | null
  reopened: Alert['reopened']
  disposition: Disposition | null
  /** A late alert says so first: time between the event and its receipt here, when over a minute. */
  late_by_ms: number | null
  /** While nobody holds it, or an urgent hand-off is not answered: when the ladder tells the next ones. Null = nobody else, or that is not known here. */
  next_step_at: number | null
  /** Open, and only told of a past: it waits for nobody, rings nowhere, and no clock runs. */
  only_past: boolean
}

/** One rung of the ladder, or one person told by one way. */
export interface NotificationView {
  id: string
  /** A rung; else a person. */
  escalated: boolean
  layer: number
  /** The rung's place in the ladder, from 0. */
  rung: number | null
  channel: string
  /** Null where it is told of nobody that this console knows. */
  to_name: string | null
  at: number
  outcome: 'attempted' | 'delivered' | 'failed'
  /** When the outcome was known. */
  outcome_at: number
  /** Why a rung told nobody, or a delivery failed: a code. */
  reason: string | null
  /** After an outage or a sleep it came so much later than it was due (milliseconds; 0 = that is not known); null = on time. */
  late_by_ms: number | null
}

/** What the ladder did about an alert, oldest first, and does next. */
export interface LadderView {
  told: NotificationView[]
  /** Whom it tells next if nobody takes the alert: names, none where they are not known here. Null = nobody else. */
  next: { at: number; who: string[] } | null
}

/** A session whose worst was caution lately. Caution opens no alert: no clock, nothing to acknowledge. */
export interface WatchedSession {
  session_id: string
  student: StudentLabel
  last_message_at: number
  message_count: number
}

/** What the inbox lists. */
export type InboxItem = ({ kind: 'alert' } & AlertRow) | ({ kind: 'watched' } & WatchedSession)

export interface InboxPage {
  total: number
  offset: number
  rows: InboxItem[]
}

/** Severity of a quarantined body that names a crisis: it stands above the inbox. */
export interface QuarantineRow {
  id: number
  received_at: number
  reason: string
  detail: string
  receive_count: number
  bytes: number
  names_crisis: boolean
}

/** A change of the inbox as its subscriber may see it. The first of a subscription is `everything`. */
export interface InboxChange {
  /** Every alert that changed; with `everything` those of `announce` alone. */
  rows: AlertRow[]
  /** Keys that are no longer there: merged into another alert, or another school's by now. None that the subscriber never could see. */
  removed: string[]
  /** Keys of rows that are news (new, opened again, worse than before), most urgent first. */
  announce: string[]
  counts: AlertCounts
  /** By which the ladder calls this person now, oldest first: each is shown once, and its id told back. */
  calls: DeskCallView[]
  /** More changed than is told here: pages read before are old. */
  everything: boolean
}

/** What became of something that a person did at this console, where that is not what they saw when they did it. */
export interface ActionReportView {
  action_id: string
  kind: ActionKind
  at: number
  became: Became
  /** It waited here before it could be sent. */
  waited: boolean
  /** The alert that it was about, as it stands. */
  alert: AlertRow
}

/** The ladder calls a person at the console where they sit. */
export interface DeskCallView {
  delivery_id: string
  /** UTC milliseconds, by the station's clock. */
  at: number
  /** Null = the alert has not come to this console yet. */
  alert: AlertRow | null
}

export interface AlertCounts {
  open: number
  mine: number
  all: number
  watch: number
  unacknowledged: number
  /** Alerts that wait for this person to accept them. */
  handed: number
}

/** recorded = durable here; sent = the acknowledgement queue has it; confirmed = it came back. */
export type Delivery = 'recorded' | 'sent' | 'confirmed' | 'received'

export interface ActionView {
  id: string
  kind: ActionKind
  at: number
  by: string
  by_name: string
  applied: boolean
  /** The school's station could not verify who sent it. */
  refused: boolean
  /** Whether it counts, and else why not. */
  became: Became
  note: string | null
  next_action: string | null
  due_at: number | null
  to_name: string | null
  disposition: Disposition | null
  reason: string | null
  /** The note that this one corrects. */
  corrects: string | null
  /** The record that this one takes back. */
  withdraws: string | null
  commitment: string | null
  step: string | null
  title: string | null
  contact: ContactKind | null
  outcome: ContactOutcome | null
  who: string | null
  /** When its author took it back, UTC milliseconds. */
  withdrawn_at: number | null
  /** Until when the present person may take it back, UTC milliseconds; null = no longer, or it is not theirs. */
  undo_until: number | null
  /** Its words were sealed with a key that this console was not given. */
  sealed: boolean
  delivery: Delivery
  sent_at: number | null
  confirmed_at: number | null
  /** Last failure to send, in a sentence. */
  delivery_error: string | null
}

export interface TriggerView {
  id: string
  at: number
  received_at: number
  tier: RiskTier
  score: number
  categories: PatternCategory[]
  /** Patterns that are no known category and are shown only on reveal. */
  hidden_patterns: number
  decided_by: DecidedBy | null
  /** The evidence that decided; null = not said. */
  decided_on: DecidedOn | null
  /** The school's operating point by which it was read; null = not said. */
  operating_point: OperatingPointName | null
  signals: Signals | null
  degraded: SignalName[]
  has_evidence: boolean
  message_id: string | null
}

/** One step of the guide, and who did it. */
export interface StepView {
  id: string
  title: string
  hint: string
  /** The alert is resolved only with it done, or with a reason. */
  required: boolean
  done: { record: string; at: number; by_name: string; note: string | null } | null
}

/** The session that an alert was raised in, as far as this console knows it. */
export interface AlertSession {
  status: 'active' | 'ended' | 'escalated' | 'unknown'
  last_message_at: number | null
}

export interface AlertDetail extends AlertRow {
  aliases: string[]
  triggers: TriggerView[]
  actions: ActionView[]
  /** What decided, in one sentence, and what was found, '' = nothing more; from categories and signals only. */
  why: { decided: string; found: string }
  next_action: string | null
  commitments: Commitment[]
  /** The school's guide for this alert, in order. */
  steps: StepView[]
  acknowledged: Alert['acknowledged']
  hand_off: Alert['hand_off']
  resolved: Alert['resolved']
  earlier: AlertRow[]
  ladder: LadderView
  session: AlertSession
  roster: RosterEntry | null
  where_now: WhereNow
  contacts: Contacts
  may_reveal: boolean
}

/**
 * Why sealed words cannot be shown. `not approved`: the school has not sealed its key to this console yet. `other key`:
 * they were sealed with a key that this console was never given.
 */
export type Unopened = 'not approved' | 'other key'

/** A passage (UTF-16 offsets, end exclusive) that says something about the place or the company of its writer. */
export interface Whereabouts {
  kind: 'place' | 'company'
  start: number
  end: number
}

/** What the student wrote around what raised an alert. */
export interface SaidMessage {
  message_id: string
  at: number
  /** Null where the school does not let transcripts travel, and where the words cannot be opened here. */
  text: string | null
  unopened: Unopened | null
  /** It is one of those that raised the alert. */
  raised: boolean
  whereabouts: Whereabouts[]
}

/** While evidence is revealed: the message before the first that raised the alert, and those from it on. */
export interface SaidAround {
  before: SaidMessage | null
  since: SaidMessage[]
  /** There are more than these; the session has them. */
  more: boolean
}

export interface RevealedEvidence {
  trigger_id: string
  message_id: string | null
  at: number
  text: string | null
  spans: FlaggedSpan[]
  reasoning: string | null
  patterns: string[]
  unopened: Unopened | null
  whereabouts: Whereabouts[]
}

/** One saving of a safety plan. */
export interface SafetyPlanVersion {
  id: string
  at: number
  by_name: string
  /** Null where its words were sealed with a key that this console was not given. */
  sections: SafetyPlan | null
}

/** Something to do about a student that outlives alerts. */
export interface FollowUp {
  id: string
  student: StudentLabel
  /** Null where its words do not open here. */
  what: string | null
  due_at: number
  owner: { id: string; name: string }
  set: { at: number; by: string; by_name: string }
  alert_key: string | null
}

/** One that nobody has to look after any more. */
export interface EndedFollowUp extends FollowUp {
  ended: { at: number; by_name: string; outcome: FollowUpEnd; note: string | null }
}

/** A commitment that nobody has met, of an alert in whatever state. */
export interface CommitmentDue {
  id: string
  alert_key: string
  state: AlertState
  tier: Alert['tier']
  student: StudentLabel
  what: string
  due_at: number
}

/** What a person holds, was handed, and has promised. */
export interface MyDay {
  now: number
  held: AlertRow[]
  handed: AlertRow[]
  commitments: CommitmentDue[]
  follow_ups: FollowUp[]
}

/** How much of what a person promised is due. */
export interface DueCounts {
  overdue: number
  /** Later today, by the day of the school. */
  today: number
  /** How many have become due since this was last told, of those that ring nobody. */
  news: number
}

// ---- Students -------------------------------------------------------------------------------

export interface RosterEntry {
  student_id: string
  name: string
  grade: string
  class: string
  counselor: string
  /** What one column of free text says of whom to call; '' = the roster has no such column. */
  guardian_contact: string
  /** In the order in which to call them. */
  guardians: Guardian[]
}

/** Who can be called about a student. */
export interface Contacts {
  guardians: Guardian[]
  /** Of the country that the school is in. */
  emergency: CallNumber[]
  /** The school's own. */
  school: CallNumber[]
}

export interface StudentRow {
  student: StudentLabel
  /** Highest tier of the last 7 days. */
  tier: RiskTier
  score: number | null
  trend: 'improving' | 'stable' | 'declining' | 'unknown'
  last_message_at: number | null
  sessions: number
  open_alerts: number
  counselor: string | null
  /** Up to 30 daily highest scores, oldest first, null = no message that day. */
  spark: (number | null)[]
}

export interface TrajectoryPoint {
  at: number
  score: number
  tier: RiskTier
  session_id: string
  message_id: string | null
  categories: PatternCategory[]
  decided_by: DecidedBy | null
  /** The evidence that decided; null = not said. */
  decided_on: DecidedOn | null
}

export interface TrajectoryMark {
  at: number
  kind: 'alert' | 'acknowledged' | 'resolved'
  alert_key: string
  tier: RiskTier
}

/** At most `points` points: lowest and highest per column of time, every change of tier kept. */
export interface Trajectory {
  from: number
  to: number
  total: number
  points: TrajectoryPoint[]
  marks: TrajectoryMark[]
}

export interface EstimatePoint {
  /** End of the day (UTC ms) whose trailing window the estimate covers. */
  at: number
  /** Sum of shown item scores. */
  estimate: number
  /** Items with any evidence in the window. */
  known_items: number
  band: string
  /** Difference to the reference point reaches the reliable change index. */
  reliable_change: boolean
  clinically_important: boolean
}

export interface ItemScore {
  marker_type: MarkerType
  /** Null = no evidence: unknown, not 0. */
  score: number | null
  /** ⌊confidence × 3⌋, the published item score. */
  by_confidence: number | null
  /** 1 any day, 2 half of the days with messages, 3 four fifths. */
  by_frequency: number | null
  days_with_evidence: number
}

export interface EstimateView {
  instrument: Instrument
  window_days: number
  current: { estimate: number; known_items: number; band: string; items: ItemScore[]; days_with_messages: number }
  series: EstimatePoint[]
  /** Heat map: one row per item; cells by day. */
  heat: { days: number[]; rows: { marker_type: MarkerType; cells: (number | null)[] }[] }
}

export interface SessionRow {
  id: string
  student: StudentLabel
  status: 'active' | 'ended' | 'escalated'
  started_at: number
  ended_at: number | null
  last_message_at: number | null
  message_count: number
  highest_tier: RiskTier
  sentiment_average: number | null
}

// ---- Session review -------------------------------------------------------------------------

export interface TranscriptMessage {
  message_id: string
  sequence: number
  role: 'student' | 'assistant'
  at: number
  /** Null where the school does not let transcripts travel, and where the words cannot be opened here. */
  text: string | null
  unopened: Unopened | null
  score: number
  level: RiskLevel
  tier: RiskTier
  about_other: boolean
  decided_by: DecidedBy | null
  /** The evidence that decided; null = not said. */
  decided_on: DecidedOn | null
  /** The school's operating point by which it was read; null = not said. */
  operating_point: OperatingPointName | null
  sentiment: number
  signals: Signals
  degraded: SignalName[]
  categories: PatternCategory[]
  flagged: FlaggedSpan[]
  markers: Marker[]
}

export interface SessionView extends SessionRow {
  summary: SessionSummary | null
  markers: (Marker & { id: string; sequence: number; message_id: string; at: number })[]
  metadata: { locale?: string | undefined; channel?: string | undefined; device?: string | undefined }
  transcript_available: boolean
}

// ---- Overview -------------------------------------------------------------------------------

export interface OverviewView {
  from: number
  to: number
  days: {
    /** Local start of the day. */
    day: number
    crisis: number
    high: number
  }[]
  acknowledge: {
    target_ms: number
    acknowledged: number
    within_target: number
    p50_ms: number | null
    p95_ms: number | null
    waiting: number
    waiting_over_target: number
    /** Counts by upper bound of minutes; the last bin is open. */
    histogram: { up_to_minutes: number | null; count: number }[]
  }
}

// ---- Settings -------------------------------------------------------------------------------

/** Whether this console's keys are known to its school, which then seals its content key to them. */
export interface ConsoleEnrolment {
  /** What an admin compares before approving. */
  fingerprint: string
  /** `no queue`: no acknowledgement queue is configured. `not announced`: the console's school is not known, or no station of it was heard of yet. */
  state: 'no queue' | 'not announced' | 'waiting' | 'approved'
  /** Since when it has been waiting or approved, UTC milliseconds; null otherwise. */
  since: number | null
}

export interface QueueSettings {
  mode: 'desk' | 'district'
  events_queue: string
  acks_queue: string | null
  endpoint: string | null
  region: string | null
  /** Settings that the environment decides. */
  from_environment: string[]
  retention_days: number | null
}

/** Something else receives from this console's queue. */
export interface QueueSharing {
  /** `console`: it has shown itself there. `suspected`: messages that should have come here go missing. */
  kind: 'console' | 'suspected'
  /** Name of its computer; '' = not known. */
  computer: string
  since: number
}

/** Messages that SQS put aside because they were received too often without being stored. */
export interface DeadLetters {
  /** `none`: the queue has no dead-letter queue. `unknown`: that could not be asked yet, or may not be. */
  state: 'none' | 'unknown' | 'known'
  /** Name of the dead-letter queue. */
  queue: string | null
  /** Messages in it, as far as is known; null = unknown. */
  waiting: number | null
  /** How many of them came from other queues: they are left to the consoles of these. */
  of_others: number
  /** Receives after which SQS puts a message there. */
  max_receives: number | null
  /** Messages brought back since this console was started, and when the last one was. */
  brought_back: number
  last_at: number | null
  /** Why messages there cannot be brought back, or not be counted. */
  problem: PersonalError | null
}

export interface ConnectionTest {
  steps: { name: string; ok: boolean; detail: string; todo: string | null }[]
  ok: boolean
}

/** What is wrong in a line of a file, and what to do about it. `column`: '' = the line as a whole. */
export interface RowProblem {
  line: number
  column: string
  problem: string
}

export interface RosterPreview {
  rows: number
  valid: number
  new: number
  changed: number
  /** Students of the school’s roster whom the file does not name; they stay as they are. */
  missing: number
  errors: RowProblem[]
  sample: RosterEntry[]
  /** Names that fit several people of this school: whom each means is asked before the import. */
  ambiguous_counselors: { name: string; students: number; candidates: Pick<Person, 'id' | 'name' | 'role'>[] }[]
  /** Names that fit nobody here: they are kept, and give nobody rights. */
  unknown_counselors: { name: string; students: number }[]
}

/** The last import of a school's roster: when (UTC milliseconds), and of how many students. */
export interface RosterImported {
  at: number
  students: number
}

/** A line of a timetable: a lesson of one student, or of everybody in a class. */
export interface TimetableLine extends Lesson {
  /** '' = it is a class's. */
  student_id: string
  class: string
}

export interface TimetablePreview {
  rows: number
  valid: number
  /** Whom the lines that can be imported are of. */
  students: number
  classes: number
  /** Lessons imported before, in whose place these come. */
  replaces: number
  /** Students and classes whom the roster does not know: their lines show once it does. */
  unknown_students: number
  unknown_classes: string[]
  errors: RowProblem[]
  sample: TimetableLine[]
}

/** The last import of a school's timetable: when (UTC milliseconds), and how many lessons a week. */
export interface TimetableImported {
  at: number
  lessons: number
}

/** Whom a counselor's name in a roster means; null = none of those it fits. */
export interface CounselorChoice {
  name: string
  person_id: string | null
}

/** The detection files in force; `problem` says why the newest are not. */
export interface DetectionState {
  versions: { file: string; version: string }[]
  problem: PersonalError | null
  clinical: ClinicalInUse
  /** Null = the built-in comparison with known phrases. */
  embedder: EmbedderInUse | null
  /** The school's own detectors, in their order. */
  adapters: AdapterInUse[]
  /** Who answers students, where the intake is in this program; null = nobody. */
  reply: ReplyInUse | null
}

/** How cautiously messages are read at a school: what it has chosen, and between what. */
export interface DetectionChoices {
  /** As this console heard of it last. */
  kept: KeptDetection
  chosen_by_name: string | null
  /** Where the station is that keeps it; `none` = it cannot be changed here. */
  station: 'none' | 'here' | 'elsewhere'
  /** For how many messages of 1,000 students in a week the costs are reckoned. */
  messages_per_1000_week: number
  /** From the fewest alarms to the most. */
  points: {
    name: OperatingPointName
    /** Of 1,000 students in a week of ordinary talk. */
    per_1000_week: { alerts: number; caution: number }
    /** Of 100 messages in which danger is told, those that come to less than they should. */
    misses: { short: number; long: number }
  }[]
  /** The set of weights in force where none is chosen. */
  recommended_weights: WeightSetName
  weight_sets: {
    name: WeightSetName
    weights: Record<SignalName, number>
    /** 95 % interval of each; null = not estimated. */
    interval: Record<SignalName, [number, number]> | null
  }[]
}

/** A school's own detector, and how it fares. */
export interface AdapterInUse {
  /** The module's file name without its ending. */
  name: string
  /** What keeps it from being heard; null = its last answer counted, or it was not asked yet. */
  problem: 'starting' | 'not loaded' | 'ended' | 'late' | 'failed' | 'unreadable answer' | null
  /** Left alone for a while, after failures in a row. */
  resting: boolean
}

/** The service that answers students. */
export interface ReplyInUse {
  /** Its host. */
  where: string
  /** Left alone for a while, after failures in a row: students read the fixed sentence. */
  resting: boolean
}

/** The configured embedder; wherever it has no answer the built-in comparison stands. */
export interface EmbedderInUse {
  name: string
  /** Null until it is loaded. */
  dimension: number | null
  /** It has read the phrases that messages are compared with. */
  ready: boolean
  /** Why it could not be loaded. */
  problem: 'no runtime' | 'missing file' | 'unreadable' | null
  /** Its last failure since the start, UTC milliseconds. */
  failed: { at: number; late: boolean } | null
  resting: boolean
}

/** Why a clinical service gave no answer that counts. */
export type ClinicalProblem = 'late' | 'unreachable' | 'refused' | 'redirected' | 'too large' | 'unreadable'

/** Which clinical signal is in use, and how it fares. */
export interface ClinicalInUse {
  kind: 'local' | 'http' | 'sagemaker'
  /** Host of the service or name of the SageMaker endpoint; empty where the signal is local. */
  where: string
  /** Its last failure since the start, UTC milliseconds; `status` where the service answered with one. */
  failed: { at: number; why: ClinicalProblem; status: number | null } | null
  answered_at: number | null
  /** After failures in a row it is left alone for a while, and messages do not wait for it. */
  resting: boolean
}

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  sound: 'chime' | 'bell' | 'off'
  density: 'comfortable' | 'compact'
  /** Keys without Ctrl or ⌘ act (j, k, a, …); people who use speech input turn them off. */
  single_keys: boolean
}

/** The directory and calendar of the school, as this console heard of them last. */
export interface DirectoryView {
  /** Where they are kept and edited: nowhere that this console knows of, in this process, or by PSYFLO_STATION_URL. */
  station: 'none' | 'here' | 'elsewhere'
  /** What came last cannot be read here: this console has no key that opens it. */
  sealed: boolean
  /** Null = nothing came that opens. */
  kept: KeptPolicy | null
  /** Of who saved it; null where that is nobody known here. */
  changed_by_name: string | null
  /** What is written elsewhere on this desk, and follows: these people, and the crisis numbers. Null = nothing is. */
  own: { people: string[]; crisis_numbers: boolean } | null
  assignments: AssignmentsView
}

/** Whether the school's station knows whose students are whose. */
export interface AssignmentsView {
  /** Students of whom it has not been told. */
  waiting: number
  /** Why not, where it was tried. */
  problem: PersonalError | null
  /** It is being told now. */
  sending: boolean
}

// ---- Help -----------------------------------------------------------------------------------

export interface HelpPage {
  name: string
  title: string
  markdown: string
}
