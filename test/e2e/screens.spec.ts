import AxeBuilder from '@axe-core/playwright'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'

/** One demonstration school for the file: its tests follow one another in one window. */
test.describe.configure({ mode: 'serial' })

let console: ConsoleProcess
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  console = await startConsoleProcess({ args: ['--demo'] })
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await page.goto(console.address)
})
test.afterAll(async () => {
  await context.close()
  await console.stop()
})

const inbox = () => page.getByRole('list', { name: 'Alerts' })
const detail = () => page.getByRole('region', { name: 'Alert', exact: true })

/** Everything axe knows, in both themes; what it finds stands in the failure. */
async function expectAccessible(where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => `${where}, ${colorScheme}: ${id} ${nodes[0]?.html ?? ''}`),
      where,
    ).toEqual([])
  }
}

async function become(person: RegExp): Promise<void> {
  await page.getByRole('navigation').getByRole('button').click()
  await page.getByRole('menuitem', { name: person }).click()
}

test('a crisis is answered from the keyboard alone', async () => {
  test.setTimeout(150_000)
  await expect(
    inbox()
      .getByText(/acknowledge within|over/)
      .first(),
  ).toBeVisible({ timeout: 90_000 })
  const acknowledge = detail().getByRole('button', { name: 'Acknowledge' })
  // The most urgent stands first.
  await expect(async () => {
    await page.keyboard.press('k')
    await expect(acknowledge).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 30_000 })

  await page.keyboard.press('a')
  await expect(detail()).toContainText('A. Rivera acknowledged')
  await expect(acknowledge).toBeHidden()

  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: 'Reason for reading' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(detail().getByRole('button', { name: 'Hide evidence' })).toBeVisible()

  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Note' }).fill('Spoke with the student.')
  await page.keyboard.press('Control+Enter')
  await expect(detail()).toContainText('Spoke with the student.')
  await expectAccessible('Alerts')

  await page.keyboard.press('r')
  await page.getByRole('combobox', { name: 'What came of it' }).selectOption('safety plan')
  await page.getByRole('textbox', { name: 'What was done' }).fill('A plan was made.')
  await page.getByRole('button', { name: 'Resolve' }).click()
  await expect(detail()).toContainText('A. Rivera resolved it')
})

test('no student and no session stands in the address', async () => {
  await page.getByRole('button', { name: 'Student page' }).click()
  await expect(page.getByRole('figure', { name: 'Risk trajectory' })).toBeVisible()
  expect(new URL(page.url()).hash).toBe('#/students')
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toMatch(/[0-9a-f]{8}/)
  await page.goBack()
  await expect(detail()).toBeVisible()
})

test('every screen is accessible, in both themes', async () => {
  for (const [key, heading] of [
    ['s', 'Students'],
    ['e', 'Sessions'],
    ['t', 'Settings'],
  ] as const) {
    await page.locator('body').press('g')
    await page.keyboard.press(key)
    await expect(page.getByRole('navigation').locator('[aria-current=page]')).toHaveText(heading)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    await expectAccessible(heading)
  }
  await become(/Admin/)
  await page.locator('body').press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('main').getByRole('figure').first()).toBeVisible()
  await expectAccessible('Overview')
  await become(/A\. Rivera/)
})

test('nothing overflows sideways on a small window at twice the size', async () => {
  await page.setViewportSize({ width: 512, height: 350 })
  for (const key of ['a', 's', 'e', 't']) {
    await page.locator('body').press('g')
    await page.keyboard.press(key)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wider, `g ${key}`).toBeLessThanOrEqual(0)
  }
  await page.locator('body').press('g')
  await page.keyboard.press('a')
  await expectAccessible('Alerts, small')
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a window that lost the program says so', async () => {
  await console.stop()
  await expect(page.getByText('This window lost contact with the program.')).toBeVisible({ timeout: 20_000 })
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await expect(strip).toContainText('Not connected to the program')
  await expect(strip).not.toContainText('proven')
})
