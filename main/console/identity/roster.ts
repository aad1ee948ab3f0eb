import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CountryCode } from 'libphonenumber-js'
import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import { comparableName as comparable } from '../../../shared/timetable.ts'
import type { CounselorChoice, RosterEntry, RosterPreview, RowProblem } from '../../../shared/views.ts'
import {
  giveCaseload,
  peopleOfSchool,
  rosterOfSchool,
  saveRoster,
  unknownCounselors,
  type Database,
} from '../../store/console/index.ts'
import { readCsv, shownHeadings } from './csv-table.ts'
import { guardianField, mostGuardians, readGuardians, type GuardianField } from './guardian-columns.ts'
import { schoolUnknown } from './timetable.ts'

type PlainField = Exclude<keyof RosterEntry, 'guardians'>
type Field = PlainField | GuardianField

/** Column names people use, lower case and without punctuation, and the field each one is. */
const columnNames: Record<string, PlainField> = {
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
const labels: Record<PlainField, string> = {
  student_id: 'student id',
  name: 'name',
  grade: 'grade',
  class: 'class',
  counselor: 'counselor',
  guardian_contact: 'guardian contact',
}

const fieldOf = (heading: string): Field | undefined => columnNames[heading] ?? guardianField(heading)

const text = z.string().trim().max(300, 'is longer than 300 characters')
const rowSchema = z.object({
  student_id: text.min(1, 'is empty'),
  name: text.min(1, 'is empty'),
  grade: text.default(''),
  class: text.default(''),
  counselor: text.default(''),
  guardian_contact: text.default(''),
})

interface ReadRoster {
  entries: RosterEntry[]
  /** Student ids that the file names, in bad rows too. */
  named: ReadonlySet<string>
  rows: number
  errors: RowProblem[]
  /** Whether it has any column about guardians. */
  guardians: boolean
}

/** Reads a roster file row by row; rows with errors are named by line, never quoted. */
function readRoster(csv: string, country: CountryCode | null): ReadRoster {
  const table = readCsv(csv, fieldOf)
  if ('problem' in table) return { ...nothing, errors: [table.problem] }
  const { fields, headings, rows } = table
  const missing = (['student_id', 'name'] as const).filter((field) => !fields.has(field))
  if (missing.length > 0) {
    return {
      ...nothing,
      rows: rows.length,
      errors: missing.map((field) => ({
        line: 1,
        column: labels[field],
        problem: `the first line has no such column; it has: ${shownHeadings(headings)}`,
      })),
    }
  }

  const entries: RosterEntry[] = []
  const errors: RowProblem[] = headings
    .filter((heading) => /^\s*guardian[\s_.-]+([5-9]|\d\d)/i.test(heading))
    .map((heading) => ({
      line: 1,
      column: heading.trim().slice(0, 40),
      problem: `only ${mostGuardians} guardians are kept; this column is left out`,
    }))
  const firstLine = new Map<string, number>()
  const named = new Set<string>()
  for (const { line, cells, problem } of rows) {
    named.add(cells.student_id ?? '')
    if (problem !== null) {
      errors.push({ line, column: '', problem })
      continue
    }
    const parsed = rowSchema.safeParse(cells)
    const guardians = readGuardians(cells, country)
    if (!parsed.success || 'problem' in guardians) {
      for (const { path, message } of parsed.error?.issues ?? [])
        errors.push({ line, column: labels[path[0] as keyof typeof labels], problem: message })
      if ('problem' in guardians) errors.push({ line, ...guardians })
      continue
    }
    const earlier = firstLine.get(parsed.data.student_id)
    if (earlier !== undefined) {
      errors.push({ line, column: labels.student_id, problem: `is already on line ${earlier}` })
      continue
    }
    firstLine.set(parsed.data.student_id, line)
    entries.push({ ...parsed.data, guardians })
  }
  const about = [...fields].some((field) => field.startsWith('guardian'))
  return { entries, named, rows: rows.length, errors, guardians: about }
}

const nothing: Omit<ReadRoster, 'errors'> = { entries: [], named: new Set(), rows: 0, guardians: false }

/** What an import would do. Nothing is stored. */
export function previewRoster(db: Database, csv: string, schoolId: string): RosterPreview {
  const { entries, named, rows, errors, guardians } = readRoster(csv, null)
  const stored = new Map(rosterOfSchool(db, schoolId).map((entry) => [entry.student_id, entry]))
  const isChanged = (entry: RosterEntry) => {
    const old = stored.get(entry.student_id)
    return old !== undefined && !isDeepStrictEqual(compared(old, guardians), compared(entry, guardians))
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

/** What tells one entry from another: a file without guardians changes none, and numbers are compared as written. */
function compared({ guardians, guardian_contact, ...entry }: RosterEntry, withGuardians: boolean): unknown {
  if (!withGuardians) return entry
  const written = guardians.map((each) => ({ ...each, phones: each.phones.map((phone) => phone.written) }))
  return { ...entry, guardian_contact, guardians: written }
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
  /** Of the school: that is how phone numbers without their country are read. Null or absent = unknown. */
  country?: CountryCode | null
}

/**
 * Stores the valid rows in one transaction; a hash becomes a name only through this table. The hash
 * is HMAC-SHA256(salt, student id) as 64 hex. Throws ConsoleError `counselor_ambiguous` where a counselor's
 * name fits several people and nobody said which, `school_unknown` where the console serves no school yet.
 */
export function importRoster(db: Database, file: RosterFile, schoolId: string, now: number): RosterImport {
  if (schoolId === '') throw schoolUnknown()
  const { entries, errors, guardians } = readRoster(file.csv, file.country ?? null)
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
    { guardians },
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

function counselorAmbiguous(): ConsoleError {
  return new ConsoleError({
    code: 'counselor_ambiguous',
    happened: 'A counselor’s name in this file matches several people at this school.',
    safe: 'Nothing was imported.',
    todo: 'Choose the right person below, then import again.',
  })
}
