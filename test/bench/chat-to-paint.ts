/** A message said in the chat → its row painted at a school's own desk, at ten messages a second. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { findIntake } from '../../main/platform/intake-address.ts'
import { deskAdmin, setUpDesk } from '../support/desk.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { openBrowser, painted, paintedAt, watchingPage } from './browser.ts'
import { openChat } from './chat.ts'
import { crisisDetected, studentHash } from './events.ts'
import { figure, median, percentile, type Bench, type Figure } from './figures.ts'

const perSecond = 10
/** Said before anything is measured: they pay for connections and compilation on all sides. */
const warmUp = 10
const asked = 120
/** What the desk may take beyond the bare loop of the same run (milliseconds), where the machine is slow. */
const beyondBare = 60

export async function measureChatToPaint({ quick, progress }: Bench): Promise<Figure[]> {
  const count = perSecond * (quick ? 5 : 20)
  const browser = await openBrowser()
  try {
    progress(`Publish to paint, bare: ${count} events, ${perSecond} a second`)
    const bare = await bareLoop(browser, count)
    progress(`Chat to paint at a desk: ${count} messages, ${perSecond} a second`)
    const desk = await atDesk(browser, count)
    const p95 = percentile(desk, 0.95)
    const bareP95 = percentile(bare, 0.95)
    const most = Math.max(asked, Math.round(bareP95 + beyondBare))
    const note = `${count} messages, ${perSecond}/s; asked: ${asked} ms, or the bare loop + ${beyondBare} ms`
    return [
      figure('chat to paint at a desk, p95', p95, 'ms', { most }, note),
      figure('chat to paint at a desk, p50', median(desk), 'ms'),
      figure('chat to paint at a desk, longest', Math.max(...desk), 'ms'),
      figure('publish to paint by the bare loop, p95', bareP95, 'ms'),
      figure('publish to paint by the bare loop, p50', median(bare), 'ms'),
    ]
  } finally {
    await browser.close()
  }
}

/** The real desk on its encrypted files, and one crisis in each session: the row that its page paints is the student's. */
async function atDesk(browser: Browser, count: number): Promise<number[]> {
  const house = await setUpDesk()
  const running = await house.start()
  const { page, context } = await watchingPage(browser, { atEnd: true })
  try {
    await page.goto(running.address)
    await page.getByLabel('User name').fill(deskAdmin.user_name)
    await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Alerts' }).first().click()
    await page.getByText('No open alerts.').waitFor()
    const intake = findIntake(house.dataDir)
    if (!intake) throw new Error('no intake is announced')
    const chat = openChat(intake.url, perSecond)
    const sessions = await openSessions(chat, intake.key, count + warmUp)
    const say = async (session_id: string) => {
      const message = { sender: 'user', content: 'I am going to kill myself tonight.', client_message_id: randomUUID() }
      await chat.post(intake.key, `/sessions/${session_id}/messages`, message)
    }
    const took = await timed(page, sessions, say)
    chat.close()
    return took
  } finally {
    await context.close()
    await running.stop()
    house.remove()
  }
}

interface Shown {
  id: string
  /** What the page calls the student: no other one is called so. */
  name: string
}

/** Sessions of as many students, whose pseudonyms cannot be mistaken for each other. */
async function openSessions(chat: ReturnType<typeof openChat>, key: string, count: number): Promise<Shown[]> {
  const found = new Map<string, Shown>()
  for (let student = 0; found.size < count; student++) {
    const { session_id } = await chat.post(key, '/sessions', { user_id: `student-${student}` })
    const { student_hash } = await chat.get(key, `/sessions/${String(session_id)}`)
    const name = String(student_hash).slice(0, 4).toUpperCase()
    if (!found.has(name)) found.set(name, { id: String(session_id), name })
    // Below what one key may ask in a second.
    await pause(25)
  }
  return [...found.values()]
}

async function bareLoop(browser: Browser, count: number): Promise<number[]> {
  const queue = await startQueueServer()
  const script = join(import.meta.dirname, 'bare-painter.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, queue.eventsQueueUrl, queue.endpoint], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...queue.env },
  })
  const ended = once(child, 'exit')
  const { page, context } = await watchingPage(browser)
  try {
    const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const listening = page.waitForRequest('**/events')
    await page.goto(address)
    await listening
    const shown = Array.from({ length: count + warmUp }, (_, index) => {
      const name = (0xa000 + index).toString(16).toUpperCase()
      return { id: name.toLowerCase() + studentHash(index).slice(4), name }
    })
    return await timed(page, shown, (hash) =>
      queue.publish(JSON.stringify(crisisDetected(randomUUID(), hash, Date.now()))),
    )
  } finally {
    await context.close()
    child.kill()
    await ended
    await queue.stop()
  }
}

/** Sends them all, the first ones each by itself; answers the milliseconds from the sending of each to its paint. */
async function timed(page: Page, shown: readonly Shown[], send: (id: string) => Promise<void>): Promise<number[]> {
  for (const { id, name } of shown.slice(0, warmUp)) {
    await send(id)
    await paintedAt(page, name)
  }
  const measured = shown.slice(warmUp)
  const sent: number[] = []
  const sending: Promise<void>[] = []
  const began = performance.now()
  for (const [index, { id }] of measured.entries()) {
    await pause(Math.max(0, began + (index * 1000) / perSecond - performance.now()))
    sent.push(Date.now())
    sending.push(send(id))
  }
  await Promise.all(sending)
  await Promise.all(measured.map(({ name }) => paintedAt(page, name)))
  const seen = await painted(page)
  return measured.map(({ name }, index) => (seen[name] ?? Number.POSITIVE_INFINITY) - (sent[index] ?? 0))
}
