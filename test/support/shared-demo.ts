/** The demonstration school, one console for all tests of a worker: telling its history takes the longest. */
import { test as base, expect, type Browser, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { intakeClient } from '../../main/replay/client.ts'
import { findIntake } from '../../main/platform/intake-address.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { startConsoleProcess } from './console-process.ts'

type State = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>

export interface SharedDemo {
  /** Where the console is served, without a token. */
  origin: string
  /** The cookie of the one window that was let in; every page of the worker is that window. */
  state: State
  /** Has a student whom the roster does not know write something in the chat. */
  say(text: string): Promise<void>
}

export const test = base.extend<{ desk: Page }, { demo: SharedDemo }>({
  demo: [
    async ({ browser }, use) => {
      const console = await startConsoleProcess({ args: ['--demo'] })
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(console.address)
      await expect(page.getByRole('navigation')).toBeVisible({ timeout: 60_000 })
      const state = await context.storageState()
      await context.close()
      const say = async (text: string) => {
        const intake = findIntake(console.dataDir)
        if (!intake) throw new Error('The demonstration announces no intake.')
        const chat = intakeClient({ ...intake, clock: systemClock, signal: new AbortController().signal })
        await chat.say(await chat.start(randomUUID()), { sender: 'user', text, at: Date.now() }, randomUUID())
      }
      await use({ origin: new URL(console.address).origin, state, say })
      await console.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  /** A page on Alerts, as A. Rivera, the counselor. */
  desk: async ({ demo, browser, contextOptions }, use) => {
    const context = await browser.newContext({ ...contextOptions, storageState: demo.state })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(demo.origin)
    await become(page, 'A. Rivera')
    await use(page)
    await context.close()
  },
})
export { expect }

/** Uses the demonstration as another of its people. */
export async function become(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation').getByRole('button')
  await expect(menu).toBeVisible()
  if ((await menu.innerText()).includes(name)) return
  await menu.click()
  await page.getByRole('menuitem', { name }).click()
  await expect(menu).toContainText(name)
}

/** Goes to a screen by its link. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: screen }).click()
}
