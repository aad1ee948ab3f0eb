/**
 * The consoles of this station's schools: they announce their keys, an admin approves them, and the school's content
 * key is sealed to each that was approved.
 */
import { consoleAnnouncedSchema, sealingContext, type EnrolmentState } from '../../../shared/enrolment.ts'
import type { WireEvent } from '../../../shared/events.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import { contentKeyId, sealTo } from '../../platform/sealing.ts'
import { fingerprintOf, isSignedBy } from '../../platform/signing.ts'
import type { AnnouncedConsole, EnrolmentStore, StationMessage } from '../../store/station/index.ts'

export const decisions = ['approve', 'refuse', 'revoke'] as const
export type DecisionKind = (typeof decisions)[number]

/**
 * `signature`: it names a console that was approved, and is not signed with the key that is. `console not approved`: that
 * console has signed it, and nobody has approved it. `unsigned`: whoever sent it may be anybody.
 */
export type Refusal = 'signature' | 'console not approved' | 'unsigned'

/** Why nothing was decided. */
export type NotDecided = 'unknown console' | 'other fingerprint' | 'not possible' | 'unusable key'

export interface Enrolment {
  /** Keeps what a console says of its keys; false where that is not signed by them, or of no school of this station. */
  announced(message: Record<string, unknown>): Promise<boolean>
  list(schoolId: string | null): Promise<AnnouncedConsole[]>
  /** Decides about the keys of this fingerprint, and answers them as they are then. */
  decide(
    kind: DecisionKind,
    of: { school_id: string; console_id: string; fingerprint: string; by: string },
  ): Promise<AnnouncedConsole | NotDecided>
  /** Seals the content keys anew to consoles whose school has another one by now. */
  sealAgain(): Promise<void>
  /** Why what a console sent is not vouched for; null where the console is approved and has signed it. */
  refusalOf(message: Record<string, unknown>): Promise<Refusal | null>
  /** The school of the approved console that signed a message, whatever that names; null where none did. */
  schoolOf(message: Record<string, unknown>): Promise<string | null>
  /**
   * Whether a console's word that it has seen a drill counts: an approved one's, or, until its school has approved any,
   * that of one which waits for it. Whoever was refused proves nothing.
   */
  mayConfirm(message: Record<string, unknown>): Promise<boolean>
}

export interface EnrolmentOptions {
  store: EnrolmentStore
  /** The content key of a school, 32 bytes; null where this station does not serve it. */
  contentKeyOf(schoolId: string): Promise<Buffer | null>
  /** What tells a new console of its school's directory; null = there is nothing to tell. */
  newestPolicy(schoolId: string): Promise<StationMessage | null>
  /** The consoles that were set up together with this station, which nobody needs to approve. */
  ownConsoles: readonly { console_id: string; fingerprint: string }[]
  clock: Clock
  logger: Logger
  /** Something was put into the outbox. */
  onQueued(): void
}

const from: Record<DecisionKind, readonly EnrolmentState[]> = {
  // Approved again, the key is sent again: it may have waited longer than a queue keeps it.
  approve: ['waiting', 'refused', 'approved'],
  refuse: ['waiting'],
  revoke: ['approved'],
}

export function createEnrolment(options: EnrolmentOptions): Enrolment {
  const { store, contentKeyOf, newestPolicy, ownConsoles, clock, logger, onQueued } = options

  const approve = async (console: AnnouncedConsole, by: string): Promise<boolean | 'unusable key'> => {
    const sealed = await sealedFor(console, await contentKeyOf(console.school_id), clock.now())
    if (sealed === null) return 'unusable key'
    const policy = await newestPolicy(console.school_id)
    const publish = policy ? [sealed.publish, policy] : [sealed.publish]
    const decision = { ...named(console), from: console.state, by, at: clock.now() }
    const approved = await store.approve({ ...decision, ...sealed, publish })
    if (approved) onQueued()
    return approved
  }

  /** The consoles that a message may be of, and the one of them that signed it. */
  const signerOf = async (
    message: Record<string, unknown>,
  ): Promise<{ known: readonly AnnouncedConsole[]; signer: AnnouncedConsole | undefined }> => {
    const { console_id, school_id, key_id } = message
    // What no console can be called was announced by none, and not every database could look for it.
    if (typeof console_id !== 'string' || !isName(console_id)) return { known: [], signer: undefined }
    if (typeof school_id === 'string' && !isName(school_id)) return { known: [], signer: undefined }
    // Whoever names no school is held to what any school has approved.
    const school = typeof school_id === 'string' ? normalSchoolId(school_id) : ''
    const known = await store.find(school === '' ? { console_id } : { console_id, school_id: school })
    const signed = known.filter(
      ({ fingerprint, signing_key }) => fingerprint === key_id && isSignedBy(signing_key, message),
    )
    return { known, signer: signed.find(({ state }) => state === 'approved') ?? signed[0] }
  }

  return {
    async announced(message) {
      const announcement = consoleAnnouncedSchema.safeParse(message).data
      if (!announcement || !isSignedBy(announcement.signing_key, message)) return false
      const { school_id, console_id, signing_key, sealing_key } = announcement
      if ((await contentKeyOf(school_id)) === null) return false
      const fingerprint = fingerprintOf(announcement)
      await store.announce({ school_id, console_id, fingerprint, signing_key, sealing_key, at: clock.now() })
      const known = await store.find({ school_id, console_id })
      const console = known.find((each) => each.fingerprint === fingerprint)
      const isOwn = ownConsoles.some((own) => own.console_id === console_id && own.fingerprint === fingerprint)
      if (isOwn && console?.state === 'waiting') await approve(console, 'system')
      return true
    },
    list: (schoolId) => store.list(schoolId),
    async decide(kind, { school_id, console_id, fingerprint, by }) {
      const known = await store.find({ school_id, console_id })
      if (known.length === 0) return 'unknown console'
      const console = known.find((each) => each.fingerprint === fingerprint.trim().toUpperCase())
      if (!console) return 'other fingerprint'
      if (!from[kind].includes(console.state)) return 'not possible'
      const common = { ...named(console), from: console.state, by, at: clock.now() }
      const done =
        kind === 'approve'
          ? await approve(console, by)
          : await store.revoke({ ...common, to: kind === 'refuse' ? 'refused' : 'revoked' })
      if (done === 'unusable key') return done
      const after = (await store.find({ school_id, console_id })).find(
        (each) => each.fingerprint === console.fingerprint,
      )
      return done && after ? after : 'not possible'
    },
    async sealAgain() {
      for (const console of await store.list(null)) {
        if (console.state !== 'approved') continue
        const sealed = await sealedFor(console, await contentKeyOf(console.school_id), clock.now())
        if (sealed === null || sealed.sealed_key_id === console.sealed_key_id) continue
        if (!(await store.reseal({ ...named(console), ...sealed }))) continue
        logger.info({}, 'the content key of a school was sealed anew to a console')
        onQueued()
      }
    },
    async refusalOf(message) {
      const { known, signer } = await signerOf(message)
      if (signer?.state === 'approved') return null
      if (known.some(({ state }) => state === 'approved' || state === 'revoked')) return 'signature'
      return signer ? 'console not approved' : 'unsigned'
    },
    async schoolOf(message) {
      const { signer } = await signerOf(message)
      return signer?.state === 'approved' ? signer.school_id : null
    },
    async mayConfirm(message) {
      const { signer } = await signerOf(message)
      if (signer?.state !== 'waiting') return signer?.state === 'approved'
      return !(await store.list(signer.school_id)).some(({ state }) => state === 'approved')
    },
  }
}

const isName = (text: string): boolean => text.length <= 200 && !text.includes('\0')

const named = ({ school_id, console_id, fingerprint }: AnnouncedConsole) => ({ school_id, console_id, fingerprint })

/** A school's content key as it goes to one console; null where the school has none, or nobody can have such a key. */
async function sealedFor(console: AnnouncedConsole, contentKey: Buffer | null, now: number) {
  if (contentKey === null) return null
  const { school_id, console_id, fingerprint, sealing_key } = console
  const key_id = contentKeyId(contentKey)
  const of = { school_id, console_id, key_id }
  const sealed = await sealTo(sealing_key, contentKey, sealingContext(of)).catch(() => null)
  if (sealed === null) return null
  const id = `school-key:${console_id}:${fingerprint}:${key_id}:${now}`
  const event: WireEvent = {
    schema_version: 1,
    event_type: 'SCHOOL_KEY_SEALED',
    idempotency_key: id,
    timestamp: new Date(now).toISOString(),
    ...of,
    fingerprint,
    sealed,
  }
  const { event_type } = event
  const publish = { id, school_id, group: `console:${console_id}`, event_type, body: JSON.stringify(event), at: now }
  return { sealed_key_id: key_id, publish }
}
