import { createHmac } from 'node:crypto'
import { Refusal } from './refusal.ts'

/**
 * The pseudonym of a student: HMAC-SHA256(salt, user id) as 64 hex digits. Blank ids are refused:
 * they would make one shared student of everybody whose id is missing.
 */
export function hashStudent(salt: string, userId: string): string {
  const id = userId.trim()
  if (id === '') throw new Refusal('invalid')
  return createHmac('sha256', salt).update(id, 'utf8').digest('hex')
}
