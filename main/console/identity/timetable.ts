import { ConsoleError } from '../../../shared/errors.ts'
import type { Policy } from '../../../shared/policy.ts'
import { comparableName, timesOf } from '../../../shared/timetable.ts'
import type { RowProblem, TimetableLine, TimetablePreview } from '../../../shared/views.ts'
import { countLessons, replaceTimetable, rosterOfSchool, type Database } from '../../store/console/index.ts'
import { readCsv, shownHeadings } from './csv-table.ts'

type Field = keyof TimetableLine

/** Column names people use, lower case and without punctuation, and the field each one is. */
const columnNames: Record<string, Field> = {
  'student id': 'student_id',
  studentid: 'student_id',
  id: 'student_id',
  class: 'class',
  weekday: 'weekday',
  day: 'weekday',
  period: 'period',
  from: 'from',
  start: 'from',
  begins: 'from',
  to: 'to',
  end: 'to',
  ends: 'to',
  until: 'to',
  subject: 'subject',
  lesson: 'subject',
  course: 'subject',
  room: 'room',
}
const labels: Record<Field, string> = {
  ...{ student_id: 'student id', class: 'class', weekday: 'weekday', period: 'period' },
  ...{ from: 'from', to: 'to', subject: 'subject', room: 'room' },
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const weekdayNames = weekdays.map((name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`)

/** Longest cell, characters. */
const longest = 120

interface ReadTimetable {
  lines: TimetableLine[]
  rows: number
  errors: RowProblem[]
}

/**
 * Reads a timetable: a line per lesson and week, of a student or, where it names none, of everybody in a class. Lines with
 * errors are named by line, never quoted.
 */
function readTimetable(csv: string, calendar: Pick<Policy['calendar'], 'periods'>): ReadTimetable {
  const table = readCsv(csv, (heading) => columnNames[heading])
  if ('problem' in table) return { lines: [], rows: 0, errors: [table.problem] }
  const { fields, headings, rows } = table
  const missing = missingColumns(fields)
  if (missing.length > 0) {
    const has = shownHeadings(headings)
    return {
      lines: [],
      rows: rows.length,
      errors: missing.map((column) => ({
        ...{ line: 1, column },
        problem: `there is no such column in the first line, which has: ${has}`,
      })),
    }
  }
  const lines: TimetableLine[] = []
  const errors: RowProblem[] = []
  /** Lessons read so far of one student or class on one weekday. */
  const taken = new Map<string, { from: string; to: string; line: number }[]>()
  for (const { line, cells, problem } of rows) {
    const read = problem === null ? readLine(cells, calendar) : { column: '', problem }
    if ('problem' in read) {
      errors.push({ line, ...read })
      continue
    }
    const key = JSON.stringify([
      read.student_id,
      read.student_id === '' ? comparableName(read.class) : '',
      read.weekday,
    ])
    const others = taken.get(key) ?? []
    const times = timesOf(read, calendar)
    const overlap = others.find(({ from, to }) => from < times.to && times.from < to)
    if (overlap) {
      const problem = `is at the same time as line ${overlap.line}; one of the two must go`
      errors.push({ line, column: '', problem })
      continue
    }
    taken.set(key, [...others, { ...times, line }])
    lines.push(read)
  }
  return { lines, rows: rows.length, errors }
}

function missingColumns(fields: ReadonlySet<Field>): string[] {
  const missing: string[] = []
  if (!fields.has('student_id') && !fields.has('class')) missing.push('student id or class')
  if (!fields.has('weekday')) missing.push(labels.weekday)
  if (!fields.has('period') && !(fields.has('from') && fields.has('to'))) missing.push('period, or from and to')
  if (!fields.has('subject') && !fields.has('room')) missing.push('subject or room')
  return missing
}

function readLine(
  cells: Partial<Record<Field, string>>,
  calendar: Pick<Policy['calendar'], 'periods'>,
): TimetableLine | Omit<RowProblem, 'line'> {
  const cell = (field: Field): string => cells[field] ?? ''
  const wrong = (field: Field | '', problem: string) => ({ column: field === '' ? '' : labels[field], problem })
  const long = (Object.keys(labels) as Field[]).find((field) => cell(field).length > longest)
  if (long) return wrong(long, `is longer than ${longest} characters`)
  if (cell('student_id') === '' && cell('class') === '') return wrong('', 'names neither a student id nor a class')
  if (cell('subject') === '' && cell('room') === '') return wrong('subject', 'is empty, and so is the room')
  const weekday = readWeekday(cell('weekday'))
  if (weekday === null)
    return wrong('weekday', 'is no day of the week; write Monday to Sunday, or 1 to 7 (Monday is 1)')
  const line = {
    student_id: cell('student_id'),
    // A student's own line is theirs, whatever class it names.
    class: cell('student_id') === '' ? cell('class') : '',
    ...{ weekday, period: cell('period'), subject: cell('subject'), room: cell('room') },
  }
  if (cell('from') === '' && cell('to') === '') {
    if (line.period === '') return wrong('period', 'is empty; name a period, or say from when to when')
    const timed = { ...line, from: '', to: '' }
    if (timesOf(timed, calendar).from !== '') return timed
    return wrong(
      'period',
      `is not in the school’s calendar on a ${weekdayNames[weekday - 1]}; add it in Settings, Directory, or say from when to when`,
    )
  }
  const [from, to] = [readTime(cell('from')), readTime(cell('to'))]
  if (from === null) return wrong('from', 'is not a time of day such as 10:05')
  if (to === null) return wrong('to', 'is not a time of day such as 10:50')
  if (to <= from) return wrong('to', 'is not after its beginning')
  return { ...line, from, to }
}

/** Monday is 1; null = no day of the week. A name may be cut to its first letters, three at least (“Tue”, “Thurs.”). */
function readWeekday(text: string): number | null {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (/^[1-7]$/.test(name)) return Number(name)
  const index = name.length < 3 ? -1 : weekdays.findIndex((day) => day.startsWith(name))
  return index < 0 ? null : index + 1
}

/** “08:05” of “8:05”, “8.05”, “08:05:00” and “8:05 am”; null = no time of day. */
function readTime(text: string): string | null {
  const [, hour, minute, half] = /^(\d{1,2})[:.](\d{2})(?:[:.]00)?\s*(?:([ap])\.?m\.?)?$/i.exec(text) ?? []
  if (hour === undefined || minute === undefined || Number(minute) > 59) return null
  const read = Number(hour)
  if (half === undefined) return read > 23 ? null : `${String(read).padStart(2, '0')}:${minute}`
  if (read < 1 || read > 12) return null
  return `${String((read % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`
}

/** What an import would do. Nothing is stored. */
export function previewTimetable(
  db: Database,
  csv: string,
  schoolId: string,
  calendar: Pick<Policy['calendar'], 'periods'>,
): TimetablePreview {
  const { lines, rows, errors } = readTimetable(csv, calendar)
  const roster = rosterOfSchool(db, schoolId)
  const [ids, classes] = [new Set<string>(), new Map<string, string>()]
  for (const line of lines)
    if (line.student_id !== '') ids.add(line.student_id)
    else classes.set(comparableName(line.class), line.class)
  const knownIds = new Set(roster.map(({ student_id }) => student_id))
  const knownClasses = new Set(roster.map((entry) => comparableName(entry.class)))
  return {
    rows,
    valid: lines.length,
    students: ids.size,
    classes: classes.size,
    replaces: countLessons(db, schoolId),
    unknown_students: [...ids].filter((id) => !knownIds.has(id)).length,
    unknown_classes: [...classes].filter(([name]) => !knownClasses.has(name)).map(([, written]) => written),
    errors: errors.slice(0, 200),
    sample: lines.slice(0, 5),
  }
}

/**
 * Puts the lines of a file in the place of the school's timetable, in one transaction. Throws ConsoleError
 * `school_unknown` where the console serves no school yet, `timetable_empty` where no line can be imported.
 */
export function importTimetable(
  db: Database,
  csv: string,
  schoolId: string,
  calendar: Pick<Policy['calendar'], 'periods'>,
  now: number,
): { imported: number; left_out: number } {
  if (schoolId === '') throw schoolUnknown()
  const { lines, rows } = readTimetable(csv, calendar)
  if (lines.length === 0) throw timetableEmpty()
  replaceTimetable(db, schoolId, lines, now)
  return { imported: lines.length, left_out: rows - lines.length }
}

function timetableEmpty(): ConsoleError {
  return new ConsoleError({
    code: 'timetable_empty',
    happened: 'No line of this file can be imported.',
    safe: 'The timetable is as it was before.',
    todo: 'Correct the lines named in the preview, then import again.',
  })
}

/** Of a file that cannot be anybody's yet. */
export function schoolUnknown(): ConsoleError {
  return new ConsoleError({
    code: 'school_unknown',
    happened: 'This console does not yet know which school it serves.',
    safe: 'Nothing was imported.',
    todo: 'Answer the question above the inbox first.',
  })
}
