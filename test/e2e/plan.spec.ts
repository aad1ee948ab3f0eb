import { detail, holdOne, inbox } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

test('an unsaved plan stays with its alert, and a due time that has passed is refused', async ({ desk: page }) => {
  await holdOne(page)
  const next = detail(page).getByLabel('Next action')
  const due = detail(page).getByLabel('Due')
  const save = detail(page).getByRole('button', { name: 'Save plan' })
  await next.fill('Call the grandmother')
  await expect(detail(page).getByText('Not saved yet')).toBeVisible()

  const held = (await inbox(page).locator('[aria-current]').getAttribute('data-alert')) ?? ''
  await inbox(page).locator(`[data-alert]:not([data-alert="${held}"])`).first().click()
  await expect(detail(page).getByText('Not saved yet')).toHaveCount(0)
  await inbox(page).locator(`[data-alert="${held}"]`).click()
  await expect(next).toHaveValue('Call the grandmother')

  const recorded = await due.inputValue()
  await due.fill('2020-01-01T10:00')
  await expect(detail(page)).toContainText('This time has already passed')
  await expect(save).toBeDisabled()
  await due.fill(recorded)
  await save.click()
  await expect(detail(page).getByText('Not saved yet')).toHaveCount(0)
  await expect(detail(page)).toContainText('Next: Call the grandmother')
})
