import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertKeysOf, schoolsResolved } from '../../../../main/store/console/index.ts'
import { compareInbox } from '../../../../shared/inbox-order.ts'
import type { InboxChange } from '../../../../shared/views.ts'
import { openConsole, otherSchool, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { analyzed, crisis, hashOf } from '../../../support/wire.ts'

let at: OpenConsole
beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())

const now = Date.now()
let sent = 0
const event = (session_id: string, school_id: string | undefined, more = {}) =>
  crisis({
    at: now + ++sent,
    session_id,
    student_hash: hashOf(session_id),
    school_id,
    message_id: `m-${sent}`,
    ...more,
  })

/** What a person’s window is told, one change at a time. */
async function listenAs(school: string) {
  const changes = (await at.as('COUNSELOR', school).alerts.changes())[Symbol.asyncIterator]()
  const next = async (): Promise<InboxChange> => {
    const { value, done } = await changes.next()
    if (done) throw new Error('the subscription ended')
    return value as InboxChange
  }
  const first = await next()
  return { first, next }
}
/** Commits events as one change, as the consumer does. */
function commit(...events: object[]) {
  at.parts.changes.tell(at.keep(...events))
}
const sessionsOf = ({ rows }: InboxChange) => rows.map(({ session_id }) => session_id)

it('carries a new alert as the very row that the page would show', async () => {
  const { first, next } = await listenAs(testSchool)
  expect(first).toMatchObject({ everything: true, removed: [] })
  await at.receive(event('s-1', testSchool))
  const change = await next()
  const page = await at.as('COUNSELOR').alerts.page({ filter: 'open', offset: 0, limit: 10 })
  expect(change.rows.map((row) => ({ kind: 'alert', ...row }))).toEqual(page.rows)
  expect(change).toMatchObject({
    announce: [change.rows[0]?.key],
    counts: { open: 1, unacknowledged: 1 },
    everything: false,
  })
})

it('does not announce an alert that somebody has taken by the time it is told', async () => {
  const { next } = await listenAs(testSchool)
  commit(event('s-taken', testSchool))
  const { rows } = await at.as('COUNSELOR').alerts.page({ filter: 'open', offset: 0, limit: 10 })
  const taken = rows.find((row) => row.kind === 'alert' && row.session_id === 's-taken')
  await at.as('COUNSELOR').alerts.acknowledge({ key: taken?.kind === 'alert' ? taken.key : '' })
  const change = await next()
  expect(sessionsOf(change)).toEqual(['s-taken'])
  expect(change.announce).toEqual([])
  // That it was sent is a change of its own, and told by now.
  await expect.poll(() => at.parts.strip.now().outbox_pending).toBe(0)
})

it('carries a change that is no news without announcing it', async () => {
  const [row] = (await listenAs(testSchool)).first.rows
  const { next } = await listenAs(testSchool)
  await at.as('COUNSELOR').alerts.acknowledge({ key: row?.key ?? '' })
  expect(await next()).toMatchObject({
    rows: [{ key: row?.key, state: 'acknowledged', owner: { name: 'J. Marlow' } }],
    announce: [],
    counts: { unacknowledged: 0 },
  })
  // That it was sent is a change of its own, and told by now.
  await expect.poll(() => at.parts.strip.now().outbox_pending).toBe(0)
})

it('brings the count of the watch list after a message of the caution tier', async () => {
  const { next } = await listenAs(testSchool)
  const message = { at: now, session_id: 'watched', student_hash: hashOf('watched'), school_id: testSchool }
  commit(analyzed(message))
  commit(analyzed({ ...message, tier: 'caution', level: 'CAUTION', score: 0.7 }))
  const change = await next()
  expect(change).toMatchObject({ rows: [], removed: [], announce: [], counts: { watch: 1 }, everything: false })
  const { rows } = await at.as('COUNSELOR').alerts.page({ filter: 'watch', offset: 0, limit: 10 })
  expect(rows).toMatchObject([{ kind: 'watched', session_id: 'watched', message_count: 2 }])
})

it('shows a person nothing of another school, whatever was committed together', async () => {
  const here = await listenAs(testSchool)
  const there = await listenAs(otherSchool)
  commit(event('ours', testSchool), event('theirs', otherSchool))
  const [ours, theirs] = [await here.next(), await there.next()]
  expect([sessionsOf(ours), sessionsOf(theirs)]).toEqual([['ours'], ['theirs']])
  expect([ours.announce, theirs.announce]).toEqual([[ours.rows[0]?.key], [theirs.rows[0]?.key]])
  expect(JSON.stringify(ours)).not.toContain(hashOf('theirs'))
})

it('names no key of another school, whatever was sent, merged or moved there', async () => {
  commit(
    event('shared', testSchool),
    event('shared', otherSchool),
    event('their-late', otherSchool, { at: now + 40 * 60_000 }),
  )
  const keyOf = (school: string, session: string) =>
    at.parts.db
      .prepare('SELECT key FROM alerts WHERE school_id = ? AND session_id = ? ORDER BY opened_at DESC')
      .pluck()
      .get(school, session) as string
  const [here, there] = [await listenAs(testSchool), await listenAs(otherSchool)]
  const merged = keyOf(otherSchool, 'their-late')
  commit(event('their-late', otherSchool, { at: now + 30 * 60_000 }))
  expect((await there.next()).removed).toEqual([merged])
  // Their acknowledgement went out, of a session that is called like one of ours.
  const key = keyOf(otherSchool, 'shared')
  const { ack_id } = await at.as('COUNSELOR', otherSchool).alerts.acknowledge({ key })
  expect(alertKeysOf(at.parts.db, ack_id)).toEqual([key])
  expect((await there.next()).rows).toMatchObject([{ key }])
  // All of it was heard before this.
  commit(event('last', testSchool))
  const heard: InboxChange[] = []
  do heard.push(await here.next())
  while (!sessionsOf(heard.at(-1) as InboxChange).includes('last'))
  for (const theirs of [merged, key]) expect(JSON.stringify(heard)).not.toContain(theirs)
  expect(heard.flatMap(({ removed }) => removed)).toEqual([])
})

it('tells everybody who saw an alert of unknown school that it is gone, once it is another’s', async () => {
  commit(event('unknown', undefined))
  const { first, next } = await listenAs(testSchool)
  const key = first.rows.find(({ session_id }) => session_id === 'unknown')?.key
  const { db, changes, eventLog } = at.parts
  changes.commit((altered) => altered.add(eventLog.append(schoolsResolved(db, otherSchool, now))))
  expect(await next()).toMatchObject({ rows: [], removed: [key] })
})

it('names the keys that are gone when two alerts become one', async () => {
  commit(event('late', testSchool, { at: now + 40 * 60_000 }))
  const { first, next } = await listenAs(testSchool)
  const late = first.rows.find(({ session_id }) => session_id === 'late')?.key
  // An earlier message of the same half hour arrives after it: the alert begins with that one now.
  commit(event('late', testSchool, { at: now + 30 * 60_000 }))
  const change = await next()
  expect(change.removed).toEqual([late])
  expect(change.rows).toMatchObject([{ session_id: 'late' }])
})

it('says the most urgent first, and in a flood no more than a person can take in', async () => {
  const { next } = await listenAs(testSchool)
  commit(...Array.from({ length: 120 }, (_, index) => event(`flood-${index}`, testSchool)))
  const change = await next()
  expect(change).toMatchObject({ everything: true, removed: [] })
  expect(change.announce).toEqual(change.rows.map(({ key }) => key))
  expect(change.rows).toHaveLength(50)
  // Of one severity: who has waited longest.
  expect(change.rows).toEqual([...change.rows].sort(compareInbox))
  const waitsSince = change.rows.map((row) => row.received_at)
  expect(waitsSince).toEqual([...waitsSince].sort((a, b) => a - b))
})

it('has the pages asked for again when a roster came: names may stand in any row', async () => {
  const { next } = await listenAs(testSchool)
  await at.as('ADMIN').roster.import({ csv: 'student id,name\n1,Somebody\n', salt: 'salt of the school' })
  expect(await next()).toMatchObject({ rows: [], everything: true })
})
