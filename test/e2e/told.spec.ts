/**
 * What the ladder does is told at the consoles, and who came second hears who was first: two consoles and a station, each
 * the built program in a process of its own, on a real topic and real queues.
 */
import { expect, test, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { minutes } from '../../shared/time.ts'
import { axeFindings } from '../support/axe.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { detail, inbox } from '../support/screens.ts'
import { enrol, openSeat, type Seat, type Sitter } from '../support/seats.ts'
import { testSchool, testSecret } from '../support/sign-in.ts'
import { startStationProcess, stationEnv } from '../support/station-process.ts'

const rivera: Sitter = { sub: 'rivera', name: 'A. Rivera', role: 'COUNSELOR' }
const osei: Sitter = { sub: 'osei', name: 'K. Osei', role: 'CLINICIAN' }

let queue: QueueServer
let seats: [Seat, Seat]
const ends: (() => unknown)[] = []

test.describe.configure({ mode: 'serial', timeout: 90_000 })
test.beforeAll(async ({ browser }) => {
  queue = await startQueueServer()
  ends.push(() => queue.stop())
  const [station, here, there] = await Promise.all([
    startStationProcess({ ...stationEnv(queue), PSYFLO_SCHOOL_ID: testSchool, PSYFLO_JWT_SECRET: testSecret }),
    openSeat(browser, queue, { school: testSchool, queueName: 'psyflo-events-here', person: rivera }, ends),
    openSeat(browser, queue, { school: testSchool, queueName: 'psyflo-events-there', person: osei }, ends),
  ])
  ends.push(() => station.stop())
  seats = [here, there]
  // What an unapproved console does changes nothing at the other.
  for (const seat of seats) {
    await enrol(station, seat)
    await seat.page.getByRole('link', { name: 'Alerts' }).first().click()
  }
})
test.afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const crisis: Record<string, unknown> = { ...legacyCrisis(), school_id: testSchool }
/** What the ladder says of that crisis, or of one that has not come. */
const ladder = (said: object, covers = [crisis['idempotency_key']]) =>
  queue.publish(
    JSON.stringify({
      ...{ schema_version: 2, idempotency_key: randomUUID(), timestamp: new Date().toISOString() },
      ...{ session_id: crisis['session_id'], student_hash: crisis['student_hash'], school_id: testSchool },
      ...{ alert_key: 'as the station knows it', covers, layer: 1, rung: 0, ...said },
    }),
  )
const told = (page: Page) => detail(page).getByRole('region', { name: 'Who was told' })
const history = (page: Page) => detail(page).getByRole('region', { name: 'What was done' })
const became = (page: Page) => page.getByRole('complementary', { name: 'What became of what you did' })

test('a row counts down to the next step, and the alert says who was told how, and how that went', async () => {
  const [{ page }] = seats
  await queue.publish(JSON.stringify(crisis))
  await inbox(page).getByRole('link').first().click()
  const next_at = new Date(Date.now() + minutes(4.5)).toISOString()
  await ladder({ event_type: 'ALERT_ESCALATED', channel: 'sms+voice', outcome: 'attempted', next_at })
  await expect(inbox(page)).toContainText(/escalates in 4:\d\d/)
  const before = await inbox(page).innerText()
  await expect(inbox(page)).not.toHaveText(before)
  await expect(detail(page)).toContainText(/The next people are told at .+ \(in 4:\d\d\)/)
  const of = { event_type: 'ALERT_NOTIFIED', to: rivera.sub }
  await ladder({ ...of, channel: 'sms', delivery_id: 'd1', outcome: 'attempted' })
  await expect(told(page)).toContainText(/A\. Rivera by text .+: sent, no answer yet/)
  await ladder({ ...of, channel: 'sms', delivery_id: 'd1', outcome: 'delivered' })
  await ladder({ ...of, channel: 'voice', delivery_id: 'd2', outcome: 'failed', reason: 'no answer' })
  await expect(told(page)).toContainText(/A\. Rivera by text .+: delivered/)
  await expect(told(page)).toContainText(/A\. Rivera by phone call .+: failed, no answer from the provider/)
  await expect(told(page).getByRole('listitem')).toHaveCount(3)
  expect(await axeFindings(page)).toEqual([])
})

test('whom the ladder calls at a console is told there, of an alert that has not come as well, and nobody else', async () => {
  const [{ page: here }, { page: there }] = seats
  const call = { event_type: 'ALERT_NOTIFIED', channel: 'desktop', outcome: 'attempted' }
  await ladder({ ...call, to: osei.sub, delivery_id: 'd3' }, [])
  await expect(there.locator('[data-told]')).toContainText('It is your turn')
  await expect(here.locator('[data-told]')).toHaveCount(0)
  await ladder(
    { ...call, to: rivera.sub, delivery_id: 'd4', timestamp: new Date(Date.now() - minutes(6)).toISOString() },
    [],
  )
  await ladder({ ...call, to: osei.sub, delivery_id: 'd5', channel: 'email', outcome: 'delivered' })
  await expect(told(here)).toContainText(/by e-mail .+: delivered/)
  await expect(here.locator('[data-told]')).toHaveCount(0)
})

test('two acknowledge at once: the order of the queue decides, and the other is told who holds it', async () => {
  const pages = seats.map(({ page }) => page) as [Page, Page]
  const [here, there] = pages
  await inbox(there).getByRole('link').first().click()
  // Nobody hears of the other before both have acted.
  queue.pause()
  for (const page of pages) {
    await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
    await expect(history(page)).toContainText('acknowledged')
  }
  queue.resume()
  await expect
    .poll(async () => (await became(here).count()) + (await became(there).count()), { timeout: 30_000 })
    .toBe(1)
  const [second, first] = (await became(here).count()) === 1 ? ([here, there] as const) : ([there, here] as const)
  const winner = first === here ? rivera : osei
  await expect(became(second)).toContainText(new RegExp(`${winner.name} acknowledged this .+; they hold it\\.`))
  expect(await axeFindings(second)).toEqual([])
  await expect(second.locator('#alert-heading')).toBeVisible()
  for (const page of pages) {
    await expect(history(page)).toContainText('Recorded; it changed nothing')
    await expect(history(page).getByRole('listitem')).toHaveCount(2)
  }
  await expect(detail(second)).toContainText(`${winner.name} holds it`)
  await expect(detail(first)).toContainText('you hold it')
  await became(second).getByRole('button', { name: 'OK' }).click()
  await expect(became(second)).toHaveCount(0)
  await second.reload()
  await expect(inbox(second).getByRole('link').first()).toBeVisible()
  await expect(became(second)).toHaveCount(0)
})
