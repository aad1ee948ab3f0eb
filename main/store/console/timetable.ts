import type { Lesson, Lessons } from '../../../shared/timetable.ts'
import { comparableName } from '../../../shared/timetable.ts'
import type { TimetableImported, TimetableLine } from '../../../shared/views.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** Puts these lines in the place of a school's timetable as it was. */
export function replaceTimetable(db: Database, schoolId: string, lines: readonly TimetableLine[], now: number): void {
  const insert = db.prepare(
    `INSERT INTO timetable (school_id, kind, whose, weekday, period, from_time, to_time, subject, room, imported_at)
     VALUES (@school_id, @kind, @whose, @weekday, @period, @from, @to, @subject, @room, @now)`,
  )
  db.transaction(() => {
    db.prepare('DELETE FROM timetable WHERE school_id = ?').run(schoolId)
    for (const { student_id, class: ofClass, ...lesson } of lines)
      insert.run({ ...lesson, ...whose({ student_id, class: ofClass }), school_id: schoolId, now })
  })()
}

/** The lessons of a student, by their id and class on the school's roster. */
export function lessonsOf(
  db: Database,
  schoolId: string,
  student: Pick<TimetableLine, 'student_id' | 'class'>,
): Lessons {
  const of = (kind: 'student' | 'class', name: string): Lesson[] =>
    name === ''
      ? []
      : (prepared(
          db,
          `SELECT weekday, period, from_time AS "from", to_time AS "to", subject, room FROM timetable
           WHERE school_id = @schoolId AND kind = @kind AND whose = @name ORDER BY weekday, from_time, rowid`,
        ).all({ schoolId, kind, name }) as Lesson[])
  return { own: of('student', student.student_id), of_class: of('class', comparableName(student.class)) }
}

/** How many lessons of a week a school's timetable has. */
export function countLessons(db: Database, schoolId: string): number {
  return prepared(db, 'SELECT count(*) FROM timetable WHERE school_id = ?').pluck().get(schoolId) as number
}

/** When a school's timetable was imported last; null = never. */
export function lastTimetable(db: Database, schoolId: string): TimetableImported | null {
  const { at, lessons } = prepared(
    db,
    'SELECT max(imported_at) AS at, count(*) AS lessons FROM timetable WHERE school_id = ?',
  ).get(schoolId) as { at: number | null; lessons: number }
  return at === null ? null : { at, lessons }
}

function whose({ student_id, class: ofClass }: Pick<TimetableLine, 'student_id' | 'class'>) {
  return student_id !== '' ? { kind: 'student', whose: student_id } : { kind: 'class', whose: comparableName(ofClass) }
}
