import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../main/platform/clock.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { chromiumSwitches, findChromium } from '../support/chromium.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { callDesk, deskAdmin, deskPassphrase } from '../support/desk.ts'

let browser: Browser
beforeAll(async () => {
  const executablePath = findChromium()
  browser = await chromium.launch({ args: chromiumSwitches(), ...(executablePath === null ? {} : { executablePath }) })
})
afterAll(() => browser.close())

const offer = (page: Page) => page.getByRole('button', { name: 'Set up this machine for a school' })
const openIn = async (address: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(90_000)
  await page.goto(address)
  return page
}

it('the desk takes the place of the demonstration in the same process and windows, and nothing of it stays', async () => {
  const running = await startConsoleProcess()
  const { dataDir } = running
  const again = (demo: boolean) => openAgain({ dataDir, demo, port: 0 }, systemClock)
  try {
    const page = await openIn(running.address)
    const other = await openIn((await again(true))?.address ?? '')
    await other.getByRole('navigation').waitFor()
    await offer(page).click()
    await page.getByText('The demonstration ends when you finish these steps').waitFor()
    await page.getByLabel('Name of the school').fill('Lakeside High')
    // What was typed waits while one looks at something else.
    await page.getByRole('link', { name: 'Alerts' }).click()
    await offer(page).click()
    expect(await page.getByLabel('Name of the school').inputValue()).toBe('Lakeside High')
    await page.getByLabel('Name of the school').press('Enter')
    await page.getByLabel('Your name').fill(deskAdmin.name)
    await page.getByLabel('User name').fill(deskAdmin.user_name)
    await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
    await page.getByLabel('Confirm password').fill(deskAdmin.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Passphrase', { exact: true }).fill(deskPassphrase)
    await page.getByLabel('Confirm passphrase').fill(deskPassphrase)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'The roster' }).waitFor()
    await other.getByRole('heading', { name: 'Sign in · Lakeside High' }).waitFor()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByText('No open alerts.').waitFor()
    expect(await page.getByText('Demonstration school').count()).toBe(0)
    const { session_id } = await callDesk(dataDir, '/sessions', { user_id: 'S-1' })
    const said = { sender: 'user', content: 'I am going to kill myself tonight.' }
    await callDesk(dataDir, `/sessions/${String(session_id)}/messages`, said)
    await page.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link').first().waitFor()
    expect(await again(false)).toMatchObject({ what: 'Console' })
    expect(running.written.stderr).not.toMatch(/Error:|"level":|\n\s+at /)
  } finally {
    expect(await running.stop()).toBe(0)
  }
})
