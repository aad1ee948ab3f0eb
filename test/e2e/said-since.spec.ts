import { expect, test } from '../support/shared-demo.ts'

test('what a student writes after the alert stands beside the evidence as it comes, place and company first', async ({
  desk,
  demo,
}) => {
  const student = await demo.converse()
  await student.say('i am going to kill myself tonight')
  await desk.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link').filter({ hasText: student.student }).first().click() // prettier-ignore
  const alert = desk.getByRole('region', { name: 'Alert', exact: true })
  await expect(alert.getByRole('heading', { name: student.student })).toBeVisible()
  await expect(desk.getByText('im at home', { exact: false })).toHaveCount(0)
  await alert.getByRole('button', { name: 'Reveal evidence' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
  const evidence = alert.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText('i am going to kill myself tonight')
  await expect(evidence).toContainText('No phrase about where they are or who is with them was found.')
  await expect(evidence).toContainText('The student has written nothing since.')

  await student.say('im at home, my mum is out')
  await expect(evidence.getByRole('status')).toContainText(
    /Said about where they are: .?im at home.? \d{1,2}:\d\d [AP]M/,
  )
  await expect(evidence.getByRole('status')).toContainText(
    /Said about who is with them: .?my mum is out.? \d{1,2}:\d\d [AP]M/,
  )
  await student.say('ok')
  const list = evidence.getByRole('list', { name: 'What the student wrote' }).getByRole('listitem')
  await expect(list.last()).toHaveText(/since then\s*ok$/)

  await evidence.getByRole('button', { name: 'Hide evidence' }).click()
  await expect(evidence).not.toContainText('im at home')
})

test('student and first call stay in view on a small window and on a phone', async ({ desk, demo }) => {
  await demo.say('i am going to kill myself tonight')
  await desk.setViewportSize({ width: 1024, height: 700 })
  const alert = desk.getByRole('region', { name: 'Alert', exact: true })
  const bar = alert.getByRole('group', { name: 'Student and first call' })
  await expect(bar).toBeInViewport({ ratio: 1 })
  await alert.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(bar).toBeInViewport({ ratio: 1 })
  await expect(bar.getByRole('link', { name: /^Call Emergency services/ })).toHaveAttribute('href', 'tel:911')
  await bar.getByRole('button', { name: 'All contacts' }).click()
  await expect(alert.getByRole('region', { name: 'Who to call' })).toBeInViewport()

  await desk.setViewportSize({ width: 390, height: 844 })
  await desk.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link').first().click()
  await expect(bar).toBeInViewport({ ratio: 1 })
  const link = bar.getByRole('link', { name: /^Call Emergency services/ })
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
