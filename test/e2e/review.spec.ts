import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { detail } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

/** Students, sessions and overview of the demonstration school, in a real browser. */
const rows = (page: Page) => page.getByRole('list', { name: 'Students' }).getByRole('listitem')
const trajectory = (page: Page) => page.getByRole('figure', { name: 'Risk trajectory' })

/** By keyboard, to the student who is worst off, of those with a past. */
async function openFirstStudent(page: Page): Promise<void> {
  await page.locator('#screen').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(rows(page).first()).toContainText(/Crisis|High/)
  await rows(page)
    .filter({ hasNotText: /Student [0-9A-F]{4}/ })
    .first()
    .getByRole('button')
    .focus()
  await page.keyboard.press('Enter')
  await trajectory(page).getByRole('button', { name: 'All', exact: true }).click()
  await expect(trajectory(page).locator('svg[data-chart]').first()).toBeVisible()
}

test('a student’s page is a trajectory, two estimates and the items, all labelled as estimates', async ({
  desk: page,
}) => {
  await openFirstStudent(page)
  for (const name of ['PHQ-9 estimate', 'GAD-7 estimate', 'Items by day'])
    await expect(page.getByRole('figure', { name })).toContainText(
      'estimate from conversation, not a questionnaire score',
    )
  await expect(page.locator('#screen')).not.toContainText(/low risk|no risk|\bsafe\b/i)
})

test('an open alert stands before the estimates, and no figure beside it calms', async ({ desk: page }) => {
  await openFirstStudent(page)
  const estimates = page.getByRole('region', { name: 'Estimates from conversation' })
  await expect(estimates).toContainText(/\d open alerts?.*An estimate never makes an alert less serious/s)
  await expect(estimates.getByRole('figure', { name: 'PHQ-9 estimate' })).toContainText(/\d+ of 27/)
  await expect(page.locator('#screen')).not.toContainText(/risk falling|steady/)
  const raised = page
    .getByRole('list', { name: 'Sessions' })
    .getByRole('button', { name: /Crisis/ })
    .first()
  await expect(raised).not.toContainText('sentiment')
  await raised.click()
  const crisis = page.getByRole('region', { name: 'Transcript' }).getByRole('article').filter({ hasText: 'Crisis' })
  await expect(crisis.first()).not.toContainText('sentiment')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary).not.toContainText(/recovering|improving/)
})

test('a chart can be read as a table and saved under a name that says nothing of the student', async ({
  desk: page,
}) => {
  await openFirstStudent(page)
  await trajectory(page).getByRole('button', { name: 'Show as table' }).click()
  await expect(trajectory(page).getByRole('row').nth(1)).toBeVisible()
  const download = page.waitForEvent('download')
  await trajectory(page).getByRole('button', { name: 'Save as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('risk-trajectory.csv')
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^Time,What,Score,Tier,Reasons,Decided by\r\n\d{4}-/)
})

test('the trajectory zooms to what was dragged over, and back', async ({ desk: page }) => {
  await openFirstStudent(page)
  const box = await trajectory(page).locator('svg[data-chart]').first().boundingBox()
  if (!box) throw new Error('the chart has no place')
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await trajectory(page).getByRole('button', { name: 'Reset zoom' }).click()
  await expect(trajectory(page).getByRole('button', { name: 'Reset zoom' })).toHaveCount(0)
})

test('a student’s session leads to its transcript, markers and summary, and back', async ({ desk: page }) => {
  await openFirstStudent(page)
  await page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: /ended/i }).first().click()
  await expect(page.getByRole('region', { name: 'Transcript' }).getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Markers' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Duration')
  await page.getByRole('button', { name: 'Student page' }).click()
  await expect(trajectory(page)).toBeVisible()
})

test('no student and no session stands in the address', async ({ desk: page }) => {
  await page.getByRole('button', { name: 'Student page' }).click()
  await expect(trajectory(page)).toBeVisible()
  expect(new URL(page.url()).hash).toBe('#/students')
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toMatch(/[0-9a-f]{8}/)
  await page.goBack()
  await expect(detail(page)).toBeVisible()
})
