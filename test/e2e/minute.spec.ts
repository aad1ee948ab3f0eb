import type { Page } from '@playwright/test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsoleProcess } from '../support/console-process.ts'
import { expect, test } from '../support/district.ts'
import { highMessage, legacyCrisis } from '../support/events.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { detail, inbox, pressOnAlert } from '../support/screens.ts'
import { signedInEnv } from '../support/sign-in.ts'

const pseudonymOf = (event: Record<string, unknown>) =>
  `Student ${String(event['student_hash']).slice(0, 4).toUpperCase()}`
const dialog = (page: Page) => page.getByRole('dialog')
const note = (page: Page) => dialog(page).getByLabel('Note', { exact: true })

test('a crisis that comes while a note is typed waits: nothing is closed, swapped or acknowledged', async ({
  page,
  district: { queue, console },
}) => {
  const first = highMessage()
  await page.goto(console.address)
  await queue.publish(JSON.stringify(first))
  await expect(detail(page)).toContainText(pseudonymOf(first))
  await detail(page).getByRole('button', { name: 'Add note' }).click()
  await page.keyboard.type('Called home, gr')

  const crisis = legacyCrisis()
  await queue.publish(JSON.stringify(crisis))
  await expect(inbox(page)).toContainText(pseudonymOf(crisis))
  await page.keyboard.type('andmother has her.')
  await expect(note(page)).toHaveValue('Called home, grandmother has her.')
  await expect(note(page)).toBeFocused()
  await expect(detail(page)).toContainText(pseudonymOf(first))
  expect(await queue.acknowledgements()).toEqual([])
  await expect(page.getByText(`New crisis: ${pseudonymOf(crisis)}`)).toBeVisible()
  await expect(dialog(page)).toContainText(pseudonymOf(first))
})

test('an earlier message that arrives late closes no form, and no letter meant for one acts', async ({
  page,
  district: { queue, console },
}) => {
  const first = legacyCrisis()
  const { session_id, student_hash } = first
  await page.goto(console.address)
  await queue.publish(JSON.stringify(first))
  await expect(detail(page)).toContainText(pseudonymOf(first))
  const row = inbox(page).locator('[data-alert]')
  let minutesAgo = 0
  /** Gives the alert another key while a form is open. */
  const arriveLate = async () => {
    minutesAgo += 1
    const before = (await row.getAttribute('data-alert')) ?? ''
    const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString().replace('Z', '456')
    const event = { session_id, student_hash, timestamp, idempotency_key: `${String(session_id)}-${timestamp}` }
    await queue.publish(JSON.stringify(legacyCrisis(event)))
    await expect(row).not.toHaveAttribute('data-alert', before)
  }
  const typeAcross = async (open: string, label: RegExp) => {
    await page.getByRole('button', { name: open, exact: true }).first().click()
    const field = dialog(page).getByLabel(label)
    await field.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Called home, gr')
    await arriveLate()
    await page.keyboard.type('andma has her.')
    await expect(field).toHaveValue('Called home, grandma has her.')
    await expect(field).toBeFocused()
    await dialog(page).getByRole('button', { name: 'Discard draft' }).click()
    await expect(dialog(page)).toHaveCount(0)
  }
  await typeAcross('Add follow-up', /^What/)
  expect(await queue.acknowledgements()).toEqual([])
  await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
  await typeAcross('Return to queue', /^Why/)
  await typeAcross('Log a call', /^Note/)
  await typeAcross('Add commitment', /^What/)
  await expect.poll(() => queue.acknowledgements()).toHaveLength(1)
})

test('from the sound to acknowledged with the words read: four keys, none of which acts on what nobody chose', async ({
  page,
  district: { queue, console },
}) => {
  await page.goto(console.address)
  const first = highMessage()
  await queue.publish(JSON.stringify(first))
  await expect(detail(page)).toContainText(pseudonymOf(first))
  await page.keyboard.press('a')
  await expect(page.getByText('Choose an alert first: press j or click a row.').first()).toBeVisible()
  // Somebody is at work here: nothing is swapped.
  await page.keyboard.press('j')
  await expect(detail(page)).toHaveAttribute('data-chosen', 'true')

  const crisis = legacyCrisis({ reasoning: 'She wrote that nobody would notice.' })
  const name = pseudonymOf(crisis)
  await queue.publish(JSON.stringify(crisis))
  const bar = page.getByRole('complementary', { name: 'New crisis' })
  await expect(bar).toContainText(`New crisis: ${name} · suicidal intent`)
  await expect(detail(page)).toContainText(pseudonymOf(first))

  await page.keyboard.press('.')
  await expect(detail(page).locator('#alert-heading')).toContainText(name)
  await expect(detail(page).locator('#alert-heading')).toBeFocused()
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(page.getByText('Nothing was done: this came on screen a moment ago.').first()).toBeVisible()
  await pressOnAlert(page, 'e')
  await expect(dialog(page)).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(detail(page)).toContainText('nobody would notice')
  await pressOnAlert(page, 'a')
  await expect(page.getByRole('complementary', { name: 'Undo' })).toContainText(`Acknowledged: ${name}`)
  await expect.poll(async () => await queue.acknowledgements()).toMatchObject([{ covers: [crisis['idempotency_key']] }])
})

test('what was typed is there again after a reload and after the program ended, and nowhere in plain text', async ({
  page,
}) => {
  const queue = await startQueueServer()
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-draft-'))
  const env = { ...queue.env, ...(await signedInEnv()) }
  let console = await startConsoleProcess({ env, dataDir })
  try {
    const crisis = legacyCrisis()
    await page.goto(console.address)
    await queue.publish(JSON.stringify(crisis))
    await addNote(page)
    await page.keyboard.type('Grandmother marigold is with her')
    await expect(note(page)).toHaveValue('Grandmother marigold is with her')
    await page.reload()
    await expect(detail(page)).toContainText('Unfinished note, kept as a draft')
    await addNote(page)
    await expect(note(page)).toHaveValue('Grandmother marigold is with her')
    await note(page).press('End')
    await page.keyboard.type(' until six')
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-told]')).toContainText(`Kept as a draft: ${pseudonymOf(crisis)}.`)

    await console.stop('SIGKILL')
    console = await startConsoleProcess({ env, dataDir })
    await page.goto(console.address)
    await addNote(page)
    await expect(note(page)).toHaveValue('Grandmother marigold is with her until six')
    for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()))
      expect(readFileSync(join(file.parentPath, file.name)).includes('marigold')).toBe(false)
    await dialog(page).getByRole('button', { name: 'Add note' }).click()
    await expect(detail(page)).toContainText('until six')
    await expect(detail(page)).not.toContainText('Unfinished note')
    await page.reload()
    await expect(detail(page)).toContainText('until six')
    await expect(detail(page)).not.toContainText('Unfinished note')
  } finally {
    await console.stop()
    await queue.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Opens the form. A click on what has just changed under the pointer is held back, and says so. */
async function addNote(page: Page): Promise<void> {
  await expect(async () => {
    if (!(await note(page).isVisible()))
      await detail(page).getByRole('button', { name: 'Add note' }).click({ timeout: 2_000 })
    await expect(note(page)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
}

test('a crisis that nobody holds is heard again and again, faster and higher, also after a reload, until it is held', async ({
  page,
  district: { queue, console },
}) => {
  await page.clock.install()
  // The first note of each sound, as it is asked of the browser; it is let sound from the start.
  await page.addInitScript(() => {
    const sounded: number[] = []
    Object.assign(window, { sounded })
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) {
      sounded.push(this.frequency.value)
      start.call(this, when)
    }
  })
  const heard = () =>
    page.evaluate(() => (window as unknown as { sounded: number[] }).sounded.filter((_, index) => index % 3 === 0))
  await page.goto(console.address)
  await page.getByRole('navigation').click()
  await queue.publish(JSON.stringify(legacyCrisis()))
  await expect.poll(async () => (await heard()).length).toBe(1)
  await page.clock.runFor(60_000)
  const inTheFirstMinute = await heard()
  expect(inTheFirstMinute.length).toBeGreaterThanOrEqual(4)
  await page.clock.runFor(9 * 60_000)
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await expect(strip.locator('[data-overdue]')).toContainText('Overdue by 5:')
  await expect(inbox(page).locator('[data-overdue]')).toContainText('Overdue by 5:')
  const before = await heard()
  await page.clock.runFor(60_000)
  const later = (await heard()).slice(before.length)
  expect(later.length).toBeGreaterThan(inTheFirstMinute.length * 2)
  expect(later.at(-1)).toBeGreaterThan((inTheFirstMinute[0] ?? 0) * 1.2)

  await page.reload()
  await page.getByRole('navigation').click()
  await expect.poll(async () => (await heard()).length).toBeGreaterThan(0)
  await page.clock.runFor(20_000)
  expect((await heard()).length).toBeGreaterThan(1)
  await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(detail(page)).toContainText('J. Marlow acknowledged')
  await expect(page.locator('[data-overdue]')).toHaveCount(0)
  const held = (await heard()).length
  await page.clock.runFor(60_000)
  expect((await heard()).length).toBe(held)
})
