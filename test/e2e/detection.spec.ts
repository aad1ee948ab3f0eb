/** Settings → Detection: how cautiously messages are read, chosen for the whole school by keyboard alone. */
import { expect, test } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { callDesk, deskAdmin, setUpDesk } from '../support/desk.ts'
import { geometryFindings } from '../support/geometry.ts'
import { detail, inbox } from '../support/screens.ts'

const why = 'After last spring, the board asks for more caution.'

test('an admin chooses more caution with a reason, and the next message is read by it', async ({ browser }) => {
  test.setTimeout(90_000)
  const house = await setUpDesk()
  const desk = await house.start()
  const picture = async (name: string): Promise<void> => {
    const folder = process.env.PICTURES
    if (!folder) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: `${folder}/detection-${name}-${colorScheme}.png` })
    }
  }
  const page = await (await browser.newContext({ viewport: { width: 1024, height: 700 } })).newPage()
  page.setDefaultTimeout(15_000)
  try {
    await page.goto(desk.address)
    await page.getByLabel('User name').fill(deskAdmin.user_name)
    await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('No open alerts.')).toBeVisible({ timeout: 30_000 })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('tab', { name: 'Detection' }).focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: 'How cautiously messages are read' })
    await expect(table.getByRole('row', { name: /^Balanced \(in force\) about/ })).toBeVisible()
    await expect(page.getByText('Nobody has chosen yet')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    expect(await geometryFindings(page)).toEqual([])
    await picture('shown')

    const change = page.getByRole('button', { name: 'Change', exact: true })
    await change.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'How cautiously messages are read' })
    const confirm = dialog.getByRole('button', { name: 'Change for the whole school' })
    await expect(dialog.getByRole('radio', { name: /^Balanced/ })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('radio', { name: /^More caution/ })).toBeChecked()
    await expect(confirm).toBeDisabled()
    await page.keyboard.press('Tab')
    await expect(dialog.getByLabel('Weights of the signals')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.type(why)
    expect(await axeFindings(page)).toEqual([])
    await picture('dialog')
    await confirm.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(change).toBeFocused()
    await expect(table.getByRole('row', { name: /^More caution \(in force\)/ })).toBeVisible()
    await expect(page.getByText(`Chosen by ${deskAdmin.name}`)).toBeVisible()
    await expect(page.getByText(why)).toBeVisible()

    await page.getByRole('textbox', { name: 'Sentence' }).fill('I want to kill myself')
    await page.getByRole('button', { name: 'Explain' }).press('Enter')
    await expect(page.getByText('Known warning phrases, meant as said')).toBeVisible()
    await page.getByText(/^Score \d\.\d\d, and the signals behind it$/).press('Enter')
    await expect(page.getByText('Read at the operating point “More caution”.')).toBeVisible()
    await expect(page.getByText('Sentiment', { exact: true })).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await picture('explained')

    const { session_id } = await callDesk(house.dataDir, '/sessions', { user_id: 'student-1' })
    await callDesk(house.dataDir, `/sessions/${String(session_id)}/messages`, {
      sender: 'user',
      content: 'I want to kill myself',
    })
    await page.keyboard.press('Escape')
    await page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).focus()
    await page.keyboard.press('Enter')
    await inbox(page).getByRole('link').first().click()
    await expect(detail(page).getByText('Known warning phrases, meant as said')).toBeVisible()
    await detail(page)
      .getByText(/^Score 0\.\d\d, and the signals behind it$|^Score 1\.00/)
      .press('Enter')
    await expect(detail(page).getByText('Read at the operating point “More caution”.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    expect(await geometryFindings(page)).toEqual([])
    await picture('alert')
  } finally {
    await page.close()
    await desk.stop()
    house.remove()
  }
})
