import { createHmac } from 'node:crypto'
import { expect, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { rosterWithErrors } from '../support/screens.ts'
import { goTo } from '../support/shared-demo.ts'

test.use({ person: { sub: 'admin-1', role: 'ADMIN', name: 'A. Dean' } })

test('an admin imports a roster with errors: they are named before, and the names appear after', async ({
  page,
  district: { queue, console },
}) => {
  const salt = 'the salt of the school’s chat'
  const student_hash = createHmac('sha256', salt).update('S-1').digest('hex')
  const pseudonym = new RegExp(`Student ${student_hash.slice(0, 4)}`, 'i')
  await page.goto(console.address)
  await queue.publish(JSON.stringify(legacyCrisis({ student_hash })))
  const row = page.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link')
  await expect(row.filter({ hasText: pseudonym })).toBeVisible()

  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Roster import' }).click()
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(rosterWithErrors) })
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('4 rows · 1 can be imported · 1 new · 0 changed')
  const problems = preview.getByRole('table', { name: '3 rows have a problem' })
  await expect(problems).toContainText(/3.*student id.*is empty/)
  await expect(problems).toContainText(/4.*name.*is empty/)
  await expect(problems).toContainText(/5.*student id.*is already on line 2/)
  await expect(preview.getByRole('table', { name: 'First rows' })).toContainText('Ada Testwell')

  await expect(page.getByRole('button', { name: 'Import' })).toBeDisabled()
  await page.getByLabel('School salt').fill(salt)
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText(/^1 students? imported\. 3 rows were left out\.$/)).toBeVisible()

  await goTo(page, 'Alerts')
  await expect(row.filter({ hasText: 'Ada Testwell' })).toBeVisible()
  await expect(row.filter({ hasText: pseudonym })).toHaveCount(0)
  const detail = page.getByRole('region', { name: 'Alert', exact: true })
  await row.filter({ hasText: 'Ada Testwell' }).click()
  await expect(detail.getByRole('heading', { name: /Ada Testwell/ })).toBeVisible()
  const context = page.getByRole('complementary', { name: 'Student and history' })
  await expect(context).toContainText('10A · Maths, room 4')
  // What the roster calls the class is no place: where nothing says more, no “now” is claimed.
  await expect(context).toContainText('Class (roster)')
  await expect(context).not.toContainText('Now:')

  const guardians = context.getByRole('list', { name: 'Guardians' }).getByRole('listitem')
  await expect(guardians.nth(0)).toContainText(/Mrs Testwell.*Do not contact.*Reason: court order/)
  await expect(guardians.nth(0).getByRole('link')).toHaveCount(0)
  await expect(guardians.nth(1)).toContainText('Mr Testwell (father)')
  await expect(guardians.nth(1).getByRole('link', { name: /^Call/ })).toHaveAttribute('href', 'tel:5550199')
  await expect(context.getByRole('list', { name: 'Emergency' })).toContainText('911')

  const timetable = async (lines: string) => {
    await goTo(page, 'Settings')
    await page.getByRole('tab', { name: 'Roster import' }).click()
    const csv = `student_id,weekday,from,to,subject,room\n${lines}`
    await page
      .getByLabel('Timetable (CSV)')
      .setInputFiles({ name: 'timetable.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await expect(page.getByRole('region', { name: 'What this timetable has' })).toContainText('1 line has a problem')
    await page.getByRole('button', { name: 'Save timetable' }).click()
    await expect(page.getByText(/lessons? imported\. 1 line was left out\.$/)).toBeVisible()
    await goTo(page, 'Alerts')
  }
  const allWeek = [1, 2, 3, 4, 5, 6, 7].map((day) => `S-1,${day},00:00,23:59,Biology,room 208\n`).join('')
  await timetable(`${allWeek}S-1,Someday,08:00,09:00,Art,\n`)
  await expect(context).toContainText('Now: Biology, room 208 (timetable, until 11:59 PM)')
  const otherDay = ((new Date().getDay() + 3) % 7) + 1
  await timetable(`S-1,${otherDay},08:00,09:00,Art,\nS-1,${otherDay},08:00,09:00,Music,\n`)
  await expect(context).toContainText('No class right now (timetable).')
})
