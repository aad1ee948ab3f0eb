/** The people who use the console, and their roles. */
import { z } from 'zod'

export const roles = ['COUNSELOR', 'CLINICIAN', 'ADMIN'] as const
export const roleSchema = z.enum(roles)
export type Role = z.infer<typeof roleSchema>

export interface Person {
  id: string
  name: string
  role: Role
  school_id: string
}
