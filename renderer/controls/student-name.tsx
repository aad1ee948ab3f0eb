import type { StudentLabel } from '../../shared/views.ts'
import { words } from '../words/index.ts'

/** How a student is called on screen: the roster's name, else “Student 7F3A”. */
export function studentName(student: StudentLabel): string {
  return student.name ?? words.student.pseudonym(student.pseudonym)
}

/** The name and, with `more`, pseudonym and grade behind it; the school where several are shown. */
export function StudentName({ student, more = false }: { student: StudentLabel; more?: boolean }) {
  const details = [
    student.name === null ? null : student.pseudonym,
    student.grade === null ? null : words.student.grade(student.grade),
    student.school === undefined ? null : words.student.school(student.school),
  ].filter((part) => part !== null && part !== '')
  return (
    <span className="min-w-0">
      <span className="font-semibold">{studentName(student)}</span>
      {more && details.length > 0 && <span className="font-normal text-ink-faint"> · {details.join(' · ')}</span>}
    </span>
  )
}
