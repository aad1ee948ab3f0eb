import { parse } from 'csv-parse/sync'
import { z } from 'zod'

const rowSchema = z.object({
  'student id': z.string().min(1),
  name: z.string().min(1),
  grade: z.string().min(1),
  class: z.string().min(1),
  counselor: z.string().min(1),
})

/** What the demonstration itself needs to know of a student; the console's own import reads the rest. */
export interface DemonstrationStudent {
  student_id: string
  name: string
  grade: string
  class: string
  counselor: string
}

/** Reads a roster in the import format (header: student id, name, grade, class, counselor, and the guardians). */
export function readRoster(csv: string): DemonstrationStudent[] {
  return z
    .array(rowSchema)
    .parse(parse(csv, { columns: true, trim: true, skip_empty_lines: true }))
    .map(({ 'student id': student_id, ...rest }) => ({ student_id, ...rest }))
}
