/** A program that does not answer is red, records nothing behind anybody's back, and loses nothing that was typed. */
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { detail } from '../support/screens.ts'

test('while the program is frozen the window says so, and what is done in it is neither swallowed nor done twice', async ({
  page,
  district: { queue, console },
}) => {
  await page.goto(console.address)
  await queue.publish(JSON.stringify(legacyCrisis()))
  await expect(detail(page)).toContainText('suicidal intent')
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await expect(strip).toContainText('Connected')
  const dialog = page.getByRole('dialog', { name: 'Add note' })

  console.process.kill('SIGSTOP')
  try {
    // Nothing on screen knows of it yet: the key is taken for an acknowledgement, and then said not to be one.
    await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
    await expect(detail(page).getByRole('alert')).toContainText('Not recorded yet: the program does not answer.')
    await expect(strip).toContainText('The program does not answer', { timeout: 10_000 })
    await expect(strip).toHaveAttribute('data-state', 'alarming')
    await expect(strip).not.toContainText('Connected')
    await expect(page.getByText('nothing you do is recorded until it answers')).toBeVisible()

    await page.keyboard.press('n')
    await dialog.getByLabel('Note').fill('Her aunt is on the way.')
    await dialog.getByRole('button', { name: 'Add note' }).click()
    await expect(dialog).toContainText('Not recorded yet', { timeout: 1_000 })
    await expect(dialog.getByLabel('Note')).toHaveValue('Her aunt is on the way.')
  } finally {
    console.process.kill('SIGCONT')
  }

  await expect(strip).toContainText('Connected')
  // What waited for it on the wire is left alone: the person was told that it was not recorded.
  await expect(page.getByText('nothing you do is recorded until it answers')).toBeHidden()
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(detail(page)).toContainText('Her aunt is on the way.')
  await expect(detail(page)).not.toContainText('acknowledged')

  await page.keyboard.press('a')
  await expect(detail(page).getByText('J. Marlow acknowledged')).toHaveCount(1)
  const sent = new Map<unknown, unknown>()
  await expect
    .poll(async () => {
      for (const { ack_id, action } of await queue.acknowledgements()) if (action) sent.set(ack_id, action)
      return [...sent.values()]
    })
    .toEqual(['noted', 'acknowledged'])
})
