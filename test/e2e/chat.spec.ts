/**
 * The two ways to say something in the chat oneself, each against a desk of their own: a crisis that is said here
 * must not move the alerts that other tests look at.
 */
import { expect, test, type Page } from '@playwright/test'
import { systemClock } from '../../main/platform/clock.ts'
import { findIntake } from '../../main/platform/intake-address.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { axeFindings } from '../support/axe.ts'
import type { ConsoleProcess } from '../support/console-process.ts'
import { deskAdmin, setUpDesk, type DeskHouse } from '../support/desk.ts'
import { geometryFindings } from '../support/geometry.ts'
import { inbox } from '../support/screens.ts'
import { startTerminalChat } from '../support/terminal-chat.ts'

const crisis = 'I am going to kill myself tonight.'
const protocolReply = 'Thank you for telling me.'

let house: DeskHouse
let desk: ConsoleProcess
test.beforeAll(async () => {
  house = await setUpDesk()
  desk = await house.start({ PSYFLO_CHAT_PAGE: 'on' })
})
test.afterAll(async () => {
  await desk.stop()
  house.remove()
})

function intakeOfDesk() {
  const intake = findIntake(house.dataDir)
  if (!intake) throw new Error('The desk announces no intake.')
  return intake
}

/** What the intake knows of a student's sessions. */
async function sessionsOf(user: string) {
  const { url, key } = intakeOfDesk()
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(new URL(`/sessions?user_id=${user}`, url), { headers })
  const { sessions } = (await answer.json()) as {
    sessions: {
      session_id: string
      student_hash: string
      status: string
      student_turns: number
      highest_tier: string
    }[]
  }
  return sessions
}

/** Sits down at the console in a window of its own. */
async function signIn(page: Page): Promise<void> {
  const opened = await openAgain({ dataDir: house.dataDir, demo: false, port: 0 }, systemClock)
  if (opened === null) throw new Error('The desk does not answer any more.')
  await page.goto(opened.address)
  await page.getByLabel('User name').fill(deskAdmin.user_name)
  await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation')).toBeVisible()
}

test('what is typed into the terminal is answered there, and is an alert on the console', async ({ page }) => {
  await signIn(page)
  const user = 'terminal-1'
  const chat = startTerminalChat({ dataDir: house.dataDir, user })
  chat.type('I had pizza today')
  chat.type(crisis)
  await expect.poll(chat.shown).toContain(`┃ ${protocolReply}`)
  expect(chat.shown()).toMatch(/none seen · 0\.\d\d · decided by .+\n[^]*crisis · \d\.\d\d · decided by/)
  const [session] = await sessionsOf(user)
  const student = `Student ${session?.student_hash.slice(0, 4).toUpperCase()}`
  await expect(inbox(page).getByRole('link').filter({ hasText: student })).toBeVisible()
  expect(await chat.end()).toBe(0)
  expect(chat.shown()).toContain('Highest tier: crisis')
})

async function openPage(page: Page): Promise<void> {
  await page.goto(new URL('/chat', intakeOfDesk().url).href)
}
async function begin(page: Page, user: string): Promise<void> {
  await openPage(page)
  await page.getByLabel('Id of the student').fill(user)
  await page.getByLabel('API key').fill(intakeOfDesk().key)
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByLabel('Message')).toBeFocused()
}
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' })

test.describe('the chat page', () => {
  test('works by keyboard alone, shows the protocol reply as an alert, and leaves no key or word behind', async ({
    page,
  }) => {
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const { key, url } = intakeOfDesk()
    await openPage(page)
    await expect(page.getByLabel('Id of the student')).toBeFocused()
    await page.keyboard.type('page-1')
    await page.keyboard.press('Tab')
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Message')).toBeFocused()
    await page.keyboard.type('I had pizza')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('today')
    await page.keyboard.press('Enter')
    await expect(conversation(page)).toContainText(/I had pizza\s+today\s*Delivered/)
    await page.keyboard.type(crisis)
    await page.keyboard.press('Enter')
    await expect(conversation(page).getByRole('alert')).toContainText(protocolReply)
    expect(page.url()).toBe(new URL('/chat', url).href)
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).toBe('[{},{},""]')
    await expect(page.getByLabel('API key')).toHaveValue('')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'The session has ended.' })).toBeVisible()
    await expect(page.getByLabel('Id of the student')).toBeFocused()
    expect(await sessionsOf('page-1')).toMatchObject([{ status: 'ended', highest_tier: 'crisis', student_turns: 2 }])
    expect(complaints).toEqual([])
  })

  test('sends again what got no answer, says so, and it is taken in once', async ({ page }) => {
    await begin(page, 'page-2')
    let lost = 0
    // The station takes it in; its answer is lost on the way back, and the next try on the way there.
    await page.route('**/messages', async (route) => {
      if (lost++ === 0) await route.fetch()
      if (lost <= 2) await route.abort()
      else await route.continue()
    })
    await page.keyboard.type('I had pizza today')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status')).toContainText('sent again until it arrives')
    await page.keyboard.type('and then some cake')
    await page.keyboard.press('Enter')
    await expect(conversation(page).getByText('Delivered')).toHaveCount(2)
    expect(await sessionsOf('page-2')).toMatchObject([{ student_turns: 2 }])
  })

  test('shows an answer that came too late for its message when it comes', async ({ page }) => {
    await begin(page, 'page-6')
    // The desk has no assistant; one that is slow answers in its place.
    await page.route('**/messages', async (route) => {
      const response = await route.fetch()
      const assistant = { text: 'One moment.', late: true }
      await route.fulfill({ response, json: { ...((await response.json()) as object), assistant } })
    })
    await page.keyboard.type('I had pizza today')
    await page.keyboard.press('Enter')
    await expect(conversation(page)).toContainText('One moment.')
    const { url, key } = intakeOfDesk()
    const [session] = await sessionsOf('page-6')
    await fetch(new URL(`/sessions/${session?.session_id}/messages`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sender: 'assistant', content: 'What was on it?' }),
    })
    await expect(conversation(page).getByText('What was on it?')).toHaveCount(1)
  })

  test('says what to do where the key is unknown, and of a message that is refused', async ({ page }) => {
    await openPage(page)
    await page.getByLabel('Id of the student').fill('page-3')
    await page.getByLabel('API key').fill('no-such-key-at-all-1')
    await page.getByRole('button', { name: 'Begin' }).click()
    await expect(page.getByRole('alert')).toContainText('does not recognize this API key')
    await begin(page, 'page-3')
    await page.getByLabel('Message').fill(`${crisis} ${'and so on '.repeat(2_000)}`)
    await page.keyboard.press('Enter')
    await expect(conversation(page).getByRole('alert')).toContainText(protocolReply)
    await expect(conversation(page)).toContainText('Not delivered. The message is too long.')
  })

  test('leaves no session open when it is left', async ({ page }) => {
    await begin(page, 'page-4')
    await page.goto('about:blank')
    await expect.poll(() => sessionsOf('page-4')).toMatchObject([{ status: 'ended' }])
  })

  test('has nothing that axe finds, in light and dark, and fits a window of 320 pixels', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    await openPage(page)
    expect(await axeFindings(page)).toEqual([])
    expect(await geometryFindings(page)).toEqual([])
    await begin(page, 'page-5')
    await page.keyboard.type('a-word-without-an-end-'.repeat(8))
    await page.keyboard.press('Enter')
    await page.keyboard.type(crisis)
    await page.keyboard.press('Enter')
    await expect(conversation(page).getByRole('alert')).toContainText(protocolReply)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
