import { loadSchool } from '../../main/demo/index.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { detail, inbox, openAlert } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

test('what a student says in the chat is an alert, and its acknowledgement comes back from the station', async ({
  desk: page,
  demo,
}) => {
  const student = await demo.say('I am going to kill myself tonight.')
  await expect(inbox(page).getByRole('link').filter({ hasText: student })).toContainText(/acknowledge within/)
  await openAlert(page, 'Open', new RegExp(student))
  await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(detail(page)).toContainText('A. Rivera acknowledged')
  // Confirmed: the acknowledgement queue had it, the station took it from there, and it came back as an event. Another
  // test's window of the same person may take the newest alert at the same moment: then there are two.
  await expect(detail(page).getByText('confirmed', { exact: true }).first()).toBeVisible()
})

test('the school’s own chat goes on, and soon somebody in it is in danger', async ({ desk: page }) => {
  const { incidents, roster } = loadSchool('resources/demo')
  const first = roster.find(({ student_id }) => student_id === incidents.first.student)
  await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click()
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(
    sessions
      .filter({ hasText: first?.name ?? 'nobody' })
      .filter({ hasText: 'Crisis' })
      .filter({ hasNotText: /ended/i }),
  ).toBeVisible({ timeout: 60_000 })
})

test(
  'a visitor who recorded something reads that the stop discards it, on screen and in the terminal',
  { tag: '@long' },
  async ({ page }) => {
    test.setTimeout(240_000)
    const demo = await startConsoleProcess({ args: ['--demo'] })
    try {
      await page.goto(demo.address)
      await expect(page.getByRole('navigation')).toBeVisible({ timeout: 150_000 })
      const strip = page.getByRole('banner', { name: 'State of the alarm' })
      await expect(strip).toContainText('Demonstration school')
      await expect(strip).not.toContainText('discarded')
      await openAlert(page, 'Open')
      await detail(page).getByRole('button', { name: 'Add note' }).click()
      await page.getByRole('dialog').getByLabel('Note').fill('A visitor was here.')
      await page.keyboard.press('Control+Enter')
      await expect(strip).toContainText('What you record in this demonstration is discarded when it stops')
      expect(demo.written.stderr).toBe('')
    } finally {
      await demo.stop()
    }
    expect(demo.written.stderr).toContain('what was recorded in it is discarded')
    expect(demo.written.stderr).toContain('npm start -- --desk')
  },
)
