import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { eventIdentity } from '../../main/platform/event-identity.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { openDatabase, openKeys, writeSetting } from '../../main/store/console/index.ts'
import { alertKey } from '../../shared/alerts.ts'
import { hours, minutes } from '../../shared/time.ts'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { highMessage, legacyCrisis } from '../support/events.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { detail, pressOnAlert } from '../support/screens.ts'

/** As if the console had last run so long ago. */
async function lastAwake(dir: string, passphrase: string, at: number): Promise<void> {
  const keys = await openKeys(dir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  const db = openDatabase(join(dir, 'console.db'), keys.database)
  writeSetting(db, 'last_awake', String(at))
  db.close()
}

const hashOf = (session: string): string => createHash('sha256').update(session).digest('hex')
const pseudonymOf = (session: string): string => hashOf(session).slice(0, 4).toUpperCase()

/** What students said `ago` milliseconds ago. */
function said(kind: 'crisis' | 'high', session_id: string, ago: number): Record<string, unknown> {
  const timestamp = new Date(Date.now() - ago).toISOString()
  const of = { session_id, student_hash: hashOf(session_id), school_id: testSchool, timestamp }
  return kind === 'crisis'
    ? legacyCrisis({ ...of, idempotency_key: `${session_id} crisis` })
    : highMessage({ ...of, idempotency_key: `${session_id} high` })
}

/** What a colleague did at another console. */
function did(action: string, session_id: string, key: string, ago: number, more: object = {}): Record<string, unknown> {
  const at = new Date(Date.now() - ago).toISOString()
  const id = `${action} ${session_id}`
  const of = { session_id, student_hash: hashOf(session_id), school_id: testSchool }
  return {
    ...{ schema_version: 1, event_type: 'ALERT_ACTION', idempotency_key: id, ack_id: id, timestamp: at, at, action },
    ...{ ...of, alert_key: key, covers: [key], console_id: 'another', by: 'osei', by_name: 'K. Osei', ...more },
  }
}

const sentence = (page: Page) => page.getByRole('main').getByText(/^\d+ alerts? arrived while this console was off;/)
const age = (page: Page) => detail(page).getByText(/ ago, /)

test('after a night off, the backlog is gone through by keyboard from the first to the last', async ({ page }) => {
  const queue = await startQueueServer()
  const env = { ...queue.env, ...(await signedInEnv()) }
  const dataDir = test.info().outputPath('data')
  const before = await startConsoleProcess({ env, dataDir })
  await before.stop()
  await lastAwake(dataDir, env['PSYFLO_PASSPHRASE'] ?? '', Date.now() - hours(15))
  const oldest = said('crisis', 'oldest', hours(14) + minutes(20))
  const alert_key = alertKey({ id: eventIdentity('oldest crisis', oldest) ?? '' })
  const told = { session_id: 'oldest', student_hash: hashOf('oldest'), school_id: testSchool, alert_key }
  const events = [
    said('crisis', 'younger', hours(3)),
    oldest,
    said('high', 'high one', hours(12)),
    said('high', 'high two', hours(2)),
    said('crisis', 'held', hours(10)),
    said('high', 'resolved', hours(9)),
    did('acknowledged', 'held', 'held crisis', hours(9.9)),
    did('resolved', 'resolved', 'resolved high', hours(8), { disposition: 'contacted student', note: 'Talked.' }),
    {
      ...{
        schema_version: 2,
        event_type: 'ALERT_NOTIFIED',
        idempotency_key: 'told',
        ...told,
      },
      ...{ timestamp: new Date(Date.now() - hours(14)).toISOString(), layer: 1, channel: 'sms', outcome: 'delivered' },
      ...{ to: 'counselor-1', delivery_id: 'd' },
    },
  ]
  for (const event of events) await queue.publish(JSON.stringify(event))
  const console = await startConsoleProcess({ env, dataDir })
  try {
    await page.goto(console.address)
    const { keyboard } = page
    await expect(sentence(page)).toHaveText(
      '6 alerts arrived while this console was off; 4 were never acknowledged by anyone.',
      { timeout: 15_000 },
    )
    expect(await axeFindings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('beginning.png') })

    // The crisis that has waited longest comes first, and says first how old it is.
    await keyboard.press('Enter')
    await expect(detail(page)).toContainText(pseudonymOf('oldest'))
    await expect(detail(page)).toContainText('1 of 4')
    await expect(age(page)).toHaveText(/^14 h 20 min ago, \w{3} /)
    await expect(detail(page)).toContainText(/J\. Marlow, .*, by text/)
    await expect(detail(page).locator(':focus')).toContainText('14 h 20 min ago')
    // What has only just come on screen is not acted on by a key.
    await keyboard.press('a')
    await expect(page.getByText(/this came on screen a moment ago/).first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await pressOnAlert(page, 'a')
    await expect(detail(page)).toContainText('J. Marlow acknowledged')
    for (const [name, theme, width] of [
      ['light', 'light', 1440],
      ['dark', 'dark', 1440],
      ['small', 'light', 1024],
    ] as const) {
      await page.setViewportSize({ width, height: width === 1024 ? 700 : 900 })
      await page.emulateMedia({ colorScheme: theme })
      await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
      if (theme === 'dark') expect(await axeFindings(page)).toEqual([])
    }

    await keyboard.press('j')
    await expect(detail(page)).toContainText(pseudonymOf('younger'))
    await pressOnAlert(page, 'a')
    await expect(detail(page)).toContainText('J. Marlow acknowledged')
    await keyboard.press('k')
    await expect(detail(page)).toContainText(pseudonymOf('oldest'))
    await keyboard.press('j')
    await expect(detail(page)).toContainText(pseudonymOf('younger'))

    // What comes meanwhile is added ahead, and moves nothing.
    await queue.publish(JSON.stringify(said('crisis', 'straggler', hours(5))))
    await expect(detail(page)).toContainText('2 of 5')
    await expect(detail(page)).toContainText(pseudonymOf('younger'))
    await keyboard.press('j')
    await expect(detail(page)).toContainText(pseudonymOf('straggler'))
    await keyboard.press('j')
    await expect(detail(page)).toContainText(pseudonymOf('high one'))

    // Opened in the inbox, it goes on from there: the strip leads back.
    await keyboard.press('o')
    await expect(page.getByRole('list', { name: 'Alerts', exact: true })).toBeVisible()
    await expect(page.getByText('7 alerts arrived while this console was off')).toBeVisible()
    await page.getByRole('button', { name: 'Go through', exact: true }).press('Enter')
    await expect(detail(page)).toContainText('4 of 5')
    await keyboard.press('j')
    await expect(detail(page)).toContainText(pseudonymOf('high two'))
    await keyboard.press('j')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(
      'That was all. 2 are yours, 1 is held by someone else, 1 is resolved, 3 still wait for someone.',
    )
    const others = page.getByRole('list', { name: 'Held or resolved by others' })
    await expect(others.getByRole('listitem')).toHaveCount(2)
    await expect(others).toContainText('K. Osei holds it')
    expect(await axeFindings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('end.png') })
    await keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Alerts', exact: true })).toBeVisible()
    await expect(page.getByText('while this console was off')).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('list', { name: 'Alerts', exact: true })).toBeVisible()
    await expect(page.getByText('while this console was off')).toHaveCount(0)
  } finally {
    await console.stop()
    await queue.stop()
  }
})
