import { expect, test } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'

test.describe('the demonstration school, live', () => {
  let console: ConsoleProcess
  test.beforeAll(async () => {
    console = await startConsoleProcess()
  })
  test.afterAll(() => console.stop())

  test('from a live crisis to the acknowledgement queue, the trajectory and the summary', async ({ page }) => {
    test.setTimeout(150_000)
    await page.goto(console.address)
    const inbox = page.getByLabel('Alerts', { exact: true })
    const detail = page.getByRole('region', { name: 'Alert', exact: true })
    const waiting = inbox.getByText(/acknowledge within|over/).first()
    await expect(inbox.getByText('Crisis').first()).toBeVisible({ timeout: 90_000 })
    await expect(waiting).toBeVisible({ timeout: 60_000 })
    await waiting.click()

    await detail.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(detail).toContainText('A. Rivera')
    // Confirmed: the acknowledgement queue had it, the station took it from there, and it came back as an event.
    await expect(detail).toContainText('confirmed')

    await detail.page().getByRole('button', { name: 'Student page' }).click()
    await expect(page.getByRole('figure', { name: 'Risk trajectory' })).toBeVisible()
    await expect(page.getByRole('figure', { name: 'PHQ-9 estimate' })).toBeVisible()
    await expect(page.getByRole('figure', { name: 'GAD-7 estimate' })).toBeVisible()

    await page.getByRole('navigation').getByText('Sessions').click()
    await page.getByText('ended').first().click()
    await expect(page.getByRole('heading', { name: 'Summary' }).first()).toBeVisible()
  })
})
