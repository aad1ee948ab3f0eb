import { windowsVariable, type DemonstrationWindow } from '../support/demonstration.ts'
import { axeFindings } from '../support/axe.ts'
import { detail, inbox, openAlert } from '../support/screens.ts'
import { become, expect, test } from '../support/shared-demo.ts'

test('who else has an alert open is named on its row and where it is open, and no more once they leave', async ({
  desk,
  demo,
  browser,
}) => {
  const student = new RegExp(await demo.say('I am going to kill myself tonight.'))
  const beside = (await (await fetch(process.env[windowsVariable] ?? '')).json()) as DemonstrationWindow
  const context = await browser.newContext()
  await context.addCookies([{ ...beside.cookie, url: beside.origin }])
  const other = await context.newPage()
  await other.goto(beside.origin)
  await expect(other.getByRole('navigation')).toBeVisible()
  await become(other, 'K. Osei')

  const row = inbox(desk).getByRole('link').filter({ hasText: student }).first()
  await expect(row).toBeVisible()
  await openAlert(other, 'Open', student)
  await expect(row).toContainText('K. Osei is looking at this.', { timeout: 3_000 })
  await openAlert(desk, 'Open', student)
  await expect(detail(desk).getByRole('status').filter({ hasText: 'K. Osei' })).toHaveText(
    'K. Osei is looking at this.',
  )
  await expect(detail(other)).toContainText('A. Rivera is looking at this.')
  await expect(detail(desk)).not.toContainText('A. Rivera is looking')
  expect(await axeFindings(desk)).toEqual([])
  await desk.screenshot({ path: test.info().outputPath('viewed.png') })

  await other.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await expect(row).not.toContainText('is looking', { timeout: 3_000 })
  await expect(detail(desk)).not.toContainText('is looking')
  await context.close()
})
