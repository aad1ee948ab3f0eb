import AxeBuilder from '@axe-core/playwright'
import { readFile } from 'node:fs/promises'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'

/** Students, sessions and overview of the demonstration school, in a real browser. */
test.describe('the record of a student', () => {
  let console: ConsoleProcess
  let context: BrowserContext
  let page: Page
  test.beforeAll(async ({ browser }) => {
    test.setTimeout(120_000)
    console = await startConsoleProcess({ args: ['--demo'] })
    context = await browser.newContext()
    page = await context.newPage()
    await page.goto(console.address)
    await page.getByRole('navigation').getByText('Students').click()
    // The past of the school is told first; its worst students come to the top.
    await expect(rows().first()).toContainText(/Crisis|High/, { timeout: 90_000 })
  })
  test.afterAll(async () => {
    await context.close()
    await console.stop()
  })

  const rows = () => page.getByRole('list', { name: 'Students' }).getByRole('listitem')
  const trajectory = () => page.getByRole('figure', { name: 'Risk trajectory' })
  const go = async (key: string) => {
    await page.locator('#screen').focus()
    await page.keyboard.press('g')
    await page.keyboard.press(key)
  }
  const openFirstStudent = async () => {
    await go('s')
    await page.keyboard.press('Escape')
    await expect(rows().first()).toBeVisible()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await trajectory().getByRole('button', { name: 'All', exact: true }).click()
    await expect(trajectory().locator('svg[data-chart]').first()).toBeVisible()
  }

  test('opens by keyboard and is a trajectory, two estimates and the items, all labelled as estimates', async () => {
    await openFirstStudent()
    for (const name of ['PHQ-9 estimate', 'GAD-7 estimate', 'Items by day'])
      await expect(page.getByRole('figure', { name })).toContainText(
        'estimate from conversation, not a questionnaire score',
      )
    await expect(page.locator('#screen')).not.toContainText(/low risk|no risk|safe/i)
  })

  test('can be read as a table and saved under a name that says nothing of the student', async () => {
    await openFirstStudent()
    await trajectory().getByRole('button', { name: 'Show as table' }).click()
    await expect(trajectory().getByRole('row')).not.toHaveCount(1)
    const download = page.waitForEvent('download')
    await trajectory().getByRole('button', { name: 'Save as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('risk-trajectory.csv')
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^Time,What,Score,Tier,Reasons,Decided by\r\n\d{4}-/)
    await trajectory().getByRole('button', { name: 'Show as table' }).click()
  })

  test('zooms to what was dragged over, and back', async () => {
    await openFirstStudent()
    const box = await trajectory().locator('svg[data-chart]').first().boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await trajectory().getByRole('button', { name: 'Reset zoom' }).click()
    await expect(trajectory().getByRole('button', { name: 'Reset zoom' })).toHaveCount(0)
  })

  test('leads from a session to its transcript, markers and summary', async () => {
    await openFirstStudent()
    await page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: /ended/ }).first().click()
    await expect(page.getByRole('region', { name: 'Transcript' }).getByRole('article').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Markers' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Duration')
    await page.getByRole('button', { name: 'Student page' }).click()
    await expect(trajectory()).toBeVisible()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has nothing that axe objects to, and nothing cut off at 1024 × 700, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 1024, height: 700 })
      await openFirstStudent()
      await sound('student')
      await go('e')
      await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first()).toBeVisible()
      await sound('sessions')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'Transcript' })).toBeVisible()
      await sound('session review')
      await go('o')
      await expect(page.getByRole('figure', { name: 'Time to acknowledge' })).toBeVisible()
      await sound('overview')
    })

  async function sound(screen: string): Promise<void> {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      screen,
    ).toEqual([])
    expect(await page.locator('#screen').evaluate((main) => main.scrollWidth - main.clientWidth), screen).toBe(0)
  }
})
