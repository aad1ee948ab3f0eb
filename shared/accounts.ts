/** What local accounts are made of: the rules for user names and passwords, for screens and main alike. */
import { z } from 'zod'
import { roleSchema } from './people.ts'

/** The shortest password that may be chosen, characters. */
export const shortestPassword = 12
export const longestPassword = 200

/** A user name as it is compared: capitals make nobody another person. */
export function comparableUserName(userName: string): string {
  return userName.normalize('NFKC').trim().toLowerCase()
}

export const personNameSchema = z.string().trim().min(1).max(200)
/** Letters, digits, and what stands in an e-mail address. */
export const userNameSchema = z
  .string()
  .transform(comparableUserName)
  .pipe(
    z
      .string()
      .min(1)
      .max(100)
      .regex(/^[\p{L}\p{N}._@+-]+$/u),
  )
export const passwordSchema = z.string().min(1).max(longestPassword)

export const newAccountSchema = z.object({ name: personNameSchema, role: roleSchema, user_name: userNameSchema })
