import { createHmac } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { CounselorChoice, RosterEntry, RosterPreview } from '../../../shared/views.ts'
import {
  giveCaseload,
  peopleOfSchool,
  rosterOfSchool,
  saveRoster,
  unknownCounselors,
  type Database,
} from '../../store/console/index.ts'

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
  /** Student ids that the file names, in bad rows too. */
  named: ReadonlySet<string>
  rows: number
  errors: RosterPreview['errors']
}

/** Reads a roster file row by row; rows with errors are named by line, never quoted. */
function readRoster(csv: string): ReadRoster {
  const problem = (line: number, column: string, what: string) => ({ line, column, problem: what })
  if (csv.length > largestFile) return { ...nothing, errors: [problem(1, '', 'the file is larger than 20 MB')] }
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
      ...nothing,
      errors: [problem(line, '', 'the file is not CSV from here on; check the quotation marks')],
    }
  }
  const [header, ...body] = table
  if (!header) return { ...nothing, errors: [problem(1, '', 'the file is empty')] }
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
      ...nothing,
      rows: body.length,
      errors: missing.map((field) =>
        problem(1, labels[field], `the first line has no such column; it has: ${headings(header.record)}`),
      ),
    }
  }

  const entries: RosterEntry[] = []
  const errors: RosterPreview['errors'] = []
  const firstLine = new Map<string, number>()
  const named = new Set<string>()
  for (const { record, info } of body) {
    const row = Object.fromEntries(fields.flatMap((field, index) => (field ? [[field, record[index] ?? '']] : [])))
    named.add((row.student_id ?? '').trim())
    const parsed = rowSchema.safeParse(row)
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        errors.push(problem(info.lines, labels[path[0] as keyof RosterEntry], message))
      continue
    }
    const earlier = firstLine.get(parsed.data.student_id)
    if (earlier !== undefined) {
      errors.push(problem(info.lines, labels.student_id, `is already on line ${earlier}`))
      continue
    }
    firstLine.set(parsed.data.student_id, info.lines)
    entries.push(parsed.data)
  }
  return { entries, named, rows: body.length, errors }
}

const nothing: Omit<ReadRoster, 'errors'> = { entries: [], named: new Set(), rows: 0 }

/** Column names as they stand in a file, short enough for a table. */
function headings(record: readonly string[]): string {
  const names = record.map((name) => name.trim().slice(0, 40)).filter((name) => name !== '')
  return names.length > 12 ? `${names.slice(0, 12).join(', ')} …` : names.join(', ')
}

/** What an import would do. Nothing is stored. */
export function previewRoster(db: Database, csv: string, schoolId: string): RosterPreview {
  const { entries, named, rows, errors } = readRoster(csv)
  const stored = new Map(rosterOfSchool(db, schoolId).map((entry) => [entry.student_id, entry]))
  const isChanged = (entry: RosterEntry) => {
    const old = stored.get(entry.student_id)
    return (
      old !== undefined &&
      Object.keys(labels).some((field) => old[field as keyof RosterEntry] !== entry[field as keyof RosterEntry])
    )
  }
  const { ambiguous, unknown } = readCounselors(db, entries, schoolId)
  return {
    rows,
    valid: entries.length,
    new: entries.filter(({ student_id }) => !stored.has(student_id)).length,
    changed: entries.filter(isChanged).length,
    missing: named.size === 0 ? 0 : [...stored.keys()].filter((id) => !named.has(id)).length,
    errors: errors.slice(0, 200),
    sample: entries.slice(0, 5),
    ambiguous_counselors: ambiguous,
    unknown_counselors: unknown,
  }
}

export interface RosterImport {
  imported: number
  errors: RosterPreview['errors']
}

export interface RosterFile {
  csv: string
  /** The school's salt: used here and not kept. */
  salt: string
  /** Whom a name that fits several people means; null = none of them. */
  choices?: readonly CounselorChoice[] | undefined
}

/**
 * Stores the valid rows in one transaction; a hash becomes a name only through this table. The hash
 * is HMAC-SHA256(salt, student id) as 64 hex. Throws ConsoleError `counselor_ambiguous` where a counselor's
 * name fits several people and nobody said which, `school_unknown` where the console serves no school yet.
 */
export function importRoster(db: Database, file: RosterFile, schoolId: string, now: number): RosterImport {
  if (schoolId === '') throw schoolUnknown()
  const { entries, errors } = readRoster(file.csv)
  const counselors = readCounselors(db, entries, schoolId)
  const chosen = new Map((file.choices ?? []).map(({ name, person_id }) => [comparable(name), person_id]))
  for (const { name, candidates } of counselors.ambiguous) {
    const choice = chosen.get(comparable(name))
    if (choice === undefined || (choice !== null && !candidates.some(({ id }) => id === choice)))
      throw counselorAmbiguous()
    counselors.known.set(comparable(name), choice)
  }
  saveRoster(
    db,
    schoolId,
    entries.map((entry) => ({
      ...entry,
      student_hash: createHmac('sha256', file.salt).update(entry.student_id).digest('hex'),
      counselor_id: counselors.known.get(comparable(entry.counselor)) ?? null,
    })),
    now,
  )
  return { imported: entries.length, errors: errors.slice(0, 200) }
}

/** Gives students whose counselor nobody here was to the one person of that name, who has come since the import. */
export function adoptCaseload(db: Database, person: Person): void {
  const { school_id } = person
  const name = comparable(person.name)
  const fits = peopleOfSchool(db, school_id).filter((other) => comparable(other.name) === name)
  // Which of several is meant only a person knows: the next import asks.
  if (school_id === '' || fits.length !== 1) return
  for (const counselor of unknownCounselors(db, school_id))
    if (comparable(counselor) === name) giveCaseload(db, school_id, counselor, person.id)
}

interface ReadCounselors {
  /** Person ids by comparable name. */
  known: Map<string, string | null>
  ambiguous: RosterPreview['ambiguous_counselors']
  unknown: RosterPreview['unknown_counselors']
}

/** Whom the counselors' names mean among the people of this school. */
function readCounselors(db: Database, entries: readonly RosterEntry[], schoolId: string): ReadCounselors {
  const people = peopleOfSchool(db, schoolId)
  const students = new Map<string, { name: string; students: number }>()
  for (const { counselor } of entries) {
    const counted = students.get(comparable(counselor)) ?? { name: counselor, students: 0 }
    students.set(comparable(counselor), { ...counted, students: counted.students + 1 })
  }
  students.delete('')
  const read: ReadCounselors = { known: new Map(), ambiguous: [], unknown: [] }
  for (const [name, counted] of students) {
    const fits = people.filter((person) => comparable(person.name) === name)
    if (fits.length === 0) read.unknown.push(counted)
    else if (fits.length === 1) read.known.set(name, fits[0]?.id ?? null)
    else read.ambiguous.push({ ...counted, candidates: fits.map(({ id, name, role }) => ({ id, name, role })) })
  }
  return read
}

/** A name as it is compared: capitals and blanks make nobody another person. */
function comparable(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function counselorAmbiguous(): ConsoleError {
  return new ConsoleError({
    code: 'counselor_ambiguous',
    happened: 'A counselor’s name in this file matches several people at this school.',
    safe: 'Nothing was imported.',
    todo: 'Choose the right person below, then import again.',
  })
}

function schoolUnknown(): ConsoleError {
  return new ConsoleError({
    code: 'school_unknown',
    happened: 'This console does not yet know which school it serves.',
    safe: 'Nothing was imported.',
    todo: 'Answer the question above the inbox first.',
  })
}
