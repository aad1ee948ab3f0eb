/** What each role may do. Every call of the router names one of these; screens ask the same table. */
import type { Role } from './people.ts'

export const permissions = {
  'alerts.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'alerts.act': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** Counselors: own caseload or an open alert; clinicians: own school. Checked per record. */
  'evidence.reveal': ['COUNSELOR', 'CLINICIAN'],
  'transcript.read': ['COUNSELOR', 'CLINICIAN'],
  'students.see': ['COUNSELOR', 'CLINICIAN'],
  /** Case steps, calls, safety plans and follow-ups. Counselors: own caseload or an open alert. Checked per record. */
  'student_records.keep': ['COUNSELOR', 'CLINICIAN'],
  'quarantine.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'quarantine.act': ['ADMIN', 'CLINICIAN', 'COUNSELOR'],
  /** Workload of alerts, which each of them can also list one by one; figures about students are not in it. */
  'overview.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'roster.manage': ['ADMIN'],
  'detection.manage': ['CLINICIAN', 'ADMIN'],
  'settings.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** Which school the console serves: asked of whoever sits at it, until somebody has said. */
  'school.name': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** Local accounts of a desk: adding, ending, roles, one-time passwords. */
  'accounts.manage': ['ADMIN'],
  /** One's own password. */
  'account.own': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  /** The chat's API keys, what the chat shows in a crisis, and what is left of the set-up. */
  'desk.manage': ['ADMIN'],
  /** How colleagues are reached, and when the school is in session. */
  'directory.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
  'directory.manage': ['ADMIN'],
  'strip.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof permissions

/** Whether people of this role may do it; what depends on the record besides is checked with the record. */
export function may(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role)
}
