import { expect, test } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { testSchool } from '../support/sign-in.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'

test('a console that was told no school shows every school’s alerts, and asks which one it serves', async ({
  page,
}) => {
  const queue = await startQueueServer()
  const console = await startConsoleProcess({
    env: { ...queue.env, PSYFLO_PASSPHRASE: 'correct horse battery staple' },
  })
  await page.goto(console.address)
  await queue.publish(JSON.stringify(legacyCrisis({ school_id: testSchool })))
  await queue.publish(JSON.stringify(legacyCrisis({ school_id: otherSchool })))
  const rows = page.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link')
  await expect(rows.filter({ hasText: `school ${testSchool.slice(0, 8)}` })).toBeVisible()
  await expect(rows.filter({ hasText: `school ${otherSchool.slice(0, 8)}` })).toBeVisible()

  const question = page.getByRole('region', { name: 'Which school does this console serve?' })
  await expect(question.getByRole('radio')).toHaveCount(3)
  expect(await axeFindings(page)).toEqual([])
  await question.getByLabel('School ID').fill('somewhere')
  await question.getByLabel('School ID').press('Enter')
  await expect(question).toContainText('This is not a school ID')
  await question.getByRole('radio', { name: new RegExp(testSchool) }).check()
  await question.getByRole('button', { name: 'Serve this school' }).click()

  await expect(question).toHaveCount(0)
  await expect(rows).toHaveCount(1)
  await expect(rows).not.toContainText('school')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('belongs to another school')
  await console.stop()
  await queue.stop()
})
