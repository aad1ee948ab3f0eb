import type { Page } from '@playwright/test'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { pressOnAlert } from '../support/screens.ts'

/** What is said aloud at once. */
const aloud = (page: Page) => page.locator('[aria-live="assertive"]')

test('a crisis that came before the page opened, one behind the hidden screen, and one that cannot be read', async ({
  page,
  district: { queue, console },
}) => {
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await queue.publish(JSON.stringify(legacyCrisis()))
  await expect.poll(() => queue.waiting()).toBe(0)
  await page.goto(console.address)
  await expect(aloud(page)).toHaveText(/New crisis alert: Student \w{4}, suicidal intent/)
  await page.reload()
  await expect(aloud(page)).toHaveText(/New crisis alert: Student/)

  await expect(page.getByRole('region', { name: 'Alert', exact: true })).toContainText('suicidal intent')
  // Also over an open dialog, which is there again afterwards with what was typed.
  await page.keyboard.press('j')
  await pressOnAlert(page, 'n')
  await page.getByLabel('Note', { exact: true }).fill('Called home.')
  await page.keyboard.press('Control+l')
  await expect(page.getByRole('heading', { name: 'The screen is hidden' })).toBeVisible()
  await expect(page.getByText('suicidal intent').first()).toBeHidden()
  await expect(page.getByLabel('Note', { exact: true })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'The screen is hidden' })).toBeVisible()
  await expect(aloud(page)).toHaveText('')
  await queue.publish(JSON.stringify(legacyCrisis({ matched_patterns: ['self_harm'] })))
  await expect(aloud(page)).toHaveText('A new crisis alert is waiting')
  await expect(page).toHaveTitle('2 unacknowledged · PsyFlo Console')
  await page.getByRole('button', { name: 'Return' }).click()
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('Called home.')
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')

  await expect(strip).toHaveAttribute('data-state', 'unproven')
  await queue.send('{"event_type":"CRISIS_DETECTED", broken')
  await expect(aloud(page)).toContainText('A crisis event could not be read.')
  await expect(strip).toHaveAttribute('data-state', 'alarming')
  await expect(strip).toContainText('A crisis event could not be read. It is kept; open Alerts to see it.')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByLabel('Reason for dismissal').fill('A test of the sender.')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(strip).toHaveAttribute('data-state', 'unproven')
})

test('notifications: asked for by a button, said to be off until then', async ({ page, district: { console } }) => {
  // Headless Chromium forbids them from the start; a person's browser has not decided yet.
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    const asked = () => Promise.resolve((permission = 'granted'))
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Object.defineProperty(Notification, 'requestPermission', { value: asked })
  })
  await page.goto(console.address)
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await strip.getByRole('button', { name: 'System notifications are off' }).click()
  const part = page.getByRole('region', { name: 'System notifications' })
  await expect(part.getByRole('status')).toContainText('Not allowed yet')
  await part.getByRole('button', { name: 'Allow notifications' }).click()
  await expect(part.getByRole('status')).toHaveText('Allowed.')
  await expect(strip).not.toContainText('notifications')
})
