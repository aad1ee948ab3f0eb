/** The demonstration school, one console for all tests of a worker: telling its history takes the longest. */
import { test as base, expect, type Browser, type Page } from '@playwright/test'
import { startConsoleProcess } from './console-process.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'

type State = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>

export interface SharedDemo {
  /** Where the console is served, without a token. */
  origin: string
  /** The cookie of the one window that was let in; every page of the worker is that window. */
  state: State
  /** The queue it listens to, on which a test can raise an alert of its own. */
  queue: QueueServer
}

export const test = base.extend<{ desk: Page }, { demo: SharedDemo }>({
  demo: [
    async ({ browser }, use) => {
      const queue = await startQueueServer()
      const env = { ...queue.env, PSYFLO_EVENTS_TOPIC_ARN: queue.topicArn }
      const console = await startConsoleProcess({ args: ['--demo'], env })
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(console.address)
      await expect(page.getByRole('navigation')).toBeVisible({ timeout: 60_000 })
      const state = await context.storageState()
      await context.close()
      await use({ origin: new URL(console.address).origin, state, queue })
      await console.stop()
      await queue.stop()
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
