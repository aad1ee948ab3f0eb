import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DemonstrationFileError, loadSchool, readSchool } from '../../../main/demo/index.ts'

const folder = join(import.meta.dirname, '../../../resources/demo')
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(yaml|csv)$/.test(name))
const files = () =>
  Object.fromEntries(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]))
const school = loadSchool(folder)

describe('the demonstration school', () => {
  it('has 60 students, at least ten in each grade, each with a name of their own', () => {
    expect(school.roster).toHaveLength(60)
    expect(new Set(school.roster.map(({ student_id }) => student_id)).size).toBe(60)
    expect(new Set(school.roster.map(({ name }) => name)).size).toBe(60)
    for (const grade of ['9', '10', '11', '12'])
      expect(school.roster.filter((student) => student.grade === grade).length, grade).toBeGreaterThanOrEqual(10)
  })

  it('gives guardians reserved numbers only, and counselors who exist', () => {
    const numbers = school.rosterCsv.match(/[\d-]*\d{3}-\d{4}/g) ?? []
    expect(numbers.length).toBeGreaterThan(school.roster.length)
    for (const number of numbers) expect(number).toMatch(/^\d{3}-555-01\d\d$/)
    const counselors = school.people.filter(({ role }) => role === 'COUNSELOR').map(({ name }) => name)
    for (const student of school.roster) {
      expect(counselors).toContain(student.counselor)
    }
  })

  it('has people for each role', () => {
    const roles = school.people.map(({ role }) => role)
    expect(roles.filter((role) => role === 'COUNSELOR')).toHaveLength(3)
    expect(roles).toContain('CLINICIAN')
    expect(roles).toContain('ADMIN')
  })

  it('has at least 16 written stories of different themes and every shape, one student each', () => {
    expect(school.stories.length).toBeGreaterThanOrEqual(16)
    expect(new Set(school.stories.map(({ theme }) => theme)).size).toBeGreaterThanOrEqual(16)
    expect(new Set(school.stories.map(({ student }) => student)).size).toBe(school.stories.length)
    expect([...new Set(school.stories.map(({ shape }) => shape))].sort()).toEqual([
      'recovering',
      'stable',
      'sudden',
      'worsening',
    ])
  })

  it('leaves the reply to a crisis to the fixed protocol', () => {
    const transcripts = [
      ...school.stories.flatMap(({ sessions }) => sessions.map(({ turns }) => turns)),
      ...[school.incidents.first, school.incidents.second, ...school.incidents.later, ...school.incidents.past].map(
        ({ turns }) => turns,
      ),
    ]
    for (const turns of transcripts)
      turns.forEach((turn, index) => {
        if (turn.expected === 'crisis') expect(turns[index + 1]?.role, turn.text).not.toBe('assistant')
      })
  })

  it('keeps the assistant short and free of diagnoses', () => {
    const spoken = [
      ...school.everyday.conversations.map(({ turns }) => turns),
      ...school.stories.flatMap(({ sessions }) => sessions.map(({ turns }) => turns)),
    ]
      .flat()
      .filter(({ role }) => role === 'assistant')
    for (const { text } of spoken) {
      expect(text.length, text).toBeLessThanOrEqual(200)
      expect(text).not.toMatch(/\byou (are|have|seem) (depressed|depression|anxiety|suicidal|ill|a disorder)/i)
      // Nobody has been reached before that is so.
      expect(text).not.toMatch(/\b(has|have) been (told|informed|notified|called)\b/i)
    }
  })
})

describe('care', () => {
  // Methods, means, places and figures that no text of the school may hold.
  const never = [
    'pills?', 'overdos\\w*', 'medications?', 'meds', 'guns?', 'firearms?', 'rifles?', 'bullets?', 'weapons?', 'kni(?:fe|ves)', 'razors?', 'blades?',
    'scissors', 'ropes?', 'noose', 'hang(?:ed|ing)? (?:my|him|her|them)sel\\w+', 'bridges?', 'roof\\w*', 'ledges?', 'train tracks', 'railways?',
    'jump(?:ed|ing)? off', 'poison\\w*', 'bleach', 'drown\\w*', 'suffocat\\w*', 'wrists?', 'blood\\w*', 'bleed\\w*', 'scars?', 'wounds?', 'cutting',
    'calories?', 'kilos?', 'pounds', 'lbs', 'kg', 'bmi', 'laxatives?', 'purg\\w+', 'vomit\\w*', 'throw(?:ing)? up',
  ] // prettier-ignore
  const word = new RegExp(`\\b(?:${never.join('|')})\\b`, 'i')

  it.each(names)('%s names no method and no means', (name) => {
    const found = word.exec(readFileSync(join(folder, name), 'utf8'))
    expect(found?.[0] ?? null).toBeNull()
  })

  it('notices such a word', () => {
    expect(word.test('he had a rope')).toBe(true)
    expect(word.test('we hung out and trained')).toBe(false)
  })

  it('says of every story that it was read for care', () => {
    for (const { reviewed } of school.stories) expect(reviewed.length).toBeGreaterThan(30)
  })
})

describe('a file that is wrong', () => {
  const broken = (name: string, change: (text: string) => string) => {
    const all = files()
    all[name] = change(all[name] as string)
    return () => readSchool(all)
  }

  it('is named with the path and the problem', () => {
    const people = broken('people.yaml', (text) => text.replace('role: CLINICIAN', 'role: WIZARD'))
    expect(people).toThrow(DemonstrationFileError)
    expect(people).toThrow(/^people\.yaml: people\.3\.role: /)
  })

  it('is named when it is no YAML, or missing', () => {
    expect(broken('everyday.yaml', () => 'a: [')).toThrow(/^everyday\.yaml: is not YAML/)
    const { 'people.yaml': _, ...without } = files()
    expect(() => readSchool(without)).toThrow('people.yaml: is missing')
  })

  it('is named when a turn has no speaker or an unknown tier', () => {
    const story = 'stories/01-jonah-sudden.yaml'
    expect(broken(story, (text) => text.replace('assistant: Busy week', 'Busy week'))).toThrow(
      /^stories\/01-jonah-sudden\.yaml: sessions\.0\.turns: turn 2 /,
    )
    expect(broken(story, (text) => text.replace('[crisis]', '[awful]'))).toThrow(/expects “awful”/)
  })

  it('is named when it speaks of somebody unknown', () => {
    const story = 'stories/01-jonah-sudden.yaml'
    expect(broken(story, (text) => text.replace('NG-1001', 'NG-9999'))).toThrow(/student: is not on the roster/)
    expect(broken(story, (text) => text.replace('by: k-osei', 'by: nobody'))).toThrow(/“nobody” is not in people/)
  })
})
