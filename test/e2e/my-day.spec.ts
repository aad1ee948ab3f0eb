import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'

test('a safety plan and a follow-up outlive the alert, and stand on My day, by keyboard alone', async ({
  page,
  district: { queue, console },
}) => {
  await page.goto(console.address)
  const { keyboard } = page
  const myDay = page.getByRole('link', { name: 'My day' })
  await myDay.waitFor()
  await keyboard.press('g')
  await keyboard.press('d')
  await expect(page.getByText('Nothing is waiting for you.')).toBeVisible()
  await keyboard.press('g')
  await keyboard.press('a')

  await queue.publish(JSON.stringify(legacyCrisis()))
  const alert = page.getByRole('region', { name: 'Alert', exact: true })
  await expect(alert).toContainText('suicidal intent')
  // The inbox has the alert; the person chooses it, and only then do keys act on it.
  await keyboard.press('j')
  await expect(alert).toHaveAttribute('data-keys', 'act')
  await keyboard.press('a')
  await expect(alert).toContainText('J. Marlow acknowledged')

  // The plan, from the alert to the student's page.
  await expect(page.getByText('No safety plan yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Start a safety plan' }).focus()
  await keyboard.press('Enter')
  const plan = page.getByRole('region', { name: 'Safety plan' })
  await expect(plan.getByLabel('Warning signs')).toBeFocused()
  await keyboard.type('I stop answering my friends.')
  await keyboard.press('Tab')
  await keyboard.type('Draw. Walk the dog.')
  await keyboard.press('Control+Enter')
  await expect(plan.getByText('Version 1 of 1 · J. Marlow')).toBeVisible()
  await expect(plan).toContainText('Walk the dog.')

  // A second version, and the first one restored.
  await plan.getByRole('button', { name: 'Edit plan' }).focus()
  await keyboard.press('Enter')
  await expect(plan.getByLabel('Warning signs')).toBeFocused()
  await keyboard.type('Now: ')
  await keyboard.press('Control+Enter')
  await plan.getByLabel('Version').selectOption({ index: 1 })
  await expect(plan).toContainText('This is an earlier version.')
  await plan.getByRole('button', { name: 'Restore this version' }).press('Enter')
  await expect(plan.getByLabel('Warning signs')).toHaveValue('I stop answering my friends.')
  await keyboard.press('Control+Enter')
  await expect(plan.getByLabel('Version')).toContainText('Version 3 of 3')

  // On paper: the plan and nothing else.
  await page.evaluate(() => (window.print = () => undefined))
  await plan.getByRole('button', { name: 'Print' }).press('Enter')
  await expect(page.locator('.print-page')).toContainText('I stop answering my friends.')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article', { name: /^Safety plan of/ })).toBeVisible()
  await expect(page.locator('#root')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(page.locator('.print-page')).toHaveCount(0)

  // A follow-up for tomorrow.
  await page.getByRole('button', { name: 'Add follow-up' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What').fill('Ask how the night was')
  await dialog.getByRole('button', { name: 'Tomorrow' }).press('Enter')
  await keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Follow-ups' })).toContainText('Ask how the night was')
  expect(await axeFindings(page)).toEqual([])

  // My day has it, and what is held.
  await keyboard.press('g')
  await keyboard.press('d')
  await expect(page.getByRole('list', { name: 'Held by you' })).toContainText('suicidal intent')
  await expect(page.getByRole('list', { name: 'Due today' })).toContainText('Contact the student')
  const tomorrow = page.getByRole('list', { name: /^Tomorrow, / })
  await expect(tomorrow).toContainText('Ask how the night was')
  await expect(myDay).toContainText(/1 due today/)
  expect(await axeFindings(page)).toEqual([])
  await keyboard.press('End')
  await expect(tomorrow.getByRole('button', { name: /Ask how the night was/ }).first()).toBeFocused()
  const undo = tomorrow.getByRole('button', { name: /^Undo/ })
  await expect(async () => {
    await keyboard.press('d')
    await expect(undo).toBeVisible({ timeout: 200 })
  }).toPass()
  await keyboard.press('u')
  await expect(undo).toHaveCount(0)
  await expect(tomorrow.getByRole('button', { name: /^Done: Ask how the night was/ })).toBeVisible()
  await keyboard.press('Enter')
  await expect(plan.getByLabel('Version')).toContainText('Version 3 of 3')
})
