import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, SetQueueAttributesCommand, TagQueueCommand } from '@aws-sdk/client-sqs' // prettier-ignore
import { startConsoleProcess } from '../support/console-process.ts'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'

const strip = { name: 'State of the alarm' }

test(
  'a second console on a queue says who has it, and opens once that one has stopped and somebody tries again',
  { tag: '@long' },
  async ({ page, district: { console, env } }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-second-'))
    test.setTimeout(180_000)
    // A person who types the passphrase sees why it does not open.
    const { PSYFLO_PASSPHRASE = '', ...asks } = env
    const second = await startConsoleProcess({ dataDir, env: asks, until: 'Waiting for the passphrase' })
    try {
      await page.goto(second.address)
      await page.getByLabel('Passphrase', { exact: true }).fill(PSYFLO_PASSPHRASE)
      await page.getByLabel('Confirm passphrase').fill(PSYFLO_PASSPHRASE)
      await page.getByRole('button', { name: 'Create and open' }).click()
      const reason = page.getByRole('alert').filter({ hasText: 'receives from this queue' })
      await expect(reason).toContainText('Another console', { timeout: 60_000 })
      await expect(reason).toContainText('Each would get half of the alerts.')
      await expect(reason).toContainText('Give this one a queue of its own')
      await console.stop()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('banner', strip)).toContainText('Connected', { timeout: 60_000 })
    } finally {
      await second.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)

test(
  'a console that takes the queue all the same turns the strip red, and the connection test names it',
  { tag: '@long' },
  async ({ page, district: { queue, console } }) => {
    test.setTimeout(120_000)
    await page.goto(console.address)
    const banner = page.getByRole('banner', strip)
    await expect(banner).toContainText('Connected')
    const Tags = { 'psyflo-console:another': 'receiving 00ff 7 front-office' }
    await queue.sqs.send(new TagQueueCommand({ QueueUrl: queue.eventsQueueUrl, Tags }))
    const said = banner.getByRole('alert').filter({ hasText: 'Another console (front-office) receives' })
    await expect(said).toBeVisible({ timeout: 45_000 })
    await expect(banner).toHaveAttribute('data-state', 'alarming')
    await said.getByRole('button', { name: 'Queues & connection' }).click()
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await expect(page.getByText('A step failed.')).toBeVisible()
    await expect(page.getByText('Another console (front-office) receives from this queue, too.')).toBeVisible()
  },
)

test('what SQS has put aside comes back by itself, and Settings says how many there were', async ({
  page,
  district: { queue, console },
}) => {
  const { sqs, eventsQueueUrl: QueueUrl } = queue
  await page.goto(console.address)
  await expect(page.getByText('No open alerts.')).toBeVisible()
  await page.goto(`${new URL(console.address).origin}/#/settings/queues`)
  await page.getByText('About this console').click()
  await expect(page.getByText('has no dead-letter queue')).toBeVisible()
  const { QueueUrl: dead = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'psyflo-events-console-1-dead' }))
  await sqs.send(new SendMessageCommand({ QueueUrl: dead, MessageBody: JSON.stringify(legacyCrisis()) }))
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['QueueArn'] }))
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 10 })
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }))
  await page.getByRole('button', { name: 'Look now' }).click()
  await expect(page.getByText('1 message was brought back.')).toBeVisible()
  await expect(page.getByText('0 messages in the dead-letter queue')).toBeVisible()
  await expect(page.getByRole('banner', strip)).toContainText('1 unacknowledged')
})
