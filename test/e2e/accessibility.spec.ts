import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { geometryFindings } from '../support/geometry.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { adminViews, clinicianViews, counselorViews, type View } from '../support/screens.ts'
import { expect, goTo, test } from '../support/shared-demo.ts'
import { signedInEnv } from '../support/sign-in.ts'

async function look(page: Page, views: View[]): Promise<void> {
  for (const view of views)
    await test.step(view.name, async () => {
      await view.open(page)
      expect.soft(await axeFindings(page), view.name).toEqual([])
    })
}

test('axe finds nothing on a counselor’s screens, light and dark', async ({ desk }) => {
  test.setTimeout(180_000)
  await look(desk, counselorViews)
})

test('axe finds nothing on an admin’s and a clinician’s screens, light and dark', async ({ desk }) => {
  test.setTimeout(120_000)
  await look(desk, [...adminViews, ...clinicianViews])
})

test('axe finds nothing on a console that has received nothing yet, and on what it could not read', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const queue = await startQueueServer()
  const console = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  await page.goto(console.address)
  for (const [screen, says] of [
    ['Alerts', 'No open alerts.'],
    ['Students', 'No students yet.'],
    ['Sessions', 'No sessions yet.'],
  ] as const) {
    await goTo(page, screen)
    await expect(page.getByText(says)).toBeVisible()
    expect.soft(await axeFindings(page), says).toEqual([])
    expect.soft(await geometryFindings(page), says).toEqual([])
  }
  await queue.send('{"event_type":"CRISIS_DETECTED", broken')
  await goTo(page, 'Alerts')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('names a crisis')
  expect.soft(await axeFindings(page), 'quarantine').toEqual([])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByLabel('Why it may be dismissed')).toBeFocused()
  expect.soft(await axeFindings(page), 'dismissing').toEqual([])
  await page.setViewportSize({ width: 512, height: 350 })
  expect.soft(await geometryFindings(page), 'quarantine at 200 % zoom').toEqual([])
  await console.stop()
  await queue.stop()
})
