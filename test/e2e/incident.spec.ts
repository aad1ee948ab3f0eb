import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { detail, openAlert } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

const record = (page: Page) => page.getByRole('article', { name: 'Incident record' })
/** Pages of a PDF, as Chromium writes them. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

test('an incident becomes one page that names who did what, holds no words unasked, and is told of when printed', async ({
  desk: page,
  demo,
}) => {
  /** Calls that reached main, with their inputs. */
  const calls: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => void calls.push(String(payload))))
  await page.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'))
      document.documentElement.dataset['printed'] = document.title
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  await page.reload()
  const words = 'I am going to kill myself tonight.'
  const student = await demo.say(words)
  await openAlert(page, 'Open', new RegExp(student))
  await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(detail(page)).toContainText('A. Rivera acknowledged')
  await page.locator('#alert-heading').focus()
  await page.keyboard.press('i')

  await expect(record(page)).toContainText(`${student.replace('Student ', '')}`)
  const timeline = record(page).getByRole('table', { name: 'Timeline' })
  await expect(timeline).toContainText('Acknowledged the alert')
  // The student is in no roster, so nobody is assigned: the ladder went on at once to every counselor and admin.
  await expect(timeline).toContainText('Escalation, step 3')
  await expect(timeline).toContainText('Notification to A. Rivera at the console')
  await expect(record(page)).not.toContainText('No notification is recorded')
  await expect(record(page)).toContainText('held by A. Rivera')
  await expect(record(page)).not.toContainText(words)
  expect(page.url()).toMatch(/#\/incident$/)

  await page.getByRole('button', { name: 'Include the student’s words' }).click()
  await page.getByRole('dialog').getByLabel('Reason for including them').fill('Asked for by the clinic')
  await page.keyboard.press('Enter')
  await expect(record(page).getByText(words)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'Incident record')
  await expect(page).not.toHaveTitle('Incident record')
  const printed = calls.filter((call) => call.includes('incident.printed'))
  expect(printed).toHaveLength(1)
  expect(printed[0]).toContain('"with_words":true')
  expect(calls.some((call) => call.includes('incident.words') && call.includes('Asked for by the clinic'))).toBe(true)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(record(page)).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
  // Paper stays white, and nothing is cut off at its edge.
  expect(await record(page).evaluate((of) => getComputedStyle(of).backgroundColor)).toBe('rgb(255, 255, 255)')
  expect(await record(page).evaluate((of) => of.scrollWidth <= of.clientWidth)).toBe(true)
  for (const format of ['A4', 'Letter'] as const) {
    const folder = process.env['PICTURES']
    if (folder) mkdirSync(folder, { recursive: true })
    const pdf = await page.pdf({ format, ...(folder && { path: join(folder, `incident-${format}.pdf`) }) })
    expect(pagesOf(pdf)).toBeGreaterThanOrEqual(1)
    expect(pagesOf(pdf)).toBeLessThanOrEqual(3)
  }
})

test('the demonstration has a case whose record is whole: who was reached, what was done, the plan and tomorrow', async ({
  desk: page,
}) => {
  await openAlert(page, 'All', /Leila Farrokhsar/)
  await detail(page).getByRole('button', { name: 'Incident record' }).click()
  await expect(record(page)).toContainText('Demonstration school')
  const timeline = record(page).getByRole('table', { name: 'Timeline' })
  for (const line of [
    'Step completed: Ask directly about suicide',
    'Tried to reach Dariush Farrokhsar (father): left a message',
    'Reached Mina Farrokhsar (mother)',
    'Saved the safety plan',
    'Follow-up for A. Rivera: Check in with Leila before first period',
    'Resolved the alert: safety plan',
  ])
    await expect(timeline).toContainText(line)
  await expect(record(page)).toContainText(/Follow-up: Check in with Leila.*not completed/)
  await expect(record(page)).not.toContainText('cardamom')
  await page.getByRole('button', { name: 'Include the safety plan' }).click()
  await page.getByRole('dialog').getByLabel('Reason for including it').fill('For her mother')
  await page.keyboard.press('Enter')
  await expect(record(page)).toContainText('Smell cardamom tea.')
})
