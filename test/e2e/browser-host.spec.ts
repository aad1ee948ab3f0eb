import { startConsoleProcess } from '../support/console-process.ts'
import { expect, silentQueues, test } from '../support/district.ts'
import { expectOwnFont } from '../support/font.ts'
import { signedInEnv } from '../support/sign-in.ts'

test('the console opens on Alerts from the printed address, once, and survives a reload', async ({
  page,
  browser,
  district: { console },
}) => {
  expect(console.written.stdout).toBe(`Console: ${console.address}\n`)
  const problems: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(console.address)
  await expect(page.getByRole('tab', { name: 'Open', selected: true })).toBeVisible()
  await expect(page.getByText('No open alerts.')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Students' })).toBeVisible()
  await expectOwnFont(page)
  expect(problems).toEqual([])

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(console.address)
  await expect(stranger.getByRole('heading')).toHaveText('This address does not open the console')
})

test('a page that lost its console says so, and one started anew on the same port tells it what to do', async ({
  page,
}) => {
  const env = { ...silentQueues, ...(await signedInEnv()) }
  const first = await startConsoleProcess({ env })
  const port = new URL(first.address).port
  await page.goto(first.address)
  await expect(page.getByRole('navigation')).toBeVisible()
  expect(await first.stop()).toBe(0)
  await expect(page.getByText('This window lost contact with the program.')).toBeVisible()
  const strip = page.getByRole('banner', { name: 'State of the alarm' })
  await expect(strip).toContainText('Not connected to the program')
  await expect(strip).not.toContainText('proven')

  const second = await startConsoleProcess({ env, port })
  const answer = await page.reload()
  expect(answer?.status()).toBe(401)
  await expect(page.getByText('npm start')).toBeVisible()
  await second.stop()
})
