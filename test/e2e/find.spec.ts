/** Students and alerts are found by what is typed, and have an address that can be kept. */
import type { Page } from '@playwright/test'
import { detail, inbox, openAlert } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find' })
const problem = (page: Page) => page.getByRole('dialog', { name: 'Link' })

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
}

test('by keyboard alone, a student by pseudonym and an alert by category, and nothing else is moved by them', async ({
  desk: page,
  demo,
}) => {
  const student = await demo.say('I am going to kill myself tonight.')
  const pseudonym = student.slice('Student '.length)
  await expect(inbox(page).getByRole('link').filter({ hasText: student })).toBeVisible()
  await find(page, student)
  const group = palette(page).getByRole('group', { name: 'Students' })
  await expect(group.getByRole('option')).toContainText([pseudonym])
  await expect(palette(page).getByRole('group', { name: 'Alerts' })).toContainText('suicidal intent')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'Student' })).toContainText(pseudonym)

  await find(page, pseudonym)
  await expect(palette(page).getByRole('group', { name: 'Alerts' })).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(detail(page).locator('#alert-heading')).toContainText(pseudonym)

  await find(page, 'nobody of that name')
  await expect(palette(page)).toContainText('No matches.')
  await page.keyboard.press('Escape')
})

test('a link leads to its alert or student in another window, says nothing in the address, and says when it leads nowhere', async ({
  desk: page,
  demo,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const student = await demo.say('I am going to kill myself tonight.')
  const pseudonym = student.slice('Student '.length)
  await openAlert(page, 'Open', new RegExp(student))
  await detail(page).getByRole('button', { name: 'Copy link to this alert' }).click()
  await expect(detail(page).getByRole('button', { name: 'Link copied' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/alerts\/[\w-]{32}$/)
  expect(link.toUpperCase()).not.toContain(`/${pseudonym}`)

  const other = await page.context().newPage()
  await other.goto(link)
  await expect(detail(other).locator('#alert-heading')).toContainText(pseudonym)
  expect(new URL(other.url()).hash).toBe('#/alerts')
  expect(await other.evaluate(() => history.length)).toBeLessThan(5)

  // From the palette, and pasted into it.
  await find(page, 'copy link')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('Link copied')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await find(page, link)
  await page.keyboard.press('Enter')
  await expect(detail(page).locator('#alert-heading')).toContainText(pseudonym)

  // In the address of a window that is open.
  await other.goto(link.replace(/alerts\/.*/, `students/${'A'.repeat(32)}`))
  await expect(problem(other)).toContainText('This link opens nothing here.')
  await expect(problem(other)).toContainText('another school')
  await other.close()
})

test('a link to an alert that is over shows that alert, whatever the inbox lists', async ({ desk: page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAlert(page, 'All', /resolved/)
  const heading = await detail(page).locator('#alert-heading').innerText()
  await detail(page).getByRole('button', { name: 'Copy link to this alert' }).click()
  await expect(detail(page).getByRole('button', { name: 'Link copied' })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(await page.evaluate(() => navigator.clipboard.readText()))
  await expect(detail(other).locator('#alert-heading')).toHaveText(heading.replace(/\s+/g, ' '), { useInnerText: true })
  await expect(detail(other)).toContainText('resolved it')
  await other.close()
})
