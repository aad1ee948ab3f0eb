/**
 * What a person (or the clock) does about an alert: one union by kind. The inputs of the calls, what
 * the lifecycle takes, the event in the log, the message on the wire and what the reduction of alerts
 * reads are all made from it. A new kind is an entry in `fieldsByKind` and a line in each union.
 */
import { z } from 'zod'
import { coverageOf, coverageSchema } from './coverage.ts'
import type { AlertActionEvent } from './events.ts'
import { furthestDue } from './thresholds.ts'

export const dispositionSchema = z.enum([
  'contacted student',
  'contacted guardian',
  'safety plan',
  'referred',
  'emergency services',
  'could not reach',
  'not a concern',
  'duplicate',
])
export type Disposition = z.infer<typeof dispositionSchema>

/** Who was tried to be reached. */
export const contactKindSchema = z.enum(['student', 'guardian', 'emergency services', 'colleague', 'other'])
export type ContactKind = z.infer<typeof contactKindSchema>
/** What came of an attempt to reach somebody: an attempt is no outcome of the alert. */
export const contactOutcomeSchema = z.enum(['reached', 'no answer', 'left a message', 'wrong number'])
export type ContactOutcome = z.infer<typeof contactOutcomeSchema>

const id = z.string().min(1).max(200)
const name = z.string().max(200)

/**
 * The fields of each kind. `time`: how an instant is written on this side; `text`: what its words
 * must be, given how many characters they may have.
 */
function fieldsByKind<Time extends z.ZodType<number>>(time: Time, text: (most: number) => z.ZodString) {
  /** Who does what next, and until when. */
  const plan = {
    next_action: text(2000).optional(),
    due_at: time.optional(),
    owner: id.optional(),
    owner_name: name.optional(),
  }
  const note = text(20_000)
  return {
    seen: {},
    acknowledged: plan,
    taken_over: plan,
    /** `urgent`: it rings at the receiver's console until it is accepted or declined. */
    handed_off: { to: id, to_name: name.optional(), note: note.optional(), urgent: z.boolean().optional() },
    hand_off_accepted: {},
    /** By whom it was handed to: it stays with the giver. */
    hand_off_declined: { note: note.optional() },
    /** By the giver, before it was accepted. */
    hand_off_withdrawn: {},
    /** Back to the queue by its holder: nobody holds it, and everybody hears it again. */
    returned: { note: note.optional() },
    noted: { note },
    /** `due_at`: the plan of which the clock speaks, when it is the clock that re-opens. */
    reopened: { due_at: time.optional(), reason: text(2000) },
    /** At least one field of the plan; or `record`, a note of one's own, and in `note` what it should have said. */
    corrected: { ...plan, record: id.optional(), note: note.optional() },
    /** `reason`: why steps that the school requires were left out. */
    resolved: { note, disposition: dispositionSchema, reason: text(2000).optional() },
    /** One step of the school's guide (shared/guide.ts); `title`: as it was called then. */
    step_done: { step: id, title: text(300).optional(), note: note.optional() },
    /** `who`: the person called, in words. */
    contact_attempted: {
      contact: contactKindSchema,
      outcome: contactOutcomeSchema,
      who: text(300).optional(),
      note: note.optional(),
    },
    /** Something that somebody will do until `due_at`; known from then on by the id of this record. */
    commitment_made: { ...plan, next_action: text(2000), due_at: time },
    commitment_met: { commitment: id, note: note.optional() },
    commitment_moved: { ...plan, commitment: id },
    /** Takes back what the same person did: undo. Nothing is erased; the alert stands as if it had not been done. */
    withdrawn: { record: id },
  }
}

/** What each kind says when it is done here, for the inputs of calls. Times are UTC milliseconds. */
export const actionFields = fieldsByKind(z.int(), (most) => z.string().trim().min(1).max(most))

/** Whether a plan says anything at all. */
export function someOfPlan(plan: { next_action?: unknown; due_at?: unknown; owner?: unknown }): boolean {
  return [plan.next_action, plan.due_at, plan.owner].some((field) => field !== undefined)
}

/** Something that is done here. */
export const actionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('seen'), ...actionFields.seen }),
  z.object({ action: z.literal('acknowledged'), ...actionFields.acknowledged }),
  z.object({ action: z.literal('taken_over'), ...actionFields.taken_over }),
  z.object({ action: z.literal('handed_off'), ...actionFields.handed_off }),
  z.object({ action: z.literal('hand_off_accepted'), ...actionFields.hand_off_accepted }),
  z.object({ action: z.literal('hand_off_declined'), ...actionFields.hand_off_declined }),
  z.object({ action: z.literal('hand_off_withdrawn'), ...actionFields.hand_off_withdrawn }),
  z.object({ action: z.literal('returned'), ...actionFields.returned }),
  z.object({ action: z.literal('noted'), ...actionFields.noted }),
  z.object({ action: z.literal('reopened'), ...actionFields.reopened }),
  z
    .object({ action: z.literal('corrected'), ...actionFields.corrected })
    .refine((said) => someOfPlan(said) || (said.record !== undefined && said.note !== undefined)),
  z.object({ action: z.literal('resolved'), ...actionFields.resolved }),
  z.object({ action: z.literal('step_done'), ...actionFields.step_done }),
  z.object({ action: z.literal('contact_attempted'), ...actionFields.contact_attempted }),
  z.object({ action: z.literal('commitment_made'), ...actionFields.commitment_made }),
  z.object({ action: z.literal('commitment_met'), ...actionFields.commitment_met }),
  z.object({ action: z.literal('commitment_moved'), ...actionFields.commitment_moved }).refine(someOfPlan),
  z.object({ action: z.literal('withdrawn'), ...actionFields.withdrawn }),
])
export type Action = z.output<typeof actionSchema>
export type ActionKind = Action['action']

/** Kinds that older consoles do not know: they set them aside as newer, and read them after an upgrade. */
export const kindsOfVersion2: ReadonlySet<ActionKind> = new Set([
  'hand_off_declined', 'hand_off_withdrawn', 'returned', 'step_done', 'contact_attempted',
  'commitment_made', 'commitment_met', 'commitment_moved', 'withdrawn',
]) // prettier-ignore

/**
 * The union as it is read, with `common` fields in every kind. Older senders leave out what one of
 * today's must say, and every kind may bring a note: what is missing changes nothing about an alert.
 */
export function actionsAsRead<Common extends z.ZodRawShape, Time extends z.ZodType<number>>(
  common: Common,
  time: Time,
) {
  const fields = fieldsByKind(time, (most) => z.string().max(most))
  const { next_action, due_at } = fields.acknowledged
  const note = fields.noted.note.optional()
  const reason = fields.reopened.reason.optional()
  const to = fields.handed_off.to.optional()
  const disposition = fields.resolved.disposition.optional()
  // Words may be sealed, and then they are not here.
  const made = { ...fields.commitment_made, next_action }
  return z.discriminatedUnion('action', [
    z.object({ ...common, action: z.literal('seen'), note }),
    z.object({ ...common, action: z.literal('acknowledged'), ...fields.acknowledged, note }),
    z.object({ ...common, action: z.literal('taken_over'), ...fields.taken_over, note }),
    z.object({ ...common, action: z.literal('handed_off'), ...fields.handed_off, to, note }),
    z.object({ ...common, action: z.literal('hand_off_accepted'), next_action, due_at, note }),
    z.object({ ...common, action: z.literal('noted'), note }),
    z.object({ ...common, action: z.literal('reopened'), ...fields.reopened, note, reason }),
    z.object({ ...common, action: z.literal('corrected'), ...fields.corrected, note }),
    z.object({ ...common, action: z.literal('resolved'), note, disposition, reason }),
    z.object({ ...common, action: z.literal('hand_off_declined'), note }),
    z.object({ ...common, action: z.literal('hand_off_withdrawn'), note }),
    z.object({ ...common, action: z.literal('returned'), note }),
    z.object({ ...common, action: z.literal('step_done'), ...fields.step_done }),
    z.object({ ...common, action: z.literal('contact_attempted'), ...fields.contact_attempted }),
    z.object({ ...common, action: z.literal('commitment_made'), ...made, note }),
    z.object({ ...common, action: z.literal('commitment_met'), ...fields.commitment_met }),
    z.object({ ...common, action: z.literal('commitment_moved'), ...fields.commitment_moved, note }),
    z.object({ ...common, action: z.literal('withdrawn'), ...fields.withdrawn, note }),
  ])
}

/** Fields that every event about an action has beside those of its kind. */
export const recordedFields = <Time extends z.ZodType<number>>(time: Time) => ({
  ack_id: id,
  alert_key: z.string().max(200),
  /** Idempotency keys of the triggers this action covers. */
  covers: z.array(z.string().max(400)).min(1).max(10_000),
  /** Their exact identities, where the sender knows them: two crises in one second share a key. */
  trigger_ids: z.array(z.string().max(100)).max(10_000).optional(),
  covered: coverageSchema.optional(),
  console_id: z.string().max(200),
  by: id,
  by_name: name.optional(),
  at: time,
  /** Fingerprint of the sending console's keys, and its signature over the message as it was sent. */
  key_id: z.string().max(100).optional(),
  signature: z.string().max(100).optional(),
  /** Why a station does not stand by it: then it is kept and shown, and changes nothing. */
  refused: z.string().max(100).optional(),
  /** Of what is refused under an id of its own: the record that it said it was. */
  refused_record: id.optional(),
  /** Why the relay does not vouch for it: it is not signed, nobody approved its console, or nobody knows its author. */
  unvouched: z.string().max(100).optional(),
  /** Its place in the order of its session, from 1; given by the relay of a station. */
  position: z.int().min(1).optional(),
  /** When the relay of a station had it, where that was before `at`: its author's clock is ahead, or it says so. */
  relayed_at: time.optional(),
})

const reducedSchema = actionsAsRead(
  {
    id,
    at: z.int(),
    by: id,
    by_name: name,
    /** Trigger ids, or idempotency keys where the sender knew no ids. */
    covers: z.array(z.string()),
    covered: coverageSchema,
    refused: z.string().optional(),
    refused_record: z.string().optional(),
    unvouched: z.string().optional(),
    /** Of what was done at this console: it changes nothing at the others, for this reason. */
    unvouched_elsewhere: z.string().optional(),
    position: z.int().optional(),
    relayed_at: z.int().optional(),
    /** Envelope around its words, where they could not be opened when it came. */
    sealed: z.object({ ciphertext: z.string(), encrypted_key: z.string() }).optional(),
    /** Told later than it was done: no plan of it has a time that is watched. */
    backfill: z.literal(true).optional(),
  },
  z.int(),
)
/** One action as the reduction of alerts reads it. Times are UTC milliseconds. */
export type AlertAction = z.output<typeof reducedSchema>

/** What the reduction needs of an event about an action, in one order of fields whatever the sender's. */
export function reducedAction(event: AlertActionEvent): AlertAction {
  const { ack_id, covers, trigger_ids, by, by_name, covered, backfill, at } = event
  // Nothing is put off for longer than a school year.
  const furthest = at + furthestDue
  return reducedSchema.parse({
    ...event,
    ...('due_at' in event && event.due_at !== undefined && { due_at: Math.min(event.due_at, furthest) }),
    id: ack_id,
    by_name: by_name ?? by,
    // Of a told past a station knows the messages that it covers, by their keys; what else it claims is anybody's word.
    covers: backfill ? covers : (trigger_ids ?? covers),
    covered: (backfill ? undefined : covered) ?? coverageOf([]),
  })
}
