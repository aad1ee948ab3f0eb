/**
 * Two schools of a district, from nothing to an acknowledged alert: one station on PostgreSQL, one topic, a console of
 * each school. Every program is the built one in a process of its own.
 */
import { expect, test, type Page } from '@playwright/test'
import { join } from 'node:path'
import { intakeClient } from '../../main/chat/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { openDatabase, openKeys } from '../../main/store/console/index.ts'
import { postgresMissing, startPostgres } from '../support/postgres.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { openPage } from '../support/real-console.ts'
import { detail, inbox, pressOnAlert } from '../support/screens.ts'
import { admin, changePlaces, doctor, enrol, headersFor, importRoster, openSeat, type Seat } from '../support/seats.ts'
import { goTo } from '../support/shared-demo.ts'
import { testSchool, testSecret } from '../support/sign-in.ts'
import { startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'

interface School {
  id: string
  /** Of its chat, at the station. */
  key: string
  /** Both schools have a student of the same id: nothing but the salt tells their pseudonyms apart. */
  student: string
  counselor: string
  /** A word that only its student says. */
  mark: string
}
const student = 'S-1001'
const lakeside: School = {
  id: testSchool,
  key: 'key-of-the-chat-of-lakeside',
  student: 'Ada Lakewell',
  counselor: 'J. Marlow',
  mark: 'Marmalade',
}
const hilltop: School = {
  id: '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90',
  key: 'key-of-the-chat-of-hilltop',
  student: 'Ben Hillman',
  counselor: 'B. Osei',
  mark: 'Rhubarb',
}
const schools = [lakeside, hilltop] as const
const other = (school: School): School => (school === lakeside ? hilltop : lakeside)
const words = ({ mark }: School) => `${mark}. I am going to kill myself tonight.`

/** A seat of one of them. */
type SchoolSeat = Seat & { of: School }

test.skip(postgresMissing !== null, postgresMissing ?? '')
test.describe.configure({ timeout: 240_000 })

test(
  'each console of two schools shows its own student by name and in words, and of the other school nothing',
  {
    tag: '@long',
  },
  async ({ browser }) => {
    const postgres = await startPostgres({ durable: true })
    const queue = await startQueueServer()
    const ends: (() => unknown)[] = [() => postgres.remove(), () => queue.stop()]
    try {
      const seats: SchoolSeat[] = []
      for (const of of schools) {
        const seat = await openSeat(browser, queue, { school: of.id, queueName: `psyflo-events-${of.mark}` }, ends)
        // The same object: who sits there changes places later.
        seats.push(Object.assign(seat, { of }))
      }
      const [here, there] = seats as [SchoolSeat, SchoolSeat]
      const { url } = await postgres.createDatabase('station')
      const station = await startStationProcess({
        ...stationEnv(queue),
        PSYFLO_DATABASE_URL: url,
        PSYFLO_SCHOOL_ID: lakeside.id,
        PSYFLO_JWT_SECRET: testSecret,
        CONSULTX_API_KEYS: schools.map(({ key, id }) => `${key}:${id}`).join(),
      })
      ends.push(() => station.stop())

      for (const seat of seats) await enrol(station, seat, other(seat.of).id)
      for (const seat of seats) await importRoster(station, seat, rosterOf(seat.of))
      // From now on a counselor of the school sits where the admin sat.
      for (const seat of seats)
        await changePlaces(seat, { sub: `counselor of ${seat.of.mark}`, name: seat.of.counselor })

      const sessions = new Map<School, string>()
      for (const { of: school, page } of seats) {
        const { session_id, answered } = await say(station, school)
        sessions.set(school, session_id)
        await expect(inbox(page).getByRole('link').filter({ hasText: school.student })).toBeVisible()
        expect(performance.now() - answered).toBeLessThan(5_000)
      }
      for (const { of: school, page } of seats) {
        const rows = inbox(page).getByRole('link')
        await expect(rows).toHaveCount(1)
        await rows.first().click()
        await pressOnAlert(page, 'e')
        await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
        await expect(detail(page)).toContainText(words(school))
        await picture(page, `evidence-${school.mark}`)
        for (const screen of ['Alerts', 'Students', 'Sessions', 'Overview', 'Settings']) {
          await goTo(page, screen)
          await expect(page.locator('#screen')).not.toHaveText('')
          await expectNothingOf(other(school), page)
        }
        await goTo(page, 'Sessions')
        await page.getByRole('list', { name: 'Sessions' }).getByRole('button').first().click()
        await expect(page.locator('[data-message]').filter({ hasText: words(school) })).toBeVisible()
        await expectNothingOf(other(school), page)
      }

      await expectNoWayByGuessing(here, there, sessions)
      for (const school of schools) await expectNoWayAtTheStation(station, school, sessions.get(other(school)) ?? '')

      await goTo(here.page, 'Alerts')
      await inbox(here.page).getByRole('link').first().click()
      await detail(here.page).getByRole('button', { name: 'Acknowledge' }).click()
      await expect(detail(here.page)).toContainText('J. Marlow acknowledged')
      await expect(detail(here.page).getByText('confirmed', { exact: true })).toBeVisible()
      await picture(here.page, 'confirmed')
      await goTo(there.page, 'Alerts')
      await expect(inbox(there.page).getByRole('link')).toHaveCount(1)
      await expect(inbox(there.page)).toContainText('acknowledge within')
      await expectNothingOf(lakeside, there.page)
      await picture(there.page, 'other-school')

      expect((await logOf(here)).filter(({ event_type }) => event_type === 'ALERT_ACTION')).toMatchObject([
        { school_id: lakeside.id, position: 1 },
      ])
      expect((await logOf(there)).filter(({ event_type }) => event_type === 'ALERT_ACTION')).toEqual([])
      for (const seat of seats) {
        const log = await logOf(seat)
        expect(new Set(log.map(({ school_id }) => school_id))).toEqual(new Set([seat.school]))
        expect(JSON.stringify(log)).not.toContain(sessions.get(other(seat.of)))
        const open = seat === here ? 0 : 1
        // A session's start, its message, the crisis, and the three rungs of the ladder, which at a school without a
        // directory found nobody and came at once.
        const counts = { events: 6, alerts: 1, open, quarantined: 0, outbox_pending: 0 }
        // What was handed to the console that sat here before comes again once it is visible again.
        await expect.poll(() => doctor(seat), { timeout: 30_000 }).toMatchObject({ audit_ok: true, counts })
      }
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
)

/** Looks at what a test sees: PICTURES=FOLDER keeps it. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `two-schools-${name}.png`) })
}

const rosterOf = (school: School): string =>
  `student id,name,grade,class,counselor,guardian contact\n${student},${school.student},10,10B,${school.counselor},555-0142\n`

/** The student says it in the school's chat, which is answered with the protocol. */
async function say(station: StationProcess, school: School): Promise<{ session_id: string; answered: number }> {
  const chat = intakeClient({
    target: () => ({ url: station.url, key: school.key }),
    clock: systemClock,
    signal: new AbortController().signal,
    tries: 3,
  })
  const { session_id } = await chat.startSession({ user_id: student })
  const said = { sender: 'user', content: words(school), client_message_id: 'first' } as const
  const answer = await chat.send(session_id, said)
  expect(answer.tier).toBe('crisis')
  expect(answer.reply).not.toBeNull()
  return { session_id, answered: performance.now() }
}

async function expectNothingOf({ student: name, mark, counselor, id }: School, page: Page): Promise<void> {
  const shown = await page.evaluate(() => document.documentElement.outerHTML)
  for (const secret of [name, mark, counselor, id]) expect(shown).not.toContain(secret)
}

/** Asks a console for what it does not have, by the ids that the other school's console knows. */
async function expectNoWayByGuessing(
  here: SchoolSeat,
  there: SchoolSeat,
  sessions: ReadonlyMap<School, string>,
): Promise<void> {
  const page = { offset: 0, limit: 50 }
  for (const [seat, strange] of [
    [here, there],
    [there, here],
  ] as const) {
    const own = await windowAt(seat)
    const foreign = await windowAt(strange)
    const id = sessions.get(strange.of) ?? ''
    // The ids are right: where they belong each of these answers.
    const { student_hash } = (await foreign.calls.sessions.get.query({ id })).student
    const [row] = (await foreign.calls.alerts.page.query({ filter: 'all', ...page })).rows
    const key = row?.kind === 'alert' ? row.key : ''
    expect((await foreign.calls.sessions.messages.query({ id, ...page })).rows).toHaveLength(1)
    expect((await foreign.calls.alerts.detail.query({ key })).key).toBe(key)
    const guesses: [string, () => Promise<unknown>][] = [
      ['session', () => own.calls.sessions.get.query({ id })],
      ['transcript', () => own.calls.sessions.messages.query({ id, ...page })],
      ['student', () => own.calls.students.get.query({ student_hash })],
      ['trajectory', () => own.calls.students.trajectory.query({ student_hash })],
      ['sessions of the student', () => own.calls.students.sessions.query({ student_hash, ...page })],
      ['alert', () => own.calls.alerts.detail.query({ key })],
      ['evidence', () => own.calls.alerts.reveal.mutate({ key, reason: 'To help.' })],
      ['acknowledgement', () => own.calls.alerts.acknowledge.mutate({ key })],
    ]
    for (const [what, guess] of guesses)
      expect(await guess().then(() => 'answered', refusal), what).toMatch(/NOT_FOUND|FORBIDDEN/)
    void own.close()
    void foreign.close()
  }
}

const refusal = (error: unknown): string => String((error as { data?: { code?: string } }).data?.code)

/** Another window of the console, at its API. */
async function windowAt({ dataDir }: Seat) {
  const opened = await openAgain({ dataDir, demo: false, port: 0 }, systemClock)
  if (opened === null) throw new Error('The console does not answer any more.')
  return openPage(opened.address)
}

/** With the key of its chat and the token of its admin a school reaches nothing of the other one's. */
async function expectNoWayAtTheStation(station: StationProcess, school: School, foreign: string): Promise<void> {
  const chat = { authorization: `Bearer ${school.key}`, 'content-type': 'application/json' }
  const ask = async (headers: Record<string, string>, path: string, body?: object) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(new URL(path, station.url), { headers, ...sent })
    return { status: answer.status, text: await answer.text() }
  }
  const session = `/sessions/${foreign}`
  for (const [path, body] of [
    [session],
    [`${session}/summary`],
    [`${session}/messages`, { sender: 'user', content: 'hello' }],
    [`${session}/end`, {}],
  ] as [string, object?][])
    expect((await ask(chat, path, body)).status, path).toBe(404)
  const listed = await ask(chat, `/sessions?user_id=${student}`)
  expect((JSON.parse(listed.text) as { sessions: unknown[] }).sessions).toHaveLength(1)
  expect(listed.text).not.toContain(foreign)

  const token = await headersFor(school.id)
  expect((await ask(token, session)).status).toBe(401)
  expect((await ask(token, `/salt?school_id=${other(school).id}`)).status).toBe(403)
  expect((await ask(token, `/consoles?school_id=${other(school).id}`)).status).toBe(403)
  expect((await ask(chat, '/consoles')).status).toBe(401)
  // Each school has a directory of its own: what one saves, the other neither reads nor changes.
  const phone = school === lakeside ? '+15550142001' : '+15550142002'
  const channels = { sms: phone, voice: null, email: null }
  const person = { id: admin.sub, name: admin.name, school_ids: [school.id], channels }
  const policy = {
    people: [{ ...person, role: 'ADMIN' }],
    calendar: { time_zone: 'America/New_York', closed: [], periods: [] },
    crisis_numbers: [],
  }
  const put = (path: string, body: object, headers: Record<string, string> = token) =>
    fetch(new URL(path, station.url), { method: 'PUT', headers, body: JSON.stringify(body) })
  expect((await put('/policy', policy, { ...token, 'if-match': '"0"' })).status).toBe(200)
  const kept = await ask(token, '/policy')
  expect(JSON.parse(kept.text)).toMatchObject({ version: 1, policy })
  expect(kept.text).not.toContain(other(school).id)
  const ofOther = { ...policy, people: [{ ...person, role: 'ADMIN', school_ids: [other(school).id] }] }
  expect((await put('/policy', ofOther, { ...token, 'if-match': '"1"' })).status).toBe(422)
  const assignments = [{ student_hash: 'f'.repeat(64), person_id: 'a stranger' }]
  expect((await put('/assignments', { assignments })).status).toBe(422)
  expect((await ask(chat, '/policy')).status).toBe(401)
  // The chat's key tells no past.
  expect((await ask(chat, '/records', { records: [] })).status).toBe(403)

  const consoles = await ask(token, '/consoles')
  expect(consoles.text).toContain(school.id)
  expect(consoles.text).not.toContain(other(school).id)
}

/** What a console has taken from its queue, read from its file beside it. */
async function logOf({ dataDir, env }: Seat): Promise<{ event_type: string; school_id: string; position: number }[]> {
  const provider = passphraseProvider(env['PSYFLO_PASSPHRASE'] ?? '', systemRandomness)
  const { database } = await openKeys(dataDir, provider, systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database, { readonly: true })
  try {
    return db
      .prepare(
        `SELECT event_type, school_id, session_id, json_extract(body, '$.position') AS position
         FROM events WHERE origin = 'queue' ORDER BY seq`,
      )
      .all() as { event_type: string; school_id: string; position: number }[]
  } finally {
    db.close()
  }
}
