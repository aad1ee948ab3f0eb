import { expect, test } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'

test.describe('the console in a browser', () => {
  let console: ConsoleProcess
  test.beforeAll(async () => {
    console = await startConsoleProcess()
  })
  test.afterAll(() => console.stop())

  test('opens on Alerts from the printed address, once, and survives a reload', async ({ page, browser }) => {
    expect(console.written.stdout).toBe(`Console: ${console.address}\n`)
    const problems: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(console.address)
    await expect(
      page.getByRole('list', { name: 'Alerts' }).or(page.getByRole('listbox', { name: 'Alerts' })),
    ).toBeVisible({ timeout: 60_000 })
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await expect(
      page
        .getByRole('link', { name: 'Students' })
        .or(page.getByRole('button', { name: 'Students' }))
        .first(),
    ).toBeVisible()
    expect(problems).toEqual([])

    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(console.address)
    await expect(stranger.getByRole('heading')).toHaveText('This address does not open the console')
  })
})

test('a console started anew on the same port tells an old page so', async ({ page }) => {
  const first = await startConsoleProcess()
  const port = new URL(first.address).port
  await page.goto(first.address)
  await expect(page.getByRole('navigation')).toBeVisible({ timeout: 60_000 })
  expect(await first.stop()).toBe(0)
  const second = await startConsoleProcess({ args: ['--port', port] })
  const answer = await page.reload()
  expect(answer?.status()).toBe(401)
  await expect(page.getByText('npm start')).toBeVisible()
  await second.stop()
})
