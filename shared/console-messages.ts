/** What a console says on the acknowledgement queue beside the records of people. Times are ISO 8601 on the wire. */
import { z } from 'zod'
import { studentHashSchema, wireTime } from './events.ts'
import { normalSchoolId } from './school.ts'

const id = z.string().min(1).max(200)

/** Somebody was told of an alert at a console where they are signed in: what answers an attempt by the channel `desktop`. */
export const toldAtConsoleSchema = z.object({
  schema_version: z.literal(1),
  event_type: z.literal('ALERT_NOTIFIED'),
  /** One for each delivery and console, however often it is sent. */
  ack_id: z.string().min(1).max(400),
  console_id: id,
  school_id: id.overwrite(normalSchoolId).min(1).optional(),
  session_id: id,
  student_hash: studentHashSchema,
  alert_key: z.string().max(200),
  /** As the attempt names it. */
  delivery_id: id,
  channel: z.literal('desktop'),
  outcome: z.literal('delivered'),
  /** Person id, as the attempt names it. */
  to: id,
  /** When it was shown, by the console's clock. */
  at: wireTime,
  /** Fingerprint of the console's keys, and its signature over the message as it was sent. */
  key_id: z.string().max(100),
  signature: z.string().max(100),
})
/** As it stands on the wire. */
export type ToldAtConsole = z.input<typeof toldAtConsoleSchema>
