import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkKind } from '../../../../shared/links.ts'
import { insertSchoolKey } from '../../../../main/store/console/index.ts'
import {
  hashInRoster,
  openConsole,
  otherSchool,
  refusalOf,
  rosterSalt,
  type OpenConsole,
} from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { crisis } from '../../../support/wire.ts'

let at: OpenConsole
const ada = hashInRoster('1')
const unnamed = 'ab12'.repeat(16)
const keyOf = (session: string) =>
  String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(session))

beforeAll(async () => {
  at = await openConsole()
  const event = (session_id: string, student_hash: string, category: string, school_id = testSchool) =>
    crisis({ at: Date.now(), session_id, student_hash, school_id, matched_patterns: [category] })
  await at.receive(event('ada', ada, 'suicidal_intent'), event('unnamed', unnamed, 'self_harm'))
  at.keep(event('elsewhere', 'ab12'.repeat(16), 'self_harm', otherSchool))
  await at.as('ADMIN').roster.import({ csv: 'student id,name\n1,Ada Marsh\n', salt: rosterSalt })
}, 30_000)
afterAll(() => at.stop())

describe('what is typed', () => {
  const look = async (text: string, role: Parameters<OpenConsole['as']>[0] = 'COUNSELOR', school = testSchool) => {
    const { students, alerts } = await at.as(role, school).find.look({ text })
    return {
      students: students.map(({ student }) => student.name ?? student.pseudonym),
      alerts: alerts.map(({ session_id }) => session_id),
    }
  }

  it('finds students and alerts by a name, a pseudonym as it stands on screen, and a category', async () => {
    expect(await look('marsh')).toEqual({ students: ['Ada Marsh'], alerts: ['ada'] })
    expect(await look('Student AB12')).toEqual({ students: ['AB12'], alerts: ['unnamed'] })
    expect((await look('suicidal intent')).alerts).toEqual(['ada'])
    expect((await look('self-harm')).alerts).toEqual(['unnamed'])
    expect(await look('nobody of that name')).toEqual({ students: [], alerts: [] })
  })

  it('finds what the role lists and no more, in the person’s own school', async () => {
    expect(await look('marsh', 'ADMIN')).toEqual({ students: [], alerts: ['ada'] })
    expect(await look('marsh', 'CLINICIAN', otherSchool)).toEqual({ students: [], alerts: [] })
    expect(await look('ab12', 'CLINICIAN', otherSchool)).toEqual({ students: ['AB12'], alerts: ['elsewhere'] })
  })
})

describe('an address', () => {
  const link = (kind: LinkKind, subject: string) => at.as('COUNSELOR').find.link({ kind, subject })
  const follow = (kind: LinkKind, id: string, school = testSchool, role = 'COUNSELOR' as const) =>
    at.as(role, school).find.follow({ kind, id })

  it('leads to its alert, student or record, and shows nothing of either', async () => {
    for (const [kind, subject] of [
      ['alerts', keyOf('ada')],
      ['students', ada],
      ['incident', keyOf('ada')],
    ] as const) {
      const { id } = await link(kind, subject)
      expect(id).toMatch(/^[\w-]{32}$/)
      expect(subject).not.toContain(id.slice(0, 8))
      expect(await follow(kind, id)).toEqual({ subject })
      expect(await link(kind, subject)).toEqual({ id })
    }
  })

  it('leads nowhere in another school, under another kind, and where nobody made it, and says so', async () => {
    const { id } = await link('students', unnamed)
    for (const lost of [
      () => follow('students', id, otherSchool),
      () => follow('alerts', id),
      async () => follow('incident', (await link('alerts', keyOf('ada'))).id),
      () => follow('students', 'A'.repeat(32)),
    ])
      expect(await refusalOf(at, lost)).toMatchObject({ code: 'NOT_FOUND', personal: { code: 'link_unknown' } })
    expect(await refusalOf(at, () => link('alerts', keyOf('elsewhere')))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of a student is none for whoever sees no students', async () => {
    const { id } = await link('students', ada)
    const admin = at.as('ADMIN').find
    expect(await refusalOf(at, () => admin.follow({ kind: 'students', id }))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refusalOf(at, () => admin.link({ kind: 'students', subject: ada }))).toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  it('is the same at every console that has the school’s key, and older ones go on leading there', async () => {
    const before = await link('alerts', keyOf('ada'))
    insertSchoolKey(at.parts.db, {
      school_id: testSchool,
      key_id: 'key',
      content_key: Buffer.alloc(32, 7),
      fingerprint: 'fingerprint',
      approved_at: 1,
    })
    const after = await link('alerts', keyOf('ada'))
    expect(after).not.toEqual(before)
    const own = at.parts.linkKey
    at.parts.linkKey = '00'.repeat(32)
    expect(await link('alerts', keyOf('ada'))).toEqual(after)
    at.parts.linkKey = own
    for (const { id } of [before, after]) expect(await follow('alerts', id)).toEqual({ subject: keyOf('ada') })
  })
})
