import { expect, test } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'

test.describe('a district console on a queue that another process fills', () => {
  let queue: QueueServer
  let console: ConsoleProcess
  test.beforeAll(async () => {
    queue = await startQueueServer()
    console = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  })
  test.afterAll(async () => {
    await console.stop()
    await queue.stop()
  })

  test('shows a minimal legacy crisis, acknowledges it by one key, and the queue has the acknowledgement', async ({
    page,
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

    await page.keyboard.press('a')
    await expect(detail).toContainText('J. Marlow')
    await expect(detail).toContainText(/sent/i)
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

    await page.keyboard.press('e')
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
    await expect(detail).toContainText('nobody would notice')
  })

  test('keeps and shows what it cannot read, and says that a crisis is among it', async ({ page }) => {
    const second = await startConsoleProcess({ env: { ...(await startSecondQueue()).env, ...(await signedInEnv()) } })
    await page.goto(second.address)
    await secondQueue?.send('{"event_type":"CRISIS_DETECTED", broken')
    await expect(page.getByText('A crisis event could not be read').first()).toBeVisible()
    await second.stop()
    await secondQueue?.stop()
  })
})

let secondQueue: QueueServer | undefined
async function startSecondQueue(): Promise<QueueServer> {
  secondQueue = await startQueueServer()
  return secondQueue
}
