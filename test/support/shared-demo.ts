/** Tests at the demonstration school that all of a run share: look freely, change only what is your own. */
import { test as base, expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { findDemonstration } from '../../main/platform/intake-address.ts'
import { windowsVariable, type DemonstrationWindow } from './demonstration.ts'

export interface SharedDemo extends DemonstrationWindow {
  /** Has a student whom the roster does not know write something in the chat; answers with “Student 1A2B”. */
  say(text: string): Promise<string>
  /** Begins a conversation of such a student, who writes what `say` is told. */
  converse(): Promise<Conversation>
}

export interface Conversation {
  /** “Student 1A2B”. */
  student: string
  say(text: string): Promise<void>
}

export const test = base.extend<{ demo: SharedDemo; desk: Page }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from it.
  demo: async ({}, use) => {
    const answer = await fetch(process.env[windowsVariable] ?? '')
    if (!answer.ok) throw new Error(`The demonstration did not start: ${await answer.text()}`)
    const window = (await answer.json()) as DemonstrationWindow
    const converse = () => converseInChat(window.dataDir)
    const say = async (text: string) => {
      const conversation = await converse()
      await conversation.say(text)
      return conversation.student
    }
    await use({ ...window, say, converse })
  },
  /** A page on Alerts in a window of its own, as A. Rivera, the counselor. */
  desk: [
    async ({ demo, browser, contextOptions }, use) => {
      const context = await browser.newContext(contextOptions)
      await context.addCookies([{ ...demo.cookie, url: demo.origin }])
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      await page.goto(demo.origin)
      // The first of a run waits until the school's past is told, which is no time of the test's own.
      await expect(page.getByRole('navigation')).toBeVisible({ timeout: 150_000 })
      await use(page)
      await context.close()
    },
    { timeout: 180_000 },
  ],
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

async function converseInChat(dataDir: string): Promise<Conversation> {
  const intake = findDemonstration(dataDir)
  if (!intake) throw new Error('The demonstration announces no intake.')
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { authorization: `Bearer ${intake.key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(new URL(path, intake.url), { method, headers, body: body ? JSON.stringify(body) : null })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const { session_id } = await call('POST', '/sessions', { user_id: randomUUID() })
  const { student_hash } = await call('GET', `/sessions/${String(session_id)}`)
  return {
    student: `Student ${String(student_hash).slice(0, 4).toUpperCase()}`,
    async say(content) {
      const message = { sender: 'user', content, client_message_id: randomUUID() }
      await call('POST', `/sessions/${String(session_id)}/messages`, message)
    },
  }
}
