import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/district.ts'
import { geometryFindings } from '../support/geometry.ts'
import { goTo } from '../support/shared-demo.ts'

const untouched = 'axe finds nothing on a console that has received nothing yet, and on what it could not read'
test(untouched, { tag: '@long' }, async ({ page, district: { queue, console } }) => {
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
  // The strip grows by a line with the same event and moves what stands below it.
  await expect(page.getByRole('banner')).toHaveAttribute('data-state', 'alarming')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('mentions a crisis')
  expect.soft(await axeFindings(page), 'quarantine').toEqual([])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByLabel('Reason for dismissal')).toBeFocused()
  expect.soft(await axeFindings(page), 'dismissing').toEqual([])
  await page.setViewportSize({ width: 512, height: 350 })
  expect.soft(await geometryFindings(page), 'quarantine at 200 % zoom').toEqual([])
})
