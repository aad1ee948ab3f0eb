/** What a console says to its station of drills that reach it, and that none will, because it closes. */
import { z } from 'zod'
import { wireTime } from './events.ts'
import { normalSchoolId } from './school.ts'

const id = z.string().min(1).max(200)

/** Signed by the console, on the acknowledgement queue; times are by the console's clock. */
export const drillSeenSchema = z.object({
  schema_version: z.literal(2),
  event_type: z.literal('DRILL_SEEN'),
  ack_id: id,
  school_id: id.overwrite(normalSchoolId).min(1),
  console_id: id,
  /** The drill's number at its school. */
  number: z.int().min(1),
  /** When it was committed there. */
  cached_at: wireTime,
  /** When a window had drawn it; null = none did in time, or none was open. */
  painted_at: wireTime.nullable(),
  /** Who sat at that window, a person id. */
  by: id.optional(),
})
/** As it stands on the wire. */
export type DrillSeen = z.input<typeof drillSeenSchema>

/** Signed by the console, on the acknowledgement queue: it stops in good order, and sees no more drills. */
export const consoleClosedSchema = z.object({
  schema_version: z.literal(1),
  event_type: z.literal('CONSOLE_CLOSED'),
  ack_id: id,
  school_id: id.overwrite(normalSchoolId).min(1),
  console_id: id,
  /** The newest drill of its school that came there: one that it has seen with a higher number came after this. */
  number: z.int().min(1),
  at: wireTime,
})
/** As it stands on the wire. */
export type ConsoleClosed = z.input<typeof consoleClosedSchema>
