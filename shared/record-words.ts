/**
 * The words of a record: what people write about a student travels sealed with the school's content key, and stands
 * in the clear only in the encrypted databases at both ends.
 */
import { z } from 'zod'
import type { Envelope } from './events.ts'
import { safetyPlanSchema } from './student-records.ts'

const text = z.string().max(20_000).optional()
/** The fields of a record that hold free text. */
const wordsSchema = z.object({
  note: text,
  next_action: text,
  reason: text,
  title: text,
  who: text,
  sections: safetyPlanSchema.optional(),
})
const wordFields = Object.keys(wordsSchema.shape) as (keyof z.output<typeof wordsSchema>)[]

/** Of which record an envelope is: in another's place it does not open. */
export function wordsPurpose(of: Named): string {
  return JSON.stringify(['record', of.school_id ?? '', of.student_hash, of.ack_id, of.by])
}

interface Key {
  seal(text: string, purpose?: string): Envelope
  open(envelope: Envelope, purpose?: string): string
}

type Named = { school_id?: string | undefined; student_hash: string; ack_id: string; by: string }

/** The record with its words in an envelope; as it is where it has none. `keep`: fields that stay in the clear. */
export function sealWords<T extends object>(
  record: T,
  key: Pick<Key, 'seal'>,
  of: Named,
  keep: readonly string[] = [],
): T & { sealed?: Envelope } {
  const fields = Object.entries(record).filter(
    ([field, value]) => (wordFields as string[]).includes(field) && !keep.includes(field) && value !== undefined,
  )
  if (fields.length === 0) return record
  const rest = Object.fromEntries(Object.entries(record).filter(([field]) => !fields.some(([name]) => name === field)))
  const sealed = key.seal(JSON.stringify(Object.fromEntries(fields)), wordsPurpose(of))
  return { ...(rest as T), sealed }
}

/** The record without its words: they stay where they were written until its console has a key for them. */
export function withoutWords<T extends object>(record: T): T {
  const rest = Object.entries(record).filter(([field]) => !(wordFields as string[]).includes(field))
  return Object.fromEntries(rest) as T
}

/** The record with its words as they were written; still sealed where the key does not open them. */
export function openWords<T extends Named & { sealed?: Envelope | undefined }>(record: T, key: Pick<Key, 'open'>): T {
  if (record.sealed === undefined) return record
  const { sealed, ...rest } = record
  try {
    const words = wordsSchema.parse(JSON.parse(key.open(sealed, wordsPurpose(record))))
    return { ...(rest as T), ...words }
  } catch {
    // Sealed with a key that this console was not given, or changed on the way.
    return record
  }
}
