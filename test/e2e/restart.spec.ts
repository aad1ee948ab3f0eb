/** A console that is started anew is found again by the windows that were open, with everything typed in them. */
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startConsoleProcess } from '../support/console-process.ts'
import { callDesk, deskAdmin, setUpDesk } from '../support/desk.ts'
import { expect, silentQueues, test } from '../support/district.ts'
import { legacyCrisis } from '../support/events.ts'
import { detail } from '../support/screens.ts'
import { signedInEnv } from '../support/sign-in.ts'

/** Each has consoles of its own. */
test.describe.configure({ mode: 'parallel' })

const strip = (page: Page) => page.getByRole('banner', { name: 'State of the alarm' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add note' })
const typed = 'Spoke with her brother.'

async function typeNote(page: Page): Promise<void> {
  await expect(detail(page)).toContainText('suicidal intent')
  await detail(page).getByRole('button', { name: 'Add note' }).click()
  await dialog(page).getByLabel('Note').fill(typed)
}

async function finishNote(page: Page): Promise<void> {
  await expect(dialog(page).getByLabel('Note')).toHaveValue(typed)
  await dialog(page).getByRole('button', { name: 'Add note' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(detail(page)).toContainText(typed)
}

test('of a district console, once the address that it prints was opened', async ({ page, context, district }) => {
  const { queue, console: first, env } = district
  const port = new URL(first.address).port
  await page.goto(first.address)
  await queue.publish(JSON.stringify(legacyCrisis()))
  await typeNote(page)

  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended
  await expect(page.getByText('This window lost contact with the program.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Add note' }).click()
  await expect(dialog(page)).toContainText('Not recorded yet: the program does not answer.')
  const second = await startConsoleProcess({ dataDir: first.dataDir, env, port })
  try {
    await expect(page.getByText('The program was restarted and no longer knows this window.')).toBeVisible()
    await expect(dialog(page).getByLabel('Note')).toHaveValue(typed)
    // As `npm start` does by itself: another tab, in which the browser is let in.
    const tab = await context.newPage()
    await tab.goto(second.address)
    await expect(strip(page)).toContainText('Connected')
    await finishNote(page)
    await expect(page.getByText('The program was updated')).toBeHidden()
  } finally {
    await second.stop()
  }
})

test('of a desk, for whoever signs in as the same person', { tag: '@long' }, async ({ page, context }) => {
  const house = await setUpDesk()
  const first = await house.start()
  const port = new URL(first.address).port
  const signIn = async (at: Page, account = deskAdmin) => {
    await at.getByLabel('User name').fill(account.user_name)
    await at.getByLabel('Password').fill(account.password)
    await at.getByRole('button', { name: 'Sign in' }).click()
  }
  try {
    await page.goto(first.address)
    await signIn(page)
    const { session_id } = await callDesk(house.dataDir, '/sessions', { user_id: 'NG-1' })
    const said = { sender: 'user', content: 'I am going to kill myself tonight.' }
    await callDesk(house.dataDir, `/sessions/${String(session_id)}/messages`, said)
    await typeNote(page)
  } finally {
    await first.stop()
  }

  const second = await house.start({}, port)
  try {
    const tab = await context.newPage()
    await tab.goto(second.address)
    await expect(page.getByLabel('User name')).toBeVisible()
    // Until they have, nothing of what was on screen is.
    await expect(page.getByText('suicidal intent').first()).not.toBeInViewport({ ratio: 1 })
    await expect(dialog(page)).toHaveCount(0)
    await signIn(page)
    await expect(detail(page)).toContainText('Unfinished note, kept as a draft')
    await detail(page).getByRole('button', { name: 'Add note' }).click()
    await finishNote(page)
  } finally {
    await second.stop()
    house.remove()
  }
})

test(
  'a window of an older build offers to be loaded anew, and does not do so by itself',
  { tag: '@long' },
  async ({ page, context }) => {
    const env = { ...silentQueues, ...(await signedInEnv()) }
    const first = await startConsoleProcess({ env })
    await page.goto(first.address)
    await expect(strip(page)).toBeVisible()
    await first.stop('SIGTERM')
    await context.route(`${new URL(first.address).origin}/`, async (route) => {
      if (route.request().method() === 'HEAD' || route.request().isNavigationRequest()) return route.fallback()
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/assets\/index-/g, 'assets/newer-') })
    })
    const second = await startConsoleProcess({ env, port: new URL(first.address).port })
    try {
      await (await context.newPage()).goto(second.address)
      await expect(page.getByText('The program was updated while this window was open.')).toBeVisible()
      await page.getByRole('button', { name: 'Reload' }).click()
      await expect(page.getByText('The program was updated')).toHaveCount(0)
      await expect(strip(page)).toBeVisible()
    } finally {
      await second.stop()
    }
  },
)

test(
  'a console comes back to its port, another one beside it takes the next and says so, and a foreign program is no console',
  { tag: '@long' },
  async ({ page }) => {
    const env = { ...silentQueues, ...(await signedInEnv()) }
    const [one, other] = [await startConsoleProcess({ env }), await startConsoleProcess({ env })]
    const start = (of: { dataDir: string }) => startConsoleProcess({ env, dataDir: of.dataDir, port: 'usual' })
    const portOf = ({ address }: { address: string }) => Number(new URL(address).port)
    await Promise.all([one.stop(), other.stop()])
    // Both were at this port before: the first one has it, the other one is told.
    const port = portOf(one)
    for (const { dataDir } of [one, other]) {
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'preferences.json'), JSON.stringify({ port }))
    }

    const first = await start(one)
    const beside = await start(other)
    expect(portOf(first)).toBe(port)
    expect(portOf(beside)).not.toBe(port)
    await expect
      .poll(() => beside.written.stderr)
      .toContain(`Port ${port} is in use, by another console or another program`)
    await page.goto(first.address)
    await expect(strip(page)).toBeVisible()
    await Promise.all([first.stop(), beside.stop()])

    const again = await start(one)
    expect(portOf(again)).toBe(port)
    await again.stop()
    expect(again.written.stderr).not.toContain('in use')

    const foreign = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((done) => foreign.listen(port, '127.0.0.1', done))
    const elsewhere = await start(one)
    try {
      expect(portOf(elsewhere)).not.toBe(port)
      await expect.poll(() => elsewhere.written.stderr).toContain(`Port ${port} is in use`)
      await expect(page.getByText('This window lost contact with the program.')).toBeVisible()
    } finally {
      await elsewhere.stop()
      foreign.closeAllConnections()
      foreign.close()
      for (const { dataDir } of [one, other]) rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
