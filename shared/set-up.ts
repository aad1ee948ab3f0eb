/** What is asked where a machine is set up for a school. */
import { z } from 'zod'
import { passwordSchema, personNameSchema, userNameSchema } from './accounts.ts'
import { longestPassphrase } from './passphrase.ts'

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** IANA name, such as America/New_York. */
export const timeZoneSchema = z.string().max(100).refine(isTimeZone)

const schoolProfileSchema = z.object({ name: personNameSchema, time_zone: timeZoneSchema })

export const setUpSchema = z.object({
  school: schoolProfileSchema,
  admin: z.object({ name: personNameSchema, user_name: userNameSchema, password: passwordSchema }),
  /**
   * What locks the data: a passphrase typed here, the one of PSYFLO_PASSPHRASE (`environment`), or the key store
   * of the operating system.
   */
  lock: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('passphrase'), passphrase: z.string().min(1).max(longestPassphrase) }),
    z.object({ kind: z.literal('environment') }),
    z.object({ kind: z.literal('system') }),
  ]),
})
export type SetUpInput = z.infer<typeof setUpSchema>

/** A number the school gives to students in a crisis. */
export const crisisNumberSchema = z.object({
  /** Whose it is: “School counseling office”. */
  name: z.string().trim().min(1).max(120),
  /** How to reach them, as a student reads it: “555-0142”, “text HELLO to 741741”. */
  contact: z.string().trim().min(3).max(120).regex(/\d/),
})

/** What the chat shows a student in a crisis. */
export const crisisResourcesSchema = z.object({
  text: z.string().trim().min(40).max(2000).regex(/\d{3}/),
  numbers: z.array(crisisNumberSchema).max(8),
})
export type CrisisResources = z.infer<typeof crisisResourcesSchema>

/** The reply as the student reads it: the text, then the school's own numbers, a line each. */
export function crisisReply({ text, numbers }: CrisisResources): string {
  return [text, ...numbers.map(({ name, contact }) => `${name}: ${contact}`)].join('\n')
}
