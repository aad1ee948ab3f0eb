import { createHmac } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { RosterEntry, RosterPreview } from '../../../shared/views.ts'
import type { Database } from '../../store/console/index.ts'

/** Column names people use, lower case and without punctuation, and the field each one is. */
const columnNames: Record<string, keyof RosterEntry> = {
  'student id': 'student_id',
  studentid: 'student_id',
  id: 'student_id',
  name: 'name',
  'student name': 'name',
  grade: 'grade',
  class: 'class',
  counselor: 'counselor',
  counsellor: 'counselor',
  'guardian contact': 'guardian_contact',
  guardian: 'guardian_contact',
}
const labels: Record<keyof RosterEntry, string> = {
  student_id: 'student id',
  name: 'name',
  grade: 'grade',
  class: 'class',
  counselor: 'counselor',
  guardian_contact: 'guardian contact',
}

const text = z.string().trim().max(300, 'is longer than 300 characters')
const rowSchema = z.object({
  student_id: text.min(1, 'is empty'),
  name: text.min(1, 'is empty'),
  grade: text.default(''),
  class: text.default(''),
  counselor: text.default(''),
  guardian_contact: text.default(''),
})

/** Largest roster file, characters. */
const largestFile = 20_000_000

interface ReadRoster {
  entries: RosterEntry[]
  rows: number
  errors: RosterPreview['errors']
}

/** Reads a roster file row by row; rows with errors are named by line, never quoted. */
function readRoster(csv: string): ReadRoster {
  const problem = (line: number, column: string, what: string) => ({ line, column, problem: what })
  if (csv.length > largestFile)
    return { entries: [], rows: 0, errors: [problem(1, '', 'the file is larger than 20 MB')] }
  let table: { record: string[]; info: { lines: number } }[]
  try {
    table = parse(csv, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: [',', ';', '\t'],
    }) as never
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1
    return {
      entries: [],
      rows: 0,
      errors: [problem(line, '', 'the file is not CSV from here on; check the quotation marks')],
    }
  }
  const [header, ...body] = table
  if (!header) return { entries: [], rows: 0, errors: [problem(1, '', 'the file is empty')] }
  const fields = header.record.map(
    (name) =>
      columnNames[
        name
          .trim()
          .toLowerCase()
          .replace(/[_\-.]+/g, ' ')
      ],
  )
  const missing = (['student_id', 'name'] as const).filter((field) => !fields.includes(field))
  if (missing.length > 0) {
    return {
      entries: [],
      rows: body.length,
      errors: missing.map((field) => problem(1, labels[field], 'there is no such column in the first line')),
    }
  }

  const entries: RosterEntry[] = []
  const errors: RosterPreview['errors'] = []
  const firstLine = new Map<string, number>()
  for (const { record, info } of body) {
    const row = Object.fromEntries(fields.flatMap((field, index) => (field ? [[field, record[index] ?? '']] : [])))
    const parsed = rowSchema.safeParse(row)
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        errors.push(problem(info.lines, labels[path[0] as keyof RosterEntry], message))
      continue
    }
    const earlier = firstLine.get(parsed.data.student_id)
    if (earlier !== undefined) {
      errors.push(problem(info.lines, labels.student_id, `stands in line ${earlier} already`))
      continue
    }
    firstLine.set(parsed.data.student_id, info.lines)
    entries.push(parsed.data)
  }
  return { entries, rows: body.length, errors }
}

/** What an import would do. Nothing is stored. */
export function previewRoster(db: Database, csv: string, schoolId: string): RosterPreview {
  const { entries, rows, errors } = readRoster(csv)
  const known = db.prepare(
    'SELECT student_id, name, grade, class, counselor, guardian_contact FROM roster WHERE school_id = ?',
  )
  const stored = new Map((known.all(schoolId) as RosterEntry[]).map((entry) => [entry.student_id, entry]))
  const isChanged = (entry: RosterEntry) => {
    const old = stored.get(entry.student_id)
    return (
      old !== undefined &&
      Object.keys(labels).some((field) => old[field as keyof RosterEntry] !== entry[field as keyof RosterEntry])
    )
  }
  return {
    rows,
    valid: entries.length,
    new: entries.filter(({ student_id }) => !stored.has(student_id)).length,
    changed: entries.filter(isChanged).length,
    errors: errors.slice(0, 200),
    sample: entries.slice(0, 5),
  }
}

export interface RosterImport {
  imported: number
  errors: RosterPreview['errors']
}

/**
 * Stores the valid rows in one transaction; a hash becomes a name only through this table. The hash
 * is HMAC-SHA256(salt, student id) as 64 hex. The salt is used and not kept.
 */
export function importRoster(db: Database, csv: string, salt: string, schoolId: string, now: number): RosterImport {
  const { entries, errors } = readRoster(csv)
  const save = db.prepare(
    `INSERT INTO roster (student_hash, school_id, student_id, name, grade, class, counselor, guardian_contact, imported_at)
     VALUES (@student_hash, @school_id, @student_id, @name, @grade, @class, @counselor, @guardian_contact, @imported_at)
     ON CONFLICT (student_hash) DO UPDATE SET name = excluded.name, grade = excluded.grade, class = excluded.class,
       counselor = excluded.counselor, guardian_contact = excluded.guardian_contact, imported_at = excluded.imported_at`,
  )
  db.transaction(() => {
    for (const entry of entries) {
      const student_hash = createHmac('sha256', salt).update(entry.student_id).digest('hex')
      save.run({ ...entry, student_hash, school_id: schoolId, imported_at: now })
    }
  })()
  return { imported: entries.length, errors: errors.slice(0, 200) }
}
