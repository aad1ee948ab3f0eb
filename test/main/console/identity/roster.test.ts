import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importRoster, previewRoster } from '../../../../main/console/identity/index.ts'
import type { CounselorChoice } from '../../../../shared/views.ts'
import { isOnCaseload, lastImport, rosterOfSchool, savePerson } from '../../../../main/store/console/index.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { noon, school } from '../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const load = (csv: string, salt = 'the salt', choices?: readonly CounselorChoice[]) =>
  importRoster(at.db, { csv, salt, choices }, school, noon)
const preview = (csv: string) => previewRoster(at.db, csv, school)
const names = () => at.rows('SELECT student_id, name FROM roster ORDER BY student_id')

describe('a roster file', () => {
  it('turns hashes into names by the school’s salt', () => {
    expect(load('student id,name,grade,class,counselor,guardian contact\n7,Ada Lim,9,9B,J. Marlow,555 0100\n')).toEqual(
      { imported: 1, errors: [] },
    )
    expect(at.rows('SELECT * FROM roster')).toMatchObject([
      {
        student_hash: createHmac('sha256', 'the salt').update('7').digest('hex'),
        school_id: school,
        student_id: '7',
        name: 'Ada Lim',
        grade: '9',
        class: '9B',
        counselor: 'J. Marlow',
        counselor_id: null,
        guardian_contact: '555 0100',
        imported_at: noon,
      },
    ])
  })

  it.each([
    ['semicolons', 'Student ID;Name\n7;Ada\n'],
    ['tabs', 'student_id\tname\n7\tAda\n'],
    ['another separator within a cell', 'id,name,shoes\n7,Ada,38; 39\n'],
    ['a byte order mark and Windows line ends', '\uFEFFid,name\r\n7,Ada\r\n'],
    ['quotation marks', '"id","name"\n"7","Ada"\n'],
    ['columns nobody asked for, in another order', 'shoe size,Name,ID\n38,Ada,7\n'],
    ['blank lines and blanks', 'id , name\n\n 7 , Ada \n\n'],
  ])('may use %s', (_, csv) => {
    expect(load(csv)).toEqual({ imported: 1, errors: [] })
    expect(names()).toEqual([{ student_id: '7', name: 'Ada' }])
  })

  it('names each bad row by its line and stores the others', () => {
    const csv = 'id,name\n1,Ada\n,Bea\n3,\n1,Cid\n5,Dea\n'
    const { imported, errors } = load(csv)
    expect(imported).toBe(2)
    expect(errors.map(({ line, column }) => [line, column])).toEqual([
      [3, 'student id'],
      [4, 'name'],
      [5, 'student id'],
    ])
    expect(JSON.stringify(errors)).not.toMatch(/Ada|Bea|Cid/)
    expect(names()).toEqual([
      { student_id: '1', name: 'Ada' },
      { student_id: '5', name: 'Dea' },
    ])
  })

  it.each([
    ['', 'the file is empty'],
    ['name,grade\nAda,9\n', 'the first line has no such column; it has: name, grade'],
    ['Pupil;Room\nAda;9\n', 'the first line has no such column; it has: Pupil, Room'],
    ['id,name\n7,"Ada\n', 'the file is not CSV from here on; check the quotation marks'],
  ])('%j stores nothing and says why', (csv, problem) => {
    expect(load(csv)).toMatchObject({
      imported: 0,
      errors: expect.arrayContaining([expect.objectContaining({ problem })]) as unknown,
    })
    expect(at.count('roster')).toBe(0)
  })

  it('is not read where a line has more cells than headings: they would stand under another’s', () => {
    const { imported, errors } = load('id,name,counselor\n7,Lim, Ada,J. Marlow\n8,Bea,,,\n')
    expect([imported, errors.map(({ line, problem }) => [line, problem])]).toEqual([
      1,
      [[2, 'has more cells than the first line has; put quotation marks around a cell that holds a comma']],
    ])
  })

  it('is previewed without being stored: new, changed, and the rows that are neither', () => {
    load('id,name\n1,Ada\n2,Bea\n')
    const before = names()
    expect(preview('id,name\n1,Ada\n2,Beatrix\n3,Cid\n,Dea\n')).toMatchObject({
      rows: 4,
      valid: 3,
      new: 1,
      changed: 1,
      errors: [{ line: 5 }],
    })
    expect(names()).toEqual(before)
  })

  it('is previewed with how many of the school’s students it does not name, bad rows counted as naming theirs', () => {
    load('id,name\n1,Ada\n2,Bea\n3,Cid\n')
    expect(preview('id,name\n1,Ada\n2,\n9,New\n').missing).toBe(1)
    expect(preview('id,name\n1,Ada\n2,Bea\n3,Cid\n').missing).toBe(0)
    expect(preview('name\nAda\n').missing).toBe(0)
  })

  it('that was imported last is known by its time and number, at its own school', () => {
    expect(lastImport(at.db, school)).toBeNull()
    load('id,name\n1,Ada\n2,Bea\n')
    importRoster(at.db, { csv: 'id,name\n2,Bea\n', salt: 'the salt' }, school, noon + 1000)
    expect(lastImport(at.db, school)).toEqual({ at: noon + 1000, students: 1 })
    expect(lastImport(at.db, 'another')).toBeNull()
  })

  it('answers anything without throwing', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void preview(text)))
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { maxLength: 4 })),
        (table) => void preview(['id,name', ...table.map((row) => row.join(','))].join('\n')),
      ),
    )
  })
})

describe('the guardians of a student', () => {
  const entry = () => rosterOfSchool(at.db, school)[0]
  const loadFor = (csv: string, country: 'US' | 'GB' | null = 'US') =>
    importRoster(at.db, { csv, salt: 'the salt', country }, school, noon)
  const columns =
    'id,name,guardian_1_name,guardian_1_relation,guardian_1_phone,guardian_1_email,guardian_1_language,guardian_1_do_not_contact,guardian_2_name,guardian_2_phone,Guardian 2 - Do not contact'

  it('stand in their order with all that the file says of them, numbers as written and as E.164 where they can be read', () => {
    loadFor(
      `${columns}\n7,Ada,Ruth Lim,mother,(312) 555-0142; 555-0143,r@example.org,Mandarin,no,Bo Lim,+44 7700 900123,court order\n`,
    )
    expect(entry()?.guardians).toEqual([
      {
        ...{ name: 'Ruth Lim', relation: 'mother', email: 'r@example.org', language: 'Mandarin', do_not_contact: null },
        phones: [
          { written: '(312) 555-0142', e164: '+13125550142' },
          { written: '555-0143', e164: null },
        ],
      },
      {
        ...{ name: 'Bo Lim', relation: '', email: '', language: '', do_not_contact: 'court order' },
        phones: [{ written: '+44 7700 900123', e164: '+447700900123' }],
      },
    ])
  })

  it.each([
    ['', null],
    ['No', null],
    ['n/a', null],
    ['yes', ''],
    ['X', ''],
    ['ask the counselor', 'ask the counselor'],
    ['nope, moved out', 'nope, moved out'],
  ])('may be contacted or not: “%s”; what is no plain “no” forbids it', (cell, reason) => {
    loadFor(`id,name,guardian_1_name,guardian_1_do_not_contact\n7,Ada,Ruth,"${cell}"\n`)
    expect(entry()?.guardians[0]?.do_not_contact).toBe(reason)
  })

  it('are one of unknown relation where the file has the one old column', () => {
    load('id,name,guardian contact\n7,Ada,"Ruth Lim (mother), 312 555 0142"\n')
    expect(entry()?.guardians).toMatchObject([
      { name: 'Ruth Lim (mother)', relation: '', phones: [{ written: '312 555 0142', e164: null }] },
    ])
    load('id,name,guardian contact\n7,Ada,"home 555-0142, work 555-0143"\n')
    expect(entry()?.guardians).toMatchObject([
      { name: 'home 555-0142, work 555-0143', phones: [{ written: '555-0142' }, { written: '555-0143' }] },
    ])
  })

  it('are followed by that of the old column unless it repeats a number', () => {
    const csv = (old: string) =>
      `id,name,guardian contact,guardian_1_name,guardian_1_phone\n7,Ada,${old},Ruth,(312) 555-0142\n`
    loadFor(csv('312-555-0142'))
    expect(entry()?.guardians).toHaveLength(1)
    loadFor(csv('Aunt 555-0199'))
    expect(entry()?.guardians.map(({ name }) => name)).toEqual(['Ruth', 'Aunt'])
  })

  it('of a roster imported before they were kept one by one are read from the one column', () => {
    load('id,name,guardian contact\n7,Ada,Ruth 555-0142\n')
    at.db.exec(`UPDATE roster SET guardians = '[]'`)
    expect(entry()?.guardians).toMatchObject([{ name: 'Ruth', phones: [{ written: '555-0142', e164: null }] }])
  })

  it('stay when a later file says nothing of guardians, and go when it has their columns empty', () => {
    loadFor('id,name,guardian_1_name,guardian_1_do_not_contact\n7,Ada,Ruth,court order\n')
    expect(preview('id,name\n7,Ada\n').changed).toBe(0)
    loadFor('id,name\n7,Ada\n')
    expect(entry()?.guardians).toMatchObject([{ do_not_contact: 'court order' }])
    loadFor('id,name,guardian_1_name\n7,Ada,\n')
    expect(entry()?.guardians).toEqual([])
  })

  it('whom nobody may contact need a name, and a fifth is not kept in silence', () => {
    const { imported, errors } = loadFor(
      'id,name,guardian_1_name,guardian_1_do_not_contact,guardian_5_name\n7,Ada,,yes,Eve\n8,Bea,Ruth,,\n',
    )
    expect(imported).toBe(1)
    expect(errors).toEqual([
      { line: 1, column: 'guardian_5_name', problem: 'only 4 guardians are kept; this column is left out' },
      { line: 2, column: 'guardian 1', problem: 'must not be contacted, but has no name; write whom that means' },
    ])
  })

  it('count as a change in the preview where the file says another thing of them', () => {
    const csv = (relation: string) =>
      `id,name,guardian_1_name,guardian_1_relation,guardian_1_phone\n7,Ada,Ruth,${relation},312 555 0142\n`
    loadFor(csv('aunt'))
    expect(preview(csv('aunt')).changed).toBe(0)
    expect(preview(csv('mother')).changed).toBe(1)
  })
})

describe('a counselor', () => {
  const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
  const person = (id: string, name: string, school_id = school) =>
    savePerson(at.db, { id, name, role: 'COUNSELOR', school_id }, noon)
  const csv = 'id,name,counselor\n1,Ada,J. Marlow\n2,Bea,  j.  MARLOW \n3,Cid,A. Osei\n4,Dea,\n'
  const counselors = () => at.rows('SELECT student_id, counselor_id FROM roster ORDER BY student_id')

  it('is the one person of the school whose name it is; capitals and blanks make nobody another', () => {
    person('marlow', 'J. Marlow')
    person('other', 'A. Osei', otherSchool)
    load(csv)
    expect(counselors().map(({ counselor_id }) => counselor_id)).toEqual(['marlow', 'marlow', null, null])
    const unknown = [{ name: 'A. Osei', students: 1 }]
    expect(preview(csv)).toMatchObject({ ambiguous_counselors: [], unknown_counselors: unknown })
  })

  it('whose name fits several people is asked, and nothing is stored without an answer', () => {
    person('marlow-1', 'J. Marlow')
    person('marlow-2', 'J. MARLOW')
    expect(preview(csv).ambiguous_counselors).toEqual([
      {
        name: 'J. Marlow',
        students: 2,
        candidates: [
          { id: 'marlow-2', name: 'J. MARLOW', role: 'COUNSELOR' },
          { id: 'marlow-1', name: 'J. Marlow', role: 'COUNSELOR' },
        ],
      },
    ])
    const ambiguous = expect.objectContaining({ code: 'counselor_ambiguous' }) as Error
    expect(() => load(csv)).toThrow(ambiguous)
    expect(() => load(csv, undefined, [{ name: 'J. Marlow', person_id: 'somebody' }])).toThrow(ambiguous)
    expect(at.count('roster')).toBe(0)
    load(csv, undefined, [{ name: 'J. Marlow', person_id: 'marlow-2' }])
    expect(counselors()[0]).toEqual({ student_id: '1', counselor_id: 'marlow-2' })
    load(csv, undefined, [{ name: 'J. Marlow', person_id: null }])
    expect(counselors()[0]).toEqual({ student_id: '1', counselor_id: null })
  })

  it('has the caseload by id: a namesake who comes later, or a new name, changes nothing', () => {
    person('marlow', 'J. Marlow')
    load(csv)
    const student_hash = createHmac('sha256', 'the salt').update('1').digest('hex')
    person('late', 'J. Marlow')
    person('marlow', 'J. Marlow-Reed')
    expect(isOnCaseload(at.db, { school_id: school, student_hash }, 'marlow')).toBe(true)
    expect(isOnCaseload(at.db, { school_id: school, student_hash }, 'late')).toBe(false)
    expect(isOnCaseload(at.db, { school_id: otherSchool, student_hash }, 'marlow')).toBe(false)
  })
})

it('a roster of one school never rewrites another school’s, and none is imported for no school', () => {
  const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
  const of = (schoolId: string, name: string) =>
    importRoster(at.db, { csv: `id,name\n7,${name}\n`, salt: 'the salt' }, schoolId, noon)
  of(school, 'Ada')
  of(otherSchool, 'Zoe')
  expect(at.rows('SELECT school_id, name FROM roster ORDER BY name')).toEqual([
    { school_id: school, name: 'Ada' },
    { school_id: otherSchool, name: 'Zoe' },
  ])
  expect(() => of('', 'Nobody')).toThrow(expect.objectContaining({ code: 'school_unknown' }) as Error)
})
