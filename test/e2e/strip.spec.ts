import type { Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsoleProcess } from '../support/console-process.ts'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { pressOnAlert } from '../support/screens.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'

/** What stops and goes on here are other programs, whose time is the machine's: the waits run beside other tests. */
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

/** How soon the strip must say that the queue is silent (milliseconds). */
const soon = 30_000
const silence = /The queue has not answered since \d{1,2}:\d\d/
const rest = /Nothing is lost: events wait there[^.]*\. Check the network, or run the connection test\./

const stripOf = (page: Page) => page.getByRole('banner', { name: 'State of the alarm' })

test(
  'a queue that takes connections and never answers is said within 30 s, and that it answers again',
  { tag: '@long' },
  async ({ page, district: { queue, console } }) => {
    const strip = stripOf(page)
    await page.goto(console.address)
    await expect(strip).toContainText('Connected')
    await expect(strip).toHaveAttribute('data-state', 'unproven')
    queue.pause()
    await expect(strip).toHaveAttribute('data-state', 'alarming', { timeout: soon })
    await expect(strip.getByRole('alert')).toHaveText(silence)
    await expect(strip.getByRole('alert')).toContainText(rest)
    await expect(strip).toContainText('Not connected')
    queue.resume()
    await expect(strip).toHaveAttribute('data-state', 'unproven', { timeout: soon })
    await expect(strip).toContainText('Connected')
    // The queue answers, but no heartbeat has ever come: that is said, too.
    await expect(strip).toContainText('Alarm not checked yet')
  },
)

const gone = 'while the queue is gone alerts stay usable, what is done is kept, and is sent once when it answers'
test(gone, { tag: '@long' }, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'psyflo-queue-'))
  let queue = await startQueueServer({ dataDir: folder })
  const console = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  const strip = stripOf(page)
  const inbox = page.getByRole('list', { name: 'Alerts', exact: true })
  const detail = page.getByRole('region', { name: 'Alert', exact: true })
  try {
    await page.goto(console.address)
    const event = legacyCrisis({ reasoning: 'She wrote that nobody would notice.' })
    await queue.publish(JSON.stringify(event))
    await expect(inbox.getByText('suicidal intent')).toBeVisible()

    const { port } = new URL(queue.endpoint)
    await queue.stop()
    await expect(strip).toHaveAttribute('data-state', 'alarming', { timeout: soon })
    await expect(strip.getByRole('alert')).toHaveText(silence)
    await expect(strip.getByRole('alert')).toContainText(rest)

    await inbox.getByRole('link').first().click()
    await pressOnAlert(page, 'a')
    await expect(detail).toContainText('J. Marlow acknowledged')
    await expect(detail).toContainText('recorded here')
    await expect(strip).toContainText('1 action waiting to be sent')
    await expect(strip).toContainText('0 unacknowledged')
    await pressOnAlert(page, 'e')
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
    await expect(detail).toContainText('nobody would notice')

    queue = await startQueueServer({ dataDir: folder, port: Number(port) })
    await expect(strip).toHaveAttribute('data-state', 'unproven', { timeout: 60_000 })
    await page.getByRole('tab', { name: 'Mine' }).click()
    await inbox.getByRole('link').first().click()
    await expect(detail.getByText('sent', { exact: true })).toBeVisible({ timeout: 60_000 })
    await expect(strip).not.toContainText('to be sent')
    const acknowledged = (await queue.acknowledgements()).filter(
      (message) => message['event_type'] === 'ALERT_ACKNOWLEDGED',
    )
    expect(acknowledged).toHaveLength(1)
    expect(acknowledged[0]).toMatchObject({ covers: [event['idempotency_key']] })
  } finally {
    await console.stop()
    await queue.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

const silent = 'heartbeats that stop are said once, in the strip and above the inbox, until they come again'
test(silent, { tag: '@long' }, async ({ page, district: { queue, console } }) => {
  const beat = (ago: number) =>
    queue.publish(
      JSON.stringify({
        ...{ schema_version: 1, event_type: 'HEARTBEAT', source: 'station-1', number: 1, school_id: testSchool },
        ...{ idempotency_key: `beat-${ago}`, timestamp: new Date(Date.now() - ago).toISOString() },
      }),
    )
  const strip = stripOf(page)
  const said = page
    .getByRole('alert')
    .filter({ hasText: /Nothing has been heard from the school’s chat since \d{1,2}:\d\d/ })
  const notice = page
    .getByRole('status')
    .filter({ hasText: /Nothing has been heard .* appear here later, marked as late\./ })
  await page.goto(console.address)
  await beat(4 * 60_000)
  await expect(strip).toHaveAttribute('data-state', 'alarming')
  await expect(strip).toContainText('alerts may not be getting through')
  // Whoever was not there to receive waits for the next one first.
  await expect(notice).toHaveCount(0)
  await expect(notice).toBeVisible({ timeout: 120_000 })
  await expect(said).toHaveCount(1)
  await expect(strip).toContainText('Tell the person who runs the station')
  await beat(0)
  await expect(notice).toHaveCount(0)
  await expect(
    page.getByRole('status').filter({ hasText: 'Alerts from the chat are getting through again' }),
  ).toHaveCount(1)
  await expect(strip).toHaveAttribute('data-state', 'well')
})
