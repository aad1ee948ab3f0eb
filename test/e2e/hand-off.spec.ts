/** The ends of a hand-off beside accepting it: its giver withdraws it, its receiver declines it. */
import type { Page } from '@playwright/test'
import { detail, openAlert } from '../support/screens.ts'
import { become, expect, test } from '../support/shared-demo.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true })

async function handOff(page: Page, name: RegExp): Promise<void> {
  await detail(page).getByRole('button', { name: 'Hand off' }).click()
  const to = dialog(page).getByLabel('To')
  const value = await to.getByRole('option', { name }).getAttribute('value')
  await to.selectOption(value)
  await expect(dialog(page)).toContainText('It is a crisis: it rings until they accept or decline.')
  await dialog(page).getByRole('button', { name: 'Hand off' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

test('a hand-off is withdrawn by its giver, and declined by whom it was given to, with a word why', async ({
  desk: page,
  demo,
}) => {
  const student = new RegExp(await demo.say('I am going to kill myself tonight.'))
  await openAlert(page, 'Open', student)
  await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
  await handOff(page, /^K\. Osei/)
  await button(page, 'Withdraw hand-off').click()
  await expect(detail(page)).toContainText('A. Rivera withdrew the hand-off')
  await expect(button(page, 'Withdraw hand-off')).toHaveCount(0)

  await handOff(page, /^K\. Osei/)
  await expect(button(page, 'Withdraw hand-off')).toBeVisible()
  await become(page, 'K. Osei')
  await openAlert(page, 'Open', student)
  await button(page, 'Decline hand-off').click()
  await expect(dialog(page)).toContainText('The alert stays with A. Rivera')
  await dialog(page).getByLabel('Why (optional)').fill('I am at the other campus.')
  await dialog(page).getByRole('button', { name: 'Decline hand-off' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(detail(page)).toContainText('K. Osei declined the hand-off')
  await expect(detail(page)).toContainText('I am at the other campus.')
  await expect(button(page, 'Accept hand-off')).toHaveCount(0)
})
