import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { pressOnAlert } from '../support/screens.ts'

test('a minimal legacy crisis is shown, acknowledged by one key, and the queue has the acknowledgement', async ({
  page,
  district: { queue, console },
}) => {
  await page.goto(console.address)
  const inbox = page.getByLabel('Alerts', { exact: true })
  await expect(page.getByText('No open alerts.')).toBeVisible()

  const event = legacyCrisis({ reasoning: 'She wrote that nobody would notice.' })
  await queue.publish(JSON.stringify(event))
  await expect(inbox.getByText('suicidal intent').first()).toBeVisible()
  const detail = page.getByRole('region', { name: 'Alert', exact: true })
  await expect(detail).toContainText('suicidal intent')
  await expect(detail).not.toContainText('nobody would notice')

  // The program shows it by itself; no key acts on it before it was chosen and stood there for a moment.
  await page.keyboard.press('a')
  await expect(page.getByText('Choose an alert first: press j or click a row.').first()).toBeVisible()
  await page.keyboard.press('j')
  await pressOnAlert(page, 'a')
  await expect(detail).toContainText('J. Marlow acknowledged')
  await expect(detail.getByText('sent', { exact: true })).toBeVisible()
  await expect
    .poll(async () => (await queue.acknowledgements()).at(0))
    .toMatchObject({
      schema_version: 1,
      event_type: 'ALERT_ACKNOWLEDGED',
      covers: [event['idempotency_key']],
      session_id: event['session_id'],
      student_hash: event['student_hash'],
      acknowledged_by: 'counselor-1',
      next_action: 'Contact the student',
    })

  await pressOnAlert(page, 'e')
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
  await expect(detail).toContainText('nobody would notice')
})
