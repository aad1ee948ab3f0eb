/** A school's own desk, from an empty home to an alert that outlives a kill. */
import { expect, test, type Page } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../main/platform/clock.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { callDesk, deskAdmin, deskPassphrase, setUpDesk } from '../support/desk.ts'
import { geometryFindings } from '../support/geometry.ts'
import { detail, inbox } from '../support/screens.ts'
import { goTo } from '../support/shared-demo.ts'
import { startTerminalChat } from '../support/terminal-chat.ts'

test.describe.configure({ mode: 'parallel', timeout: 180_000 })

const students = Array.from({ length: 300 }, (_, index) => ({
  id: `S-${1000 + index}`,
  name: `Student ${nameOf(index)}`,
}))
const roster = ['student id,name,grade,class,counselor,guardian contact']
  .concat(
    students.map(
      ({ id, name }, index) => `${id},${name},${9 + (index % 4)},${index % 30}B,B. Osei,555-01${index % 100}`,
    ),
  )
  .join('\n')

function nameOf(index: number): string {
  const letters = 'abcdefghijklmnopqrst'
  return `${letters[index % 20]!.toUpperCase()}${letters[Math.floor(index / 20)]!}en Testwell`
}

/** Goes to the next field and types. */
async function typeNext(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Tab')
  await page.keyboard.type(text)
}

/** Nothing axe or the geometry finds, in both themes, at the least size and at 200 % zoom of it. */
async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 }
  expect.soft(await axeFindings(page), name).toEqual([])
  for (const size of [
    { width: 1024, height: 700 },
    { width: 512, height: 350 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await geometryFindings(page), `${name} at ${size.width}`).toEqual([])
    if (process.env.PICTURES)
      await page.screenshot({
        path: join(process.env.PICTURES, `${name}-${size.width}.png`),
        fullPage: size.width > 600,
      })
  }
  await page.setViewportSize(before)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

test('is set up by keyboard alone, takes a crisis from the chat, and has it acknowledged after a kill', ({ page }) =>
  fromSetUpToAcknowledged(page, () => Promise.resolve()))

const onTheWay = 'on the way there axe finds nothing, and nothing overlaps or is cut off'
test(onTheWay, { tag: '@long' }, ({ page }) => fromSetUpToAcknowledged(page, look))

async function fromSetUpToAcknowledged(
  page: Page,
  atEachPage: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-school-'))
  let desk: ConsoleProcess = await startConsoleProcess({ dataDir, args: ['--desk'], until: 'Waiting to be set up' })
  try {
    await page.goto(desk.address)
    await expect(heading(page, 'The school')).toBeFocused()
    await atEachPage(page, 'set-up-school')
    await heading(page, 'The school').focus()
    await typeNext(page, 'Lakeside High')
    await page.keyboard.press('Enter')

    await expect(heading(page, 'The first admin')).toBeFocused()
    await atEachPage(page, 'set-up-admin')
    await heading(page, 'The first admin').focus()
    await typeNext(page, deskAdmin.name)
    await typeNext(page, deskAdmin.user_name)
    await typeNext(page, 'password1234')
    await typeNext(page, 'password1234')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'would be easy to guess' })).toBeVisible()
    for (const label of ['Confirm password', 'Password']) {
      await page.getByLabel(label, { exact: true }).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(deskAdmin.password)
    }
    await page.keyboard.press('Enter')

    await expect(heading(page, 'Locking the data')).toBeFocused()
    await atEachPage(page, 'set-up-lock')
    // Nothing is lost by going back.
    await page.getByRole('button', { name: 'Back' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Your name')).toHaveValue(deskAdmin.name)
    await page.getByLabel('Your name').focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Locking the data')).toBeFocused()
    await typeNext(page, deskPassphrase)
    await typeNext(page, deskPassphrase)
    await page.keyboard.press('Enter')

    await expect(heading(page, 'The roster')).toBeFocused({ timeout: 30_000 })
    await expect.poll(() => desk.written.stdout).toMatch(/^Console: http/m)
    await atEachPage(page, 'set-up-roster')
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(roster) })
    await expect(page.getByText('300 rows · 300 can be imported')).toBeVisible()
    await expect(page.getByLabel('School salt')).toHaveCount(0)
    await page.getByRole('button', { name: 'Import' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('300 students imported.')).toBeVisible()
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')

    await expect(heading(page, 'The chat')).toBeFocused()
    await page.getByRole('button', { name: 'Make a key' }).focus()
    await page.keyboard.press('Enter')
    const shown = page.getByRole('region', { name: 'The new key' })
    await expect(shown).toContainText('It is not shown again'.toLowerCase(), { ignoreCase: true })
    await atEachPage(page, 'set-up-chat')
    const curl = await shown.getByLabel('Try it in a terminal (Linux, macOS)', { exact: true }).innerText()
    const opened = spawnSync('sh', ['-c', curl], { encoding: 'utf8' })
    expect(opened).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(opened.stdout)).toMatchObject({ status: 'active' })
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')

    await expect(heading(page, 'Help in a crisis')).toBeFocused()
    await atEachPage(page, 'set-up-resources')
    await page.getByRole('button', { name: 'Add a number' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Who answers, line 1').focus()
    await page.keyboard.type('School counseling office')
    await typeNext(page, '555-0142')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Saved. The chat shows this text from now on.')).toBeVisible()
    await page.getByRole('button', { name: 'Finish' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The desk of Lakeside High')
    await expect(page.getByText('an admin may not read a student’s words')).toBeVisible()
    await expect(page.getByText('The desk asks for the passphrase after every restart.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a counselor' })).toBeFocused()
    await atEachPage(page, 'set-up-ready')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'People', selected: true })).toBeVisible()
    await expect(page.getByRole('table', { name: 'People' })).toContainText('last signed in')
    await goTo(page, 'Alerts')

    const student = students[41]!
    const chat = startTerminalChat({ dataDir, user: student.id, watched: true })
    await expect.poll(chat.shown).toContain('treated as a student’s words')
    const row = inbox(page).getByRole('link').filter({ hasText: student.name })
    chat.type('I am going to kill myself tonight.')
    await row.waitFor()
    await expect(row).toContainText(/acknowledge within/)
    await expect.poll(chat.shown).toContain('School counseling office: 555-0142')
    await row.click()
    await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
    await expect(detail(page)).toContainText('A. Dean acknowledged')
    await expect(detail(page).getByText('confirmed', { exact: true })).toBeVisible()

    expect(await chat.end()).toBe(0)

    const killed = once(desk.process, 'exit')
    desk.process.kill('SIGKILL')
    await killed
    await expect(page.getByText('students’ messages are not received until it runs again')).toBeVisible()
    desk = await startConsoleProcess({ dataDir, until: 'Waiting for the passphrase' })
    await expect.poll(() => desk.written.stderr).toContain('no message of the chat is taken in')
    await page.goto(desk.address)
    await expect(page.getByRole('heading', { name: 'Open the school’s desk' })).toBeVisible()
    await expect(page.getByText('no student’s message is received')).toBeVisible()
    await page.getByLabel('Passphrase').fill(deskPassphrase)
    await page.keyboard.press('Enter')
    // Its key is derived slowly on purpose, and slower on a busy machine.
    await expect(page.getByRole('heading', { name: 'Sign in · Lakeside High' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('No alerts are waiting.')).toBeVisible()
    await expect(page.getByText(student.name)).toHaveCount(0)
    await atEachPage(page, 'sign-in')
    await page.getByLabel('User name').focus()
    await page.keyboard.type(deskAdmin.user_name)
    await typeNext(page, deskAdmin.password)
    await page.keyboard.press('Enter')
    await expect(row).toBeVisible()
    await row.click()
    await expect(detail(page)).toContainText('A. Dean acknowledged')
  } finally {
    await desk.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const keyAtOnce = 'a key that is asked for the moment its button is there is made, however late the list of keys comes'
test(keyAtOnce, { tag: '@long' }, async ({ page }) => {
  const house = await setUpDesk()
  const desk = await house.start()
  let asked = false
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (!message.includes('"chatKeys.list"')) return server.send(message)
      asked = true
      void answered.then(() => server.send(message))
    })
  })
  try {
    await page.goto(desk.address)
    await signInAt(page, deskAdmin.user_name, deskAdmin.password)
    await goTo(page, 'Settings')
    await page.getByRole('tab', { name: 'Chat' }).click()
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
    await expect.poll(() => asked).toBe(true)
    const make = page.getByRole('button', { name: 'Make a key' })
    await expect(make).toHaveCount(0)
    answer()
    await make.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'The new key' })).toContainText('not shown again')
  } finally {
    await desk.stop()
    house.remove()
  }
})

const people = 'people are added, hand alerts to each other, and are signed out when their account ends'
test(people, { tag: '@long' }, async ({ page, browser }) => {
  const house = await setUpDesk()
  const desk = await house.start()
  try {
    await page.goto(desk.address)
    await signInAt(page, deskAdmin.user_name, deskAdmin.password)
    await goTo(page, 'Settings')
    await expect(page.getByRole('heading', { name: /^Set-up: [12] of 6 done$/ })).toBeVisible()
    await look(page, 'settings-checklist')
    await page.getByRole('tab', { name: 'Chat' }).click()
    await expect(page.getByText('There is no key yet')).toBeVisible()
    await expect(page.getByLabel('Address of this desk', { exact: false }).first()).toContainText('http://127.0.0.1:')
    await look(page, 'settings-chat')
    const crisisText = page.getByLabel('The text', { exact: true })
    await crisisText.fill('Please call or text 988 now, at any hour. Your school is being alerted.')
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('tab', { name: 'Chat' }).click()
    await expect(crisisText).toHaveValue(/^Please call or text 988 now/)
    await expect(page.getByText('Not saved yet')).toBeVisible()
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Add a person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add a person' }).click()
    await expect(dialog.getByText('Enter the name')).toBeVisible()
    await look(page, 'people-add')
    await dialog.getByLabel('Name', { exact: true }).fill('B. Osei')
    await dialog.getByLabel('User name').fill('osei')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('B. Osei can sign in now.')).toBeVisible()
    const oneTime = await dialog.getByLabel('One-time password', { exact: true }).innerText()
    await look(page, 'people-added')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByRole('table', { name: 'People' })).toContainText('one-time password not used yet')
    await look(page, 'people')

    const { address } = (await openAgain({ dataDir: house.dataDir, demo: false, port: 0 }, systemClock)) ?? {
      address: '',
    }
    const other = await (await browser.newContext()).newPage()
    await other.goto(address)
    const { session_id } = await callDesk(house.dataDir, '/sessions', { user_id: 'S-1' })
    const said = { sender: 'user', content: 'I am going to kill myself tonight.' }
    await callDesk(house.dataDir, `/sessions/${String(session_id)}/messages`, said)
    await expect(other.getByText('1 alert is waiting to be acknowledged', { exact: true }).first()).toBeVisible()
    await expect(other.getByText(/Student [0-9A-F]{4}/)).toHaveCount(0)
    await signInAt(other, 'osei', oneTime)
    await expect(other.getByRole('heading', { name: 'Welcome, B. Osei' })).toBeVisible()
    await look(other, 'choose-password')
    await other.getByLabel('New password').fill('violet harbor sixteen plums')
    await other.getByLabel('Confirm password').fill('violet harbor sixteen plums')
    await other.keyboard.press('Enter')
    const theirs = inbox(other).getByRole('link').first()
    await expect(theirs).toBeVisible({ timeout: 60_000 })

    await goTo(page, 'Alerts')
    await inbox(page).getByRole('link').first().click()
    await detail(page).getByRole('button', { name: 'Acknowledge' }).click()
    await detail(page).getByRole('button', { name: 'Hand off' }).click()
    await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'B. Osei, Counselor' })
    await page.getByRole('dialog').getByRole('button', { name: 'Hand off' }).click()
    await theirs.click()
    await detail(other).getByRole('button', { name: 'Accept hand-off' }).click()
    await expect(detail(page)).toContainText('B. Osei accepted')

    await goTo(page, 'Settings')
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('combobox', { name: 'Role of B. Osei' }).selectOption('CLINICIAN')
    const asked = page.getByRole('dialog', { name: 'Change the role of B. Osei' })
    await expect(asked).toContainText('From Counselor to Clinician.')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('combobox', { name: 'Role of B. Osei' })).toHaveValue('COUNSELOR')
    await page.getByRole('combobox', { name: 'Role of B. Osei' }).selectOption('CLINICIAN')
    await asked.getByRole('button', { name: 'Change the role' }).click()
    await expect(other.getByRole('navigation').getByRole('button')).toContainText('Clinician')
    await page.getByRole('button', { name: 'End account of B. Osei' }).click()
    await look(page, 'people-end')
    await page.getByRole('dialog').getByRole('button', { name: 'End account' }).click()
    await expect(other.getByRole('heading', { name: 'Sign in · Lakeside High' })).toBeVisible()
    await page.getByRole('button', { name: 'End account of A. Dean' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End account' }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'This is the only admin of this desk who has chosen a password.',
    )
    await page.keyboard.press('Escape')

    await page.getByRole('navigation').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in · Lakeside High' })).toBeVisible()
  } finally {
    await desk.stop()
    house.remove()
  }
})

async function signInAt(page: Page, userName: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(userName)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}
