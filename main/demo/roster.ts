import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { RosterEntry } from '../../shared/views.ts'

const rowSchema = z.object({
  'student id': z.string().min(1),
  name: z.string().min(1),
  grade: z.string().min(1),
  class: z.string().min(1),
  counselor: z.string().min(1),
  'guardian contact': z.string().min(1),
})

/** Reads a roster in the import format (header: student id, name, grade, class, counselor, guardian contact). */
export function readRoster(csv: string): RosterEntry[] {
  return z
    .array(rowSchema)
    .parse(parse(csv, { columns: true, trim: true, skip_empty_lines: true }))
    .map(({ 'student id': student_id, 'guardian contact': guardian_contact, ...rest }) => ({
      student_id,
      ...rest,
      guardian_contact,
    }))
}
