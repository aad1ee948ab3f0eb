/** The people who use the console, and what each role may do. */
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

/** What may be done, in the words of the role table; each call of the router names exactly one. */
export const permissions = {
  'alerts.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'alerts.act': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** Counselors: own caseload or an open alert; clinicians: own school. Checked per record. */
  'evidence.reveal': ['COUNSELOR', 'CLINICIAN'],
  'transcript.read': ['COUNSELOR', 'CLINICIAN'],
  'students.see': ['COUNSELOR', 'CLINICIAN'],
  'quarantine.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'quarantine.act': ['ADMIN', 'CLINICIAN', 'COUNSELOR'],
  /** Workload of alerts, which each of them can also list one by one; figures about students are not in it. */
  'overview.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'roster.manage': ['ADMIN'],
  'detection.manage': ['CLINICIAN', 'ADMIN'],
  'settings.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** Which school the console serves: asked of whoever sits at it, until somebody has said. */
  'school.name': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'strip.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof permissions

export function may(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role)
}
