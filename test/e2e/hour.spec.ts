/**
 * The hour of a counselor, from the first sound to the last note, at two consoles of one school: a station that keeps its
 * records in a file, a topic, two queues. Every program is the built one in a process of its own. It is told by keyboard
 * alone, and by mouse. PICTURES=FOLDER keeps what they see.
 */
import { expect, test, type Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { intakeClient } from '../../main/chat/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { defaultGuide } from '../../shared/guide.ts'
import { keyboardHands, mouseHands, type Hands } from '../support/hands.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { detail, inbox } from '../support/screens.ts'
import {
  admin,
  changePlaces,
  doctor,
  enrol,
  headersFor,
  importRoster,
  openSeat,
  type Seat,
  type Sitter,
} from '../support/seats.ts'
import { testSchool, testSecret } from '../support/sign-in.ts'
import { startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'

const rivera: Sitter = { sub: 'rivera', name: 'A. Rivera', role: 'COUNSELOR' }
const osei: Sitter = { sub: 'osei', name: 'K. Osei', role: 'CLINICIAN' }
const chatKey = 'key-of-the-chat-of-lakeside'

interface Student {
  id: string
  name: string
  mother: string
  father: string
}
const ada: Student = { id: 'S-1001', name: 'Ada Lakewell', mother: 'Maria Lakewell', father: 'Tom Lakewell' }
const ben: Student = { id: 'S-1002', name: 'Ben Hillman', mother: 'Ruth Hillman', father: 'Carl Hillman' }
const students = [ada, ben] as const
const said = 'I am going to kill myself tonight.'
const saidSince = 'i am at home and nobody is here'

const heading = (number: number) =>
  ['name', 'relation', 'phone', 'do not contact'].map((part) => `guardian ${number} ${part}`)
const roster = [
  ['student id', 'name', 'grade', 'class', 'counselor', ...heading(1), ...heading(2)],
  ...students.map(({ id, name, mother, father }) => [
    ...[id, name, '10', '10B', rivera.name],
    ...[mother, 'mother', '555-0142', ''],
    ...[father, 'father', '555-0177', 'court order'],
  ]),
]
  .map((cells) => cells.join(','))
  .join('\n')
const timetable = [
  'student_id,weekday,from,to,subject,room',
  ...students.flatMap(({ id }) => [1, 2, 3, 4, 5, 6, 7].map((day) => `${id},${day},00:00,23:59,Biology,room 208`)),
].join('\n')

const unreached = { sms: null, voice: null, email: null }
const directory = {
  people: [
    { ...unlisted(admin), channels: { ...unreached, sms: '+15550142001' } },
    ...[rivera, osei].map((person) => ({ ...unlisted(person), channels: unreached })),
  ],
  calendar: { time_zone: 'UTC', closed: [], periods: [] },
  crisis_numbers: [{ name: 'School nurse', contact: '555-0110' }],
  guide: [...defaultGuide],
}
function unlisted({ sub, name, role }: Sitter) {
  return { id: sub, name, role, school_ids: [testSchool] }
}

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => detail(page).getByRole('button', { name })
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const steps = (page: Page) => detail(page).getByRole('list', { name: 'Steps' })
const history = (page: Page) => detail(page).getByRole('region', { name: 'What was done' })
const record = (page: Page) => page.getByRole('article', { name: 'Incident record' })

/** What was heard at a page, and shown by the desktop. */
interface Heard {
  /** When each sound began, UTC milliseconds. */
  sounds: number[]
}
const heard = (page: Page): Promise<Heard> => page.evaluate(() => (window as unknown as { heard: Heard }).heard)

/** Every sound begins with its first note. The browser makes it as ever. */
function listen(): void {
  const sounds: number[] = []
  Object.assign(window, { heard: { sounds } })
  const start = OscillatorNode.prototype.start
  let notes = 0
  OscillatorNode.prototype.start = function (when) {
    if (notes++ % 3 === 0) sounds.push(Date.now())
    start.call(this, when)
  }
}

test.describe.configure({ mode: 'serial', timeout: 240_000 })

test.describe('the hour, from the first sound to the last note', { tag: '@long' }, () => {
  let station: StationProcess
  let here: Seat
  let there: Seat
  const ends: (() => unknown)[] = []

  test.beforeAll(async ({ browser }) => {
    const queue = await startQueueServer()
    ends.push(() => queue.stop())
    here = await openSeat(browser, queue, { school: testSchool, queueName: 'psyflo-events-here' }, ends)
    there = await openSeat(browser, queue, { school: testSchool, queueName: 'psyflo-events-there' }, ends)
    station = await startStationProcess({
      ...stationEnv(queue),
      PSYFLO_SCHOOL_ID: testSchool,
      PSYFLO_JWT_SECRET: testSecret,
      CONSULTX_API_KEYS: `${chatKey}:${testSchool}`,
    })
    ends.push(() => station.stop())
    const put = { method: 'PUT', body: JSON.stringify(directory) }
    const headers = { ...(await headersFor(testSchool)), 'if-match': '"0"' }
    expect((await fetch(new URL('/policy', station.url), { ...put, headers })).status).toBe(200)
    for (const [seat, person] of [
      [here, rivera],
      [there, osei],
    ] as const) {
      await enrol(station, seat)
      await importRoster(station, seat, roster)
      await importTimetable(seat.page)
      seat.page.setDefaultTimeout(20_000)
      await seat.page.addInitScript(listen)
      await changePlaces(seat, person)
    }
  })
  test.afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  for (const [hands, student] of [
    [keyboardHands(), ada],
    [mouseHands(), ben],
  ] as const)
    test(`by ${hands.name}`, async () => tell(hands, { station, here, there }, student))
})

async function importTimetable(page: Page): Promise<void> {
  await page
    .getByLabel('Timetable (CSV)')
    .setInputFiles({ name: 'timetable.csv', mimeType: 'text/csv', buffer: Buffer.from(timetable) })
  await page.getByRole('button', { name: 'Save timetable' }).click()
  await expect(page.getByText(/14 lessons imported\./)).toBeVisible()
}

async function tell(
  hands: Hands,
  { station, here, there }: { station: StationProcess; here: Seat; there: Seat },
  student: Student,
): Promise<void> {
  const look = pictures(hands.name)
  const [counselor, clinician] = [here.page, there.page]
  // A browser lets sound begin once the person has touched the page.
  for (const page of [counselor, clinician]) await hands.screen(page, 'Alerts', 'g a')
  const before = { here: (await heard(counselor)).sounds.length, there: (await heard(clinician)).sounds.length }

  await test.step('a crisis is heard at both consoles; its words are read, and it is acknowledged', async () => {
    const speak = await speaker(station, student)
    await speak(said)
    await expect.poll(async () => (await heard(counselor)).sounds.length).toBe(before.here + 1)
    await expect.poll(async () => (await heard(clinician)).sounds.length).toBe(before.there + 1)
    await expect(counselor.getByRole('complementary', { name: 'New crisis' })).toContainText(student.name)
    await look(counselor, 'new-crisis')
    const first = hands.count()
    await hands.openNews(counselor)
    await expect(detail(counselor).locator('#alert-heading')).toContainText(student.name)
    await hands.act(counselor, 'e', 'Reveal evidence')
    await expect(dialog(counselor)).toContainText(student.name)
    if (hands.name === 'keyboard') await hands.press(dialog(counselor).getByLabel('Reason for reading'))
    else await hands.press(inDialog(counselor, 'Reveal evidence'))
    await expect(detail(counselor)).toContainText(said)
    await hands.act(counselor, 'a', 'Acknowledge')
    await expect(history(counselor)).toContainText('A. Rivera acknowledged')
    const took = Date.now() - ((await heard(counselor)).sounds[before.here] ?? 0)
    expect(hands.count() - first).toBeLessThanOrEqual(4)
    report(`By ${hands.name}: ${hands.count() - first} presses, ${took} ms from the sound to acknowledged.`)
    await speak(saidSince)
    await expect(detail(counselor)).toContainText(saidSince)
    await expect(detail(clinician).or(inbox(clinician)).first()).toContainText('A. Rivera')
    await look(counselor, 'acknowledged')
  })

  await test.step('steps are ticked, and the guardian who may be called does not answer, twice', async () => {
    for (const title of ['Be with the student', 'Ask directly about suicide', 'Make the place safe'])
      await hands.press(button(counselor, `Mark done: ${title}`))
    await expect(detail(counselor)).toContainText('3 of 7 done')
    const guardians = counselor.getByRole('list', { name: 'Guardians' })
    await expect(guardians).toContainText(/Do not contact.*Reason: court order/)
    await expect(guardians.getByRole('link', { name: new RegExp(`^Call ${student.father}`) })).toHaveCount(0)
    await expect(guardians.getByRole('button', { name: `Log a call: ${student.father}` })).toHaveCount(0)
    for (let call = 0; call < 2; call += 1) {
      await hands.press(guardians.getByRole('button', { name: `Log a call: ${student.mother}` }))
      await hands.choose(dialog(counselor).getByLabel('Result'), 'no answer')
      await look(counselor, 'call')
      await hands.send(inDialog(counselor, 'Save call'))
      await expect(dialog(counselor)).toHaveCount(0)
    }
    await expect(guardians).toContainText(`${student.mother}: no answer, 2 ×`)
    await look(counselor, 'called')
  })

  await test.step('it is handed to the colleague, whose console rings until she accepts', async () => {
    const rung = (await heard(clinician)).sounds.length
    await hands.act(counselor, 'h', 'Hand off')
    await hands.choose(dialog(counselor).getByLabel('To'), 'K. Osei')
    // A crisis always rings until it is accepted or declined: there is nothing to choose.
    await expect(dialog(counselor)).toContainText('It is a crisis: it rings until they accept or decline.')
    await hands.write(
      dialog(counselor).getByLabel('Note for them'),
      'Her mother does not answer. Please take the plan.',
    )
    await look(counselor, 'hand-off')
    await hands.send(inDialog(counselor, 'Hand off'))
    await expect(dialog(counselor)).toHaveCount(0)
    await expect(history(counselor)).toContainText('handed off to K. Osei')
    // At once, and not when the sound of the alert itself would have come again.
    await expect.poll(async () => (await heard(clinician)).sounds.length, { timeout: 5_000 }).toBe(rung + 1)
    await expect(clinician.locator('[role=alert][aria-live=assertive]')).toContainText(
      `Crisis alert handed to you by A. Rivera: ${student.name}`,
    )
    await expect(clinician.getByRole('complementary', { name: 'New crisis' })).toContainText(
      `Handed to you by A. Rivera: ${student.name}`,
    )
    await look(clinician, 'handed')
    // It does not leave off until somebody answers it.
    await expect.poll(async () => (await heard(clinician)).sounds.length, { timeout: 30_000 }).toBeGreaterThan(rung + 1)
    await look(clinician, 'rung')
    await hands.openNews(clinician)
    await expect(detail(clinician).locator('#alert-heading')).toContainText(student.name)
    await hands.press(button(clinician, 'Accept hand-off'))
    await expect(history(clinician)).toContainText('K. Osei accepted the hand-off')
  })

  await test.step('the colleague has what was done so far', async () => {
    await expect(steps(clinician)).toContainText(/Be with the student.*Done \d.* by A\. Rivera/)
    await expect(detail(clinician)).toContainText('3 of 7 done')
    await expect(detail(clinician)).toContainText(`${student.mother}: no answer, 2 ×`)
    await expect(history(clinician)).toContainText('Her mother does not answer. Please take the plan.')
    await look(clinician, 'accepted')
  })

  await test.step('the plan is written, and a follow-up set for tomorrow', async () => {
    await hands.press(clinician.getByRole('button', { name: 'Start a safety plan' }))
    const plan = clinician.getByRole('region', { name: 'Safety plan' })
    await hands.write(plan.getByLabel('Warning signs'), 'I stop answering my friends.')
    await hands.write(plan.getByLabel('People I can ask for help'), 'My aunt June.')
    await look(clinician, 'plan')
    await hands.send(plan.getByRole('button', { name: 'Save plan' }))
    await expect(plan.getByText('Version 1 of 1 · K. Osei')).toBeVisible()
    await hands.screen(clinician, 'Alerts', 'g a')
    await expect(detail(clinician).locator('#alert-heading')).toContainText(student.name)
    await hands.press(clinician.getByRole('button', { name: 'Add follow-up' }))
    await hands.press(dialog(clinician).getByRole('button', { name: /^Tomorrow/ }))
    await look(clinician, 'follow-up')
    await hands.send(inDialog(clinician, 'Save follow-up'))
    await expect(clinician.getByRole('list', { name: 'Follow-ups' })).toContainText('Check in with the student')
    // Doing them is what ticks them.
    await expect(detail(clinician)).toContainText('5 of 7 done')
  })

  await test.step('it is resolved with an outcome, and a reason for the step that was left out', async () => {
    await hands.act(clinician, 'r', 'Resolve')
    await expect(dialog(clinician)).toContainText('2 calls were logged and nobody was reached')
    await hands.choose(dialog(clinician).getByLabel('Outcome'), 'Safety plan')
    await hands.write(dialog(clinician).getByLabel('What was done'), 'Plan written together; her aunt stays overnight.')
    await hands.write(
      dialog(clinician).getByLabel('Reason for resolving without them'),
      'Her mother is on a flight until tonight.',
    )
    await look(clinician, 'resolve')
    await hands.send(inDialog(clinician, 'Resolve'))
    await expect(dialog(clinician)).toHaveCount(0)
    await expect(history(clinician)).toContainText('Reason: Her mother is on a flight until tonight.')
    await look(clinician, 'resolved')
  })

  await test.step('both consoles tell the same of it', async () => {
    const told = async (page: Page) => (await history(page).getByRole('listitem').allInnerTexts()).map(asTold)
    await expect(history(counselor)).toContainText('Reason: Her mother is on a flight until tonight.')
    // Either may still be saying that its own word is on its way.
    await expect(async () => expect(await told(counselor)).toEqual(await told(clinician))).toPass({ timeout: 15_000 })
    await look(counselor, 'history')
  })

  await test.step('the incident record holds all of it, and the words by choice', async () => {
    await hands.act(clinician, 'i', 'Incident record')
    await expect(record(clinician)).toContainText(student.name)
    await expect(record(clinician)).not.toContainText(said)
    await hands.press(clinician.getByRole('button', { name: 'Include the student’s words' }))
    await hands.write(dialog(clinician).getByLabel('Reason for including them'), 'Asked for by the clinic')
    await hands.press(inDialog(clinician, 'Include'))
    await expect(record(clinician).getByText(said)).toBeVisible()
    const timeline = record(clinician).getByRole('table', { name: 'Timeline' })
    for (const line of [
      'Acknowledged the alert',
      'Step completed: Ask directly about suicide',
      `Tried to reach ${student.mother}: no answer`,
      'Handed the alert off to K. Osei',
      'Accepted the hand-off',
      'Saved the safety plan',
      'Follow-up for K. Osei',
      'Required steps left out: Her mother is on a flight until tonight.',
    ])
      await expect.soft(timeline).toContainText(line)
    await expect(record(clinician)).toContainText(/Call a guardian.*not done/)
    await look(clinician, 'incident')
    await clinician.emulateMedia({ media: 'print' })
    await expect(record(clinician)).toBeVisible()
    await expect(clinician.getByRole('navigation')).toBeHidden()
    await look(clinician, 'paper')
    await clinician.emulateMedia({ media: null })
  })

  await test.step('My day of the colleague has the follow-up, and the audit of both is whole', async () => {
    await hands.screen(clinician, 'My day', 'g d')
    const tomorrow = clinician.getByRole('list', { name: /^Tomorrow, / })
    await expect(tomorrow).toContainText(student.name)
    await look(clinician, 'my-day')
    for (const seat of [here, there]) expect(doctor(seat)).toMatchObject({ audit_ok: true })
    report(`By ${hands.name}: ${hands.count()} presses in all, without the letters of what was written.`)
  })
}

/** For whoever reads what the run wrote. */
const report = (line: string) => void process.stdout.write(`${line}\n`)

/** A student at the chat of the school; each sentence is answered. */
async function speaker(station: StationProcess, { id }: Student): Promise<(content: string) => Promise<void>> {
  const chat = intakeClient({
    target: () => ({ url: station.url, key: chatKey }),
    clock: systemClock,
    signal: new AbortController().signal,
    tries: 3,
  })
  const { session_id } = await chat.startSession({ user_id: id })
  let count = 0
  return async (content) => {
    await chat.send(session_id, { sender: 'user', content, client_message_id: `said-${++count}` })
  }
}

/** An entry of the history without the way it came to this console, and without the button that only its author has. */
const asTold = (entry: string) =>
  entry
    .replaceAll(/\s+/g, ' ')
    .replace(/ (confirmed|from another console)\b/, '')
    .replace(/ Correct$/, '')

/** Keeps what a page shows, in both sizes and both themes. */
function pictures(story: string): (page: Page, name: string) => Promise<void> {
  const folder = process.env['PICTURES']
  if (folder) mkdirSync(folder, { recursive: true })
  let number = 0
  return async (page, name) => {
    if (!folder) return
    number += 1
    const full = page.viewportSize() ?? { width: 1440, height: 900 }
    // A form lies over one of the two layouts, and closes where that gives way to the other.
    const sizes = (await dialog(page).count()) > 0 ? [full] : [{ width: 1024, height: 700 }, full]
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        const place = `${story}-${String(number).padStart(2, '0')}-${name}-${size.width}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, place), animations: 'disabled' })
      }
    }
    await page.emulateMedia({ colorScheme: null })
  }
}
