/** A case from its acknowledgement to its end, at a district console: steps, promises, calls, and every way back. */
import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { detail, inbox, pressOnAlert } from '../support/screens.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const steps = (page: Page) => detail(page).getByRole('list', { name: 'Steps' })
const commitments = (page: Page) => detail(page).getByRole('list', { name: 'Commitments' })
const calls = (page: Page) => detail(page).getByRole('list', { name: 'Calls' })
const undo = (page: Page) => page.getByRole('complementary', { name: 'Undo' })

async function commit(page: Page, what: string, preset: RegExp): Promise<void> {
  await button(page, 'Add commitment').click()
  await dialog(page).getByLabel('What will be done').fill(what)
  await dialog(page).getByRole('button', { name: preset }).click()
  await inDialog(page, 'Save').click()
  await expect(dialog(page)).toHaveCount(0)
}

async function logCall(page: Page, result: string): Promise<void> {
  await calls(page)
    .or(detail(page))
    .getByRole('button', { name: /^Log a call/ })
    .last()
    .click()
  await dialog(page).getByLabel('Result').selectOption(result)
  await inDialog(page, 'Save call').click()
  await expect(dialog(page)).toHaveCount(0)
}

test(
  'a case: taken back, taken again, its steps, promises and calls, resolved with a reason, opened again',
  { tag: '@long' },
  async ({ page, district: { queue, console } }) => {
    await page.goto(console.address)
    await queue.publish(JSON.stringify(legacyCrisis()))
    await inbox(page).getByRole('link').first().click()
    const history = detail(page).getByRole('region', { name: 'What was done' })

    await test.step('the steps can be read before; an acknowledgement is taken back by one key', async () => {
      await detail(page).getByText('Steps for this alert (7)').click()
      await expect(steps(page)).toContainText('Ask directly about suicide · required before resolving')
      await pressOnAlert(page, 'a')
      await expect(undo(page)).toContainText(/^Acknowledged: Student/)
      await expect(page.getByRole('status').filter({ hasText: 'To undo, press u within 10 seconds' })).toHaveCount(1)
      await page.keyboard.press('u')
      await expect(button(page, 'Acknowledge')).toBeVisible()
      await expect(undo(page)).toHaveCount(0)
      await expect(history.getByRole('listitem')).toContainText([/J\. Marlow acknowledged.* undone \d/])
    })

    await test.step('steps are ticked with who and when, and unticked', async () => {
      await button(page, 'Acknowledge').click()
      await button(page, 'Mark done: Be with the student').click()
      await expect(steps(page)).toContainText(/Done \d.* by J\. Marlow/)
      await undo(page).getByRole('button', { name: 'Undo' }).click()
      await expect(steps(page)).not.toContainText('by J. Marlow')
      await button(page, 'Mark done: Be with the student').click()
      await expect(detail(page)).toContainText('1 of 7 done')
    })

    await test.step('two promises stand beside each other and beside the plan', async () => {
      await commit(page, 'Stay with them until the last bell', /in 1 h/i)
      await commit(page, 'Check in', /tomorrow/i)
      await expect(commitments(page).getByRole('listitem')).toContainText([
        'Contact the student',
        'Stay with them until the last bell',
        'Check in',
      ])
      await button(page, 'Change: Check in').click()
      await dialog(page).getByLabel('What will be done').fill('Check in with the family')
      await inDialog(page, 'Save').click()
      await button(page, 'Done: Contact the student').click()
      await expect(commitments(page).getByRole('listitem')).toContainText([
        'Stay with them until the last bell',
        'Check in with the family',
        /Contact the student.*Done \d.* by J\. Marlow/,
      ])
    })

    await test.step('attempts are counted by person', async () => {
      await button(page, 'Log a call').click()
      await dialog(page).getByLabel('Who was called').selectOption('Guardian')
      await dialog(page).getByLabel('Name or role').fill('Mother')
      await dialog(page).getByLabel('Result').selectOption('no answer')
      await inDialog(page, 'Save call').click()
      await expect(calls(page)).toContainText(/Mother: no answer, last \d/)
      await logCall(page, 'no answer')
      await expect(calls(page)).toContainText(/Mother: no answer, 2 ×, last \d/)
    })

    await test.step('a note is corrected, and both are shown', async () => {
      // A commitment that is half written outlives the note, and is dropped on purpose alone.
      await button(page, 'Add commitment').click()
      await dialog(page).getByLabel('What will be done').fill('Ask the nurse')
      await page.keyboard.press('Escape')
      await pressOnAlert(page, 'n')
      await dialog(page).getByLabel('Note').fill('She is with her aunt.')
      await page.keyboard.press('Control+Enter')
      await expect(dialog(page)).toHaveCount(0)
      await button(page, 'Add commitment').click()
      await expect(dialog(page).getByLabel('What will be done')).toHaveValue('Ask the nurse')
      await inDialog(page, 'Discard draft').click()
      await expect(dialog(page)).toHaveCount(0)
      await detail(page)
        .getByRole('button', { name: /^Correct the note/ })
        .click()
      await expect(dialog(page).getByLabel('What it should say')).toHaveValue('She is with her aunt.')
      await dialog(page).getByLabel('What it should say').fill('She is with her grandmother.')
      await page.keyboard.press('Control+Enter')
      await expect(history).toContainText(/She is with her aunt\..*Corrected \d.* by J\. Marlow:.*grandmother/)
    })

    await test.step('nobody reached is no outcome; missing steps are listed, and a reason is asked', async () => {
      await pressOnAlert(page, 'r')
      await expect(dialog(page)).toContainText('2 calls were logged and nobody was reached')
      await expect(dialog(page).getByRole('option', { name: 'Could not reach' })).toHaveCount(0)
      await dialog(page).locator('select').selectOption('safety plan')
      await dialog(page).getByLabel('What was done').fill('Plan written together.')
      await inDialog(page, 'Resolve').click()
      await expect(dialog(page)).toContainText('Do the steps above, or give the reason')
      const left = dialog(page).getByRole('region', { name: 'Required steps not done' }).getByRole('listitem')
      await expect(left).toHaveCount(3)
      await inDialog(page, 'Already done: Ask directly about suicide').click()
      await expect(left).toHaveCount(2)
      await inDialog(page, 'Undo').click()
      await expect(left).toHaveCount(3)
      await inDialog(page, 'Already done: Ask directly about suicide').click()
      await expect(left).toHaveCount(2)
      await inDialog(page, 'Set a follow-up for tomorrow').click()
      await expect(left).toHaveCount(1)
      await expect(dialog(page).getByRole('region', { name: 'What stays open' }).getByRole('listitem')).toContainText([
        /last bell.*stays in My day/,
        /Check in with the family.*stays in My day/,
        /Check in with the student.*stays in My day/,
      ])
      expect(await axeFindings(page)).toEqual([])
      // To the step and back: what was typed is still there.
      await inDialog(page, 'Do it now: Call a guardian').click()
      await expect(button(page, 'Mark done: Call a guardian')).toBeFocused()
      await pressOnAlert(page, 'r')
      await expect(dialog(page).getByLabel('What was done')).toHaveValue('Plan written together.')
      await dialog(page).getByLabel('Reason for resolving without them').fill('The guardian is abroad.')
      await inDialog(page, 'Resolve').click()
      await expect(dialog(page)).toHaveCount(0)
      await expect(history).toContainText('Reason: The guardian is abroad.')
    })

    await test.step('it is opened again with a reason, held, and returned', async () => {
      await button(page, 'Reopen').click()
      await dialog(page).getByLabel('Reason for reopening').fill('The mother called back.')
      await inDialog(page, 'Reopen').click()
      await button(page, 'Acknowledge').click()
      await button(page, 'Return to queue').click()
      await inDialog(page, 'Return to queue').click()
      await expect(detail(page)).toContainText('J. Marlow returned it to the queue')
      await expect(button(page, 'Acknowledge')).toBeVisible()
      await expect(commitments(page)).toContainText('last bell')
      expect(await axeFindings(page)).toEqual([])
    })
  },
)
