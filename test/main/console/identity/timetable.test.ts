import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importRoster, importTimetable, previewTimetable } from '../../../../main/console/identity/index.ts'
import { lastTimetable, lessonsOf } from '../../../../main/store/console/index.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { noon, school } from '../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const calendar = { periods: [{ name: 'Period 3', weekday: 2, from: '10:00', to: '10:45' }] }
const load = (csv: string, of = school) => importTimetable(at.db, csv, of, calendar, noon)
const preview = (csv: string) => previewTimetable(at.db, csv, school, calendar)
const lessons = (student_id: string, ofClass = '') => lessonsOf(at.db, school, { student_id, class: ofClass })
const header = 'student_id,weekday,period,from,to,subject,room\n'

describe('a timetable file', () => {
  it('says of a student when which lesson is where, by period or by time', () => {
    expect(load(`${header}7,Tuesday,period 3,,,Biology,room 208\n7,3,,8:05,8.50,Art,studio\n`)).toEqual({
      ...{ imported: 2, left_out: 0 },
    })
    expect(lessons('7').own).toEqual([
      { weekday: 2, period: 'period 3', from: '', to: '', subject: 'Biology', room: 'room 208' },
      { weekday: 3, period: '', from: '08:05', to: '08:50', subject: 'Art', room: 'studio' },
    ])
    expect(lessons('8')).toEqual({ own: [], of_class: [] })
  })

  it('says it of everybody in a class, however the roster writes it', () => {
    load('class,day,from,to,subject,room\n10B,Mon,1:05 PM,1:50 pm,Chemistry,room 204\n')
    expect(lessons('7', ' 10b').of_class).toMatchObject([{ weekday: 1, from: '13:05', to: '13:50' }])
    expect(lessons('7', '10C').of_class).toEqual([])
    expect(lessons('7', '').of_class).toEqual([])
  })

  it.each([
    ['1', 1],
    ['7', 7],
    ['sunday', 7],
    ['Thurs.', 4],
    ['WED', 3],
  ])('may call a weekday “%s”', (written, weekday) => {
    load(`${header}7,${written},,08:00,08:45,Art,\n`)
    expect(lessons('7').own).toMatchObject([{ weekday }])
  })

  it.each([
    ['7,Someday,,08:00,08:45,Art,', 'weekday', /^is no day of the week; write Monday/],
    ['7,0,,08:00,08:45,Art,', 'weekday', /^is no day of the week/],
    ['7,Mo,,08:00,08:45,Art,', 'weekday', /^is no day of the week/],
    [',Monday,,08:00,08:45,Art,', '', /^names neither a student id nor a class$/],
    ['7,Monday,,,,Art,', 'period', /^is empty; name a period, or say/],
    ['7,Monday,Period 3,,,Art,', 'period', /calendar on a Monday; add it in Settings, Directory/],
    ['7,Monday,,25:00,26:00,Art,', 'from', /^is not a time of day/],
    ['7,Monday,,13:00 PM,13:30,Art,', 'from', /^is not a time of day/],
    ['7,Monday,,08:00,,Art,', 'to', /^is not a time of day/],
    ['7,Monday,,08:00,08:00,Art,', 'to', /^is not after its beginning$/],
    ['7,Monday,,08:00,08:45,,', 'subject', /^is empty, and so is the room$/],
    [`7,Monday,,08:00,08:45,${'x'.repeat(121)},`, 'subject', /^is longer than/],
  ])('names a bad line by its number and says what to do: %s', (line, column, problem) => {
    const read = preview(`${header}9,Friday,,08:00,08:45,Fine,\n${line}\n`)
    expect(read).toMatchObject({ rows: 2, valid: 1, errors: [{ line: 3, column }] })
    expect(read.errors[0]?.problem).toMatch(problem)
    expect(read.errors[0]?.problem).not.toContain('Art')
  })

  it('has no two lessons at one time for one student; another student, class or day may', () => {
    const csv = `student_id,class,weekday,from,to,subject
7,,Monday,08:00,08:45,Art
7,,Monday,08:44,09:00,Music
7,,Tuesday,08:00,08:45,Art
8,,Monday,08:00,08:45,Art
,9A,Monday,08:00,08:45,Art
7,,Monday,08:45,09:30,English
`
    expect(preview(csv)).toMatchObject({
      ...{ rows: 6, valid: 5, students: 2, classes: 1 },
      errors: [{ line: 3, problem: 'is at the same time as line 2; one of the two must go' }],
    })
  })

  it.each([
    ['', 'the file is empty'],
    ['weekday,from,to,subject\n', 'there is no such column in the first line, which has: weekday, from, to, subject'],
    ['id,weekday,subject\n', 'there is no such column in the first line, which has: id, weekday, subject'],
    ['id,weekday,period,subject\n7,"Mon', 'the file is not CSV from here on; check the quotation marks'],
  ])('%j stores nothing and says why', (csv, problem) => {
    expect(preview(csv).errors).toMatchObject([{ problem }])
    expect(() => load(csv)).toThrow(expect.objectContaining({ code: 'timetable_empty' }) as Error)
  })

  it('is previewed: what it replaces, and whom the roster does not know', () => {
    importRoster(at.db, { csv: 'id,name,class\n7,Ada,10B\n', salt: 'salt' }, school, noon)
    load(`${header}7,1,,08:00,08:45,Art,\n`)
    const csv = `id,class,weekday,from,to,subject\n7,,1,08:00,08:45,Art\n8,,1,08:00,08:45,Art\n,10b,1,08:00,08:45,Art\n,11X,1,08:00,08:45,Art\n`
    expect(preview(csv)).toMatchObject({ replaces: 1, unknown_students: 1, unknown_classes: ['11X'] })
    expect(at.count('timetable')).toBe(1)
  })

  it('takes the place of the one before, at its own school alone', () => {
    const other = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
    load(`${header}7,1,,08:00,08:45,Art,\n`, other)
    load(`${header}7,1,,08:00,08:45,Music,\n8,1,,08:00,08:45,Music,\n`)
    load(`${header}8,1,,08:00,08:45,English,\n`)
    expect(lessons('7').own).toEqual([])
    expect(lessonsOf(at.db, other, { student_id: '7', class: '' }).own).toMatchObject([{ subject: 'Art' }])
    expect(lastTimetable(at.db, school)).toEqual({ at: noon, lessons: 1 })
    expect(lastTimetable(at.db, 'a third')).toBeNull()
    expect(() => load(header, '')).toThrow(expect.objectContaining({ code: 'school_unknown' }) as Error)
  })

  it('answers anything without throwing, and imports as many lines as it says', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('7', 'Monday', '2', 'Period 3', '08:00', '09:15', '1:05 pm', 'Art', '10B'),
    )
    const table = fc.array(fc.array(cell, { minLength: 7, maxLength: 7 }), { maxLength: 12 })
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void preview(text)))
    fc.assert(
      fc.property(table, (rows) => {
        const csv =
          header + rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n')
        const { valid, rows: read, errors } = preview(csv)
        expect(valid + errors.length).toBe(read)
        if (valid === 0) return
        expect(load(csv)).toEqual({ imported: valid, left_out: read - valid })
        expect(at.count('timetable')).toBe(valid)
      }),
      { numRuns: 60 },
    )
  })
})
