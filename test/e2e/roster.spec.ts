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
  await expect(context).toContainText('Mr Testwell (father), 555-0199')
})
