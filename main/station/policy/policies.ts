/** What the station keeps of a school's directory and calendar, and what it tells the consoles of it. */
import { usualDetection } from '../../../shared/detection.ts'
import { defaultGuide } from '../../../shared/guide.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { gapsOpened, type Ways } from '../../../shared/escalation/index.ts'
import { usualOnCall, usualSchoolHours } from '../../../shared/on-call.ts'
import { envelopeSchema, furthestAhead, largestBody, type Envelope, type WireEvent } from '../../../shared/events.ts'
import {
  gapsIn,
  policyPurpose,
  policySchema,
  type Assignment,
  type KeptPolicy,
  type Policy,
  type PolicyChange,
  type PolicyGap,
} from '../../../shared/policy.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import {
  enqueue,
  insertPolicy,
  keepAssignments,
  newestPolicies,
  newestPolicy,
  type StationMessage,
  type StationStore,
  type StoredPolicy,
} from '../../store/station/index.ts'

/** Every call throws DatabaseGone where the database does not answer, and SchoolNotServed. */
export interface Policies {
  /** The policy of a school as it stands; version 0, and empty, where nobody has saved one. */
  read(schoolId: string): Promise<KeptPolicy>
  /**
   * Keeps a policy that was edited from `version` as the next one, and tells the consoles: all of it or nothing. What
   * was saved by somebody else meanwhile stands; what has gaps, or the form of no policy, is not kept. `follows`: nobody
   * edited it, it only says who works here now: kept although that leaves a gap in a ladder.
   */
  save(change: {
    school_id: string
    by: string
    version: number
    policy: unknown
    follows?: boolean
  }): Promise<PolicyChange>
  /** Keeps who looks after students. Throws PeopleUnknown where somebody is not in the directory: then nothing is kept. */
  assign(change: { school_id: string; by: string; assignments: readonly Assignment[] }): Promise<void>
  /** Whether a person is in a school's directory; true where the school has not saved one, or is not served here. */
  isKnownPerson(schoolId: string, personId: string): Promise<boolean>
  /** What tells a console of the policy as it stands; null where nobody has saved one. */
  newestChange(schoolId: string): Promise<StationMessage | null>
  /** Tells the consoles of every school once more how its policy stands. */
  publishAgain(): Promise<void>
}

export interface PoliciesOptions {
  store: StationStore
  /** Seals and opens what is a school's; null where this station does not serve it. */
  keyOf(schoolId: string): Promise<EvidenceKey | null>
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** What of a policy is not this station's to change, whoever saves it: a desk writes it elsewhere. Absent = nothing is. */
  contradictions?: ((policy: Policy) => PolicyGap[]) | undefined
  /** By what this station can tell anybody: a ladder that has a rung without is refused. Absent or null = by every way. */
  ways?: (() => Ways) | undefined
  /** Something was put into the outbox. */
  onQueued(): void
  /** Who would be told of a crisis at a school may be others than before. */
  onChanged?(schoolId: string): void
}

/** A school that this station does not serve has no policy here, and gets none. */
export class SchoolNotServed extends ConsoleError {
  constructor() {
    super({
      code: 'school_not_served',
      happened: 'This station does not serve that school.',
      safe: 'Nothing was changed.',
      todo: 'Check the station’s address, or ask the people who run it for an API key for the school.',
    })
    this.name = 'SchoolNotServed'
  }
}

/** Somebody is to look after a student who is not in the directory. */
export class PeopleUnknown extends ConsoleError {
  /** Their ids, each once. */
  readonly people: readonly string[]
  constructor(people: readonly string[]) {
    super({
      code: 'people_unknown',
      happened: 'A counselor assigned to a student is not in the school’s directory.',
      safe: 'Assignments were not changed.',
      todo: 'Add them to the directory first, then import the roster again.',
    })
    this.name = 'PeopleUnknown'
    this.people = people
  }
}

const nothingSaved = (): KeptPolicy => ({
  version: 0,
  policy: {
    people: [],
    calendar: { time_zone: 'UTC', closed: [], periods: [], hours: structuredClone(usualSchoolHours) },
    crisis_numbers: [],
    guide: [...defaultGuide],
    on_call: structuredClone(usualOnCall),
    detection: structuredClone(usualDetection),
  },
  changed_at: null,
  changed_by: null,
})

/** Largest event, in bytes: beside it a topic writes its own envelope into the same message. */
const largestEvent = largestBody - 8 * 1024

export function createPolicies(options: PoliciesOptions): Policies {
  const { store, clock, randomness, logger, onQueued, contradictions = () => [], ways = () => null } = options

  const servedSchool = async (schoolId: string): Promise<{ school: string; key: EvidenceKey }> => {
    const school = normalSchoolId(schoolId)
    const key = await options.keyOf(school)
    if (key === null) throw new SchoolNotServed()
    return { school, key }
  }
  const newestOf = (school: string) => store.asSchool(school, (unit) => newestPolicy(unit, school))

  return {
    async read(schoolId) {
      const { school, key } = await servedSchool(schoolId)
      return opened(await newestOf(school), key)
    },
    async save({ by, version, policy, follows = false, ...of }) {
      const { school, key } = await servedSchool(of.school_id)
      const named = { school_id: school, version: version + 1, event_id: randomness.uuid() }
      const next = sealedVersion(policy, key, { ...named, changed_at: clock.now(), changed_by: by }, contradictions)
      const change = await store.asSchool(school, async (unit): Promise<PolicyChange> => {
        const kept = await newestPolicy(unit, school)
        if ((kept?.version ?? 0) !== version) return { stale: opened(kept, key) }
        if ('gaps' in next) return next
        const before = kept && opened(kept, key).policy
        const gaps = follows ? [] : gapsOpened(before, next.kept.policy, next.stored.changed_at, ways())
        if (gaps.length > 0) return { gaps }
        const changed_at = timeAfter(kept, next.stored.changed_at)
        const stored = sealed(next.kept.policy, key, { ...next.stored, changed_at })
        // Another station may have been first since that look: then its version is there by now.
        if (!(await insertPolicy(unit, stored))) return { stale: opened(await newestPolicy(unit, school), key) }
        await enqueue(unit, [changeOf(stored, clock.now())])
        return { changed: { ...next.kept, changed_at } }
      })
      if (!('changed' in change)) return change
      logger.info({ version: change.changed.version }, 'the directory of a school was changed')
      onQueued()
      options.onChanged?.(school)
      return change
    },
    async assign({ by, assignments, ...of }) {
      const { school, key } = await servedSchool(of.school_id)
      await store.asSchool(school, async (unit) => {
        const { people } = opened(await newestPolicy(unit, school), key).policy
        const unknown = unknownAmong(assignments, people)
        if (unknown.length > 0) throw new PeopleUnknown(unknown)
        await keepAssignments(unit, { school_id: school, assignments, by, at: clock.now() })
      })
      logger.info({ students: assignments.length }, 'who looks after students was kept')
      options.onChanged?.(school)
    },
    async isKnownPerson(schoolId, personId) {
      const school = normalSchoolId(schoolId)
      if (school === '') return false
      const key = await options.keyOf(school)
      const { version, policy } = key ? opened(await newestOf(school), key) : nothingSaved()
      return version === 0 || policy.people.some(({ id }) => id === personId)
    },
    async newestChange(schoolId) {
      const kept = await newestOf(normalSchoolId(schoolId))
      return kept && changeOf(kept, clock.now())
    },
    async publishAgain() {
      await store.asStation(async (unit) => {
        const policies = await newestPolicies(unit)
        await enqueue(
          unit,
          policies.map((policy) => changeOf(policy, clock.now())),
        )
      })
      onQueued()
    },
  }
}

/**
 * When a version counts as saved, UTC milliseconds: never before the one that it follows, for the consoles take the
 * newest; but for one that stands further ahead than any console accepts.
 */
function timeAfter(before: StoredPolicy | null, now: number): number {
  if (before === null || before.changed_at > now + furthestAhead) return now
  return Math.max(now, before.changed_at + 1)
}

/** A policy as it would be kept, or why it cannot be. */
function sealedVersion(
  given: unknown,
  key: EvidenceKey,
  named: Omit<StoredPolicy, 'document'>,
  contradictions: (policy: Policy) => PolicyGap[],
): { stored: StoredPolicy; kept: KeptPolicy } | { gaps: PolicyGap[] } {
  const { data: policy, error } = policySchema.safeParse(given)
  if (!policy) return { gaps: error.issues.map(({ path, message }) => ({ path: path.filter(isStep), gap: message })) }
  const gaps = [...gapsIn(policy, named.school_id), ...contradictions(policy)]
  if (gaps.length > 0) return { gaps }
  const stored = sealed(policy, key, named)
  if (Buffer.byteLength(changeOf(stored, named.changed_at).body) > largestEvent) return { gaps: [tooLong] }
  const { version, changed_at, changed_by } = named
  return { stored, kept: { version, policy, changed_at, changed_by } }
}

/** A version as it is kept, for itself alone. */
function sealed(policy: Policy, key: EvidenceKey, named: Omit<StoredPolicy, 'document'>): StoredPolicy {
  return { ...named, document: JSON.stringify(key.seal(JSON.stringify(policy), policyPurpose(named))) }
}

const isStep = (step: PropertyKey): step is string | number => typeof step !== 'symbol'

const tooLong: PolicyGap = {
  path: [],
  gap: 'All of it together is too long to be sent to the consoles: remove people who have left, and days that are past.',
}

function opened(stored: StoredPolicy | null, key: EvidenceKey): KeptPolicy {
  if (stored === null) return nothingSaved()
  const { version, changed_at, changed_by } = stored
  const policy = policySchema.parse(JSON.parse(key.open(envelopeIn(stored), policyPurpose(stored))))
  return { version, policy, changed_at, changed_by }
}

const envelopeIn = ({ document }: StoredPolicy): Envelope => envelopeSchema.parse(JSON.parse(document))

/** The event of a version, the same to the letter whenever it is told: a console that knows it hears nothing new. */
function changeOf(stored: StoredPolicy, now: number): StationMessage {
  const { school_id, version, event_id, changed_at, changed_by } = stored
  const id = `policy-${school_id}-${version}`
  const event: WireEvent = {
    schema_version: 2,
    event_id,
    event_type: 'POLICY_CHANGED',
    idempotency_key: id,
    timestamp: new Date(changed_at).toISOString(),
    school_id,
    version,
    changed_by,
    sealed: envelopeIn(stored),
  }
  const { event_type } = event
  return { id, school_id, group: `policy:${school_id}`, event_type, body: JSON.stringify(event), at: now }
}

/** Ids of people who are not in the directory, each once. */
function unknownAmong(assignments: readonly Assignment[], people: Policy['people']): string[] {
  const known = new Set(people.map(({ id }) => id))
  const named = new Set(assignments.flatMap(({ person_id }) => person_id ?? []))
  return [...named].filter((person) => !known.has(person))
}
