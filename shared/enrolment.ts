/**
 * How a console makes its keys known to its school's station, and how the school's content key comes back to it.
 * Keys and signatures are base64 on the wire; times are ISO 8601, UTC.
 */
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { wireTime } from './events.ts'
import { normalSchoolId } from './school.ts'

/** What every database can keep: no NUL, which stands in no id. */
const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]+$/)
/** 32 bytes: a public key of Ed25519 or X25519. */
const publicKeySchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'is not 32 bytes in base64')
/** 64 bytes: a signature of Ed25519. */
const signatureSchema = z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'is not 64 bytes in base64')

/** The public half of a console's keys. */
export interface PublicKeys {
  /** Ed25519: verifies what the console sends. */
  signing_key: string
  /** X25519: what is sealed to it, only this console opens. */
  sealing_key: string
}

/** A console’s word about its own keys, on the acknowledgement queue; signed with the key that it names. */
export const consoleAnnouncedSchema = z.object({
  schema_version: z.literal(1),
  ack_id: id,
  event_type: z.literal('CONSOLE_ANNOUNCED'),
  console_id: id,
  school_id: id.overwrite(normalSchoolId).min(1),
  signing_key: publicKeySchema,
  sealing_key: publicKeySchema,
  at: wireTime,
  signature: signatureSchema,
})
/** As it stands on the wire. */
export type ConsoleAnnounced = z.input<typeof consoleAnnouncedSchema>

/** What an admin can decide about a console, and what it is until then. A key that was revoked never comes back. */
export const enrolmentStates = ['waiting', 'approved', 'refused', 'revoked'] as const
export type EnrolmentState = (typeof enrolmentStates)[number]

/**
 * What is signed of a message: its canonical JSON (RFC 8785) without the signature. Null where it has none: a text
 * that is no Unicode, say.
 */
export function signedForm(message: Record<string, unknown>): string | null {
  const { signature: _, ...said } = message
  try {
    return canonicalize(said) ?? null
  } catch {
    return null
  }
}

/** For whom a school's content key is sealed: it opens for this console, school and key alone. */
export interface SealedFor {
  school_id: string
  console_id: string
  key_id: string
}

/** The same, as the text that a seal is bound to. */
export function sealingContext({ school_id, console_id, key_id }: SealedFor): string {
  return canonicalize({ school_id, console_id, key_id }) ?? ''
}
