import { afterEach, describe, expect, it } from 'vitest'
import { legacyCrisis } from '../support/events.ts'
import type { InboxChange, SchoolQuestion } from '../../shared/views.ts'
import { hashInRoster, openConsole, otherSchool, rosterSalt, type OpenConsole } from '../support/open-console.ts'
import { testSchool } from '../support/sign-in.ts'

let console: OpenConsole | undefined
afterEach(() => console?.stop())

it('a school whose id is written in upper case, or in braces, is alarmed of its own crises', async () => {
  console = await openConsole({ PSYFLO_SCHOOL_ID: `{${testSchool.toUpperCase()}}` })
  await console.receive(
    legacyCrisis({ session_id: 'one', idempotency_key: 'one-1', school_id: testSchool }),
    legacyCrisis({ session_id: 'two', idempotency_key: 'two-1', school_id: testSchool.toUpperCase() }),
    legacyCrisis({ session_id: 'three', idempotency_key: 'three-1' }),
  )
  const { rows } = await console.as('COUNSELOR').alerts.page({ filter: 'open', offset: 0, limit: 10 })
  expect(rows).toHaveLength(3)
  expect(await console.as('ADMIN').quarantine.list()).toEqual([])
})

describe('a console that was told no school', () => {
  const page = { filter: 'all', offset: 0, limit: 10 } as const
  const one = { offset: 0, limit: 10 }
  const crisisOf = (session_id: string, school_id?: string) =>
    legacyCrisis({ session_id, idempotency_key: `${session_id}-1`, ...(school_id !== undefined && { school_id }) })
  const open = async () => {
    const opened = await openConsole({ PSYFLO_SIGN_IN_TOKEN: '', PSYFLO_JWT_SECRET: '' })
    console = opened
    return { ...opened, calls: opened.router.createCaller(opened.running.contextFor('somebody')) }
  }
  const asked = async (calls: Awaited<ReturnType<typeof open>>['calls']): Promise<SchoolQuestion> => {
    for await (const question of await calls.school.question()) return question
    throw new Error('nothing was said')
  }

  it('shows, counts and notifies the alerts of all, labelled, without what was said', async () => {
    const { calls, notified, receive } = await open()
    await receive(crisisOf('here', testSchool), crisisOf('there', otherSchool), crisisOf('nowhere'))
    const { rows } = await calls.alerts.page(page)
    expect(rows.map(({ session_id, student }) => [session_id, student.school, student.name]).sort()).toEqual([
      ['here', testSchool, null],
      ['nowhere', '', null],
      ['there', otherSchool, null],
    ])
    expect(await calls.alerts.counts()).toMatchObject({ open: 3, unacknowledged: 3 })
    expect(notified.join()).toContain('Crisis alert')
    for (const row of rows) {
      if (row.kind !== 'alert') throw new Error('not an alert')
      expect((await calls.alerts.detail({ key: row.key })).may_reveal).toBe(false)
      await expect(calls.alerts.reveal({ key: row.key, reason: 'To help.' })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      await expect(calls.sessions.messages({ id: row.session_id, ...one })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await calls.alerts.acknowledge({ key: rows[0]?.kind === 'alert' ? rows[0].key : '' })
    expect(await calls.alerts.counts()).toMatchObject({ unacknowledged: 2 })
    expect((await asked(calls))?.schools.map(({ school_id }) => school_id).sort()).toEqual([testSchool, otherSchool])
  })

  it('serves the one that a person names, at once, and sets the others’ crises aside in sight', async () => {
    const { calls, parts, queue, receive } = await open()
    await receive(crisisOf('here', testSchool), crisisOf('there', otherSchool))
    await expect(calls.school.name({ school_id: 'somewhere' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await calls.school.name({ school_id: testSchool.toUpperCase() })
    expect(await asked(calls)).toBeNull()
    expect((await calls.me.get()).person.school_id).toBe(testSchool)
    const shown = await calls.alerts.page(page)
    expect(shown.rows).toMatchObject([{ session_id: 'here' }])
    expect(shown.rows[0]?.student).not.toHaveProperty('school')
    expect(await calls.quarantine.list()).toMatchObject([{ reason: 'belongs to another school', names_crisis: true }])
    await queue.send(crisisOf('again', otherSchool))
    await expect.poll(async () => (await calls.quarantine.list()).length, { timeout: 10_000 }).toBe(2)
    expect(parts.strip.now()).toMatchObject({ open: 1, quarantined_crises: 2 })
    await expect(calls.school.name({ school_id: otherSchool })).rejects.toThrow('already knows its school')
  })

  it('pushes nothing of another school to a window that was open before, and names its own students', async () => {
    const { as, calls, keep, parts, receive } = await open()
    const student_hash = hashInRoster('1')
    await receive(crisisOf('there', otherSchool))
    const changes = (await calls.alerts.changes())[Symbol.asyncIterator]()
    const next = async () => (await changes.next()).value as InboxChange
    const [theirs] = (await next()).rows
    await calls.alerts.acknowledge({ key: theirs?.key ?? '' })
    expect((await next()).rows).toMatchObject([{ session_id: 'there', state: 'acknowledged' }])

    await calls.school.name({ school_id: testSchool })
    expect(await next()).toMatchObject({ rows: [], announce: [], everything: true, counts: { open: 0 } })
    parts.changes.tell(keep({ ...crisisOf('there', otherSchool), idempotency_key: 'there-2', consensus_score: 1 }))
    expect(await next()).toMatchObject({ rows: [], announce: [], counts: { open: 0 } })
    await as('ADMIN').roster.import({ csv: 'student id,name\n1,Somebody\n', salt: rosterSalt })
    expect(await next()).toMatchObject({ everything: true })
    await receive({ ...crisisOf('here', testSchool), student_hash })
    expect((await next()).rows).toMatchObject([{ session_id: 'here', student: { name: 'Somebody' } }])
  })
})
