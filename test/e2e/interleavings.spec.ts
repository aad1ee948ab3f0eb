/**
 * Typing, keys, clicks and arriving crises in a random order, many times over: whatever comes in between, nothing
 * is done to an alert that did not stand before the person, chosen, when they did it. Where one fails, its seed is
 * named; `INTERLEAVING=SEED` runs that one alone.
 */
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import type { Page } from '@playwright/test'
import { keysActAfter, swapGuard } from '../../shared/thresholds.ts'
import { days } from '../../shared/time.ts'
import { expect, test, type District } from '../support/district.ts'
import { highMessage, legacyCrisis } from '../support/events.ts'
import { detail } from '../support/screens.ts'
import { seeded } from '../support/seeded.ts'

/** What a person did that can begin an action, and what stood before them then. Times are the page's, in milliseconds. */
interface Gesture {
  at: number
  type: 'key' | 'click'
  key: string
  inField: boolean
  /** The heading of the alert on screen, since when it is the same, and since when the window has the focus. */
  shows: string | null
  since: number
  focusedSince: number
  /** The last press with a pointer on a row, in the alert or in its dialog. */
  pressedAt: number | null
}
/** Something that was sent to the program to be done. */
interface Act {
  at: number
  path: string
  key: string
  ack_id: string | null
  /** What was done within the second before, the latest first. */
  gestures: Gesture[]
}
interface Watched {
  acts: Act[]
}
type Asked = { id: number; method?: string; params?: { path: string; input: { key: string } } }
type Answered = { id: number; result?: { data?: { ack_id?: string } } }

/** Runs in the page, before everything else. */
function watch(): void {
  const acts: Act[] = []
  Object.assign(window, { watched: { acts } satisfies Watched })
  let shows: string | null = null
  let since = 0
  let focusedSince = 0
  let gestures: Gesture[] = []
  let pressedAt: number | null = null
  const heading = () => document.querySelector('#alert-heading')?.textContent ?? null
  const look = () => {
    const next = heading()
    if (next === shows) return
    shows = next
    since = performance.now()
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  window.addEventListener('focus', () => (focusedSince = performance.now()))
  /** `undo`: what is taken back by it, where it names that itself. */
  const begin = (type: Gesture['type'], key: string, inField: boolean, undo: string | null = null) => {
    look()
    const at = performance.now()
    const lately = gestures.filter((before) => at - before.at < 1000)
    const stands = undo === null ? { shows, since } : { shows: undo, since: 0 }
    gestures = [{ at, type, key, inField, ...stands, focusedSince, pressedAt }, ...lately]
  }
  const listen = { capture: true }
  window.addEventListener(
    'keydown',
    ({ key, target }) => {
      const inField = target instanceof Element && target.matches('input, textarea, select')
      if (inField || ['a', 'Enter', ' '].includes(key)) begin('key', key, inField)
    },
    listen,
  )
  window.addEventListener(
    'pointerdown',
    ({ target }) => {
      const on = target instanceof Element ? target.closest('[data-alert], section[data-chosen], dialog') : null
      if (on) pressedAt = performance.now()
      if (!(target instanceof Element && target.closest('[data-actions] button, dialog button'))) return
      begin('click', '', false, target.closest('[data-undo]')?.textContent)
    },
    listen,
  )
  const send = WebSocket.prototype.send
  const follow = new WeakSet<WebSocket>()
  const asked = new Map<number, Act>()
  WebSocket.prototype.send = function (data) {
    if (!follow.has(this)) {
      follow.add(this)
      this.addEventListener('message', ({ data: text }: MessageEvent<string>) => {
        if (!text.startsWith('{') && !text.startsWith('[')) return
        for (const { id, result } of [JSON.parse(text) as Answered | Answered[]].flat()) {
          const act = asked.get(id)
          if (act) act.ack_id = result?.data?.ack_id ?? null
        }
      })
    }
    if (typeof data === 'string' && (data.startsWith('{') || data.startsWith('[')))
      for (const { id, method, params } of [JSON.parse(data) as Asked | Asked[]].flat()) {
        if (method !== 'mutation' || !params?.path.startsWith('alerts.')) continue
        if (params.path === 'alerts.seen' || params.path === 'alerts.reveal') continue
        const act: Act = { at: performance.now(), path: params.path, key: params.input.key, ack_id: null, gestures }
        acts.push(act)
        asked.set(id, act)
      }
    send.call(this, data)
  }
}

const actsOn = (page: Page) => page.evaluate(() => (window as unknown as { watched: Watched }).watched.acts)
const pseudonymOf = (hash: unknown) => `Student ${String(hash).slice(0, 4).toUpperCase()}`

type Chance = ReturnType<typeof seeded>
const anyOf = <T>(chance: Chance, choices: readonly T[]): T => choices[Math.floor(chance() * choices.length)] as T

const keys = [
  'j',
  'j',
  'k',
  'a',
  'a',
  'a',
  'a',
  'n',
  'h',
  'r',
  'e',
  '.',
  'Enter',
  'Escape',
  'Escape',
  'Control+Enter',
  '/',
]
const typed = ['a', 'anna ', 'he has her', 'grandmother', 'r', '.']

/** One thing that happens; what does not apply just now does nothing. */
async function step(page: Page, { queue }: District, chance: Chance, sent: Map<string, number>): Promise<void> {
  const publish = async (event: Record<string, unknown>) => {
    sent.set(String(event['idempotency_key']), await page.evaluate(() => performance.now()))
    await queue.send(JSON.stringify(event))
  }
  /** Where the pointer is put down: in the middle of one of these, if any is in sight. */
  const click = async (selector: string) => {
    const spots = await page.evaluate(spotsOf, selector)
    if (spots.length > 0) await page.mouse.click(...anyOf(chance, spots))
  }
  const what = chance()
  if (what < 0.12) await publish(legacyCrisis())
  else if (what < 0.17) await publish(highMessage())
  else if (what < 0.22) await publish(await again(page, chance))
  else if (what < 0.52) await page.keyboard.press(anyOf(chance, keys))
  else if (what < 0.6) await page.keyboard.type(anyOf(chance, typed))
  else if (what < 0.66) await click('[data-alert]')
  else if (what < 0.72) await click('[data-actions]:not([inert]) button')
  else if (what < 0.76) await click('dialog[open] button')
  else if (what < 0.78) await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  else await page.clock.runFor(anyOf(chance, [30, 200, 600, 1100, 1100, 1100, 6000]))
}

/** Runs in the page. */
function spotsOf(selector: string): [number, number][] {
  return [...document.querySelectorAll(selector)].flatMap((element): [number, number][] => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    return width > 0 && element.contains(document.elementFromPoint(x, y)) ? [[x, y]] : []
  })
}

/** Something more that a student in sight says, now and then worse. */
async function again(page: Page, chance: Chance): Promise<Record<string, unknown>> {
  const known = await page.evaluate(() => (window as unknown as { said?: Record<string, unknown>[] }).said ?? [])
  const first = known.length > 0 ? anyOf(chance, known) : legacyCrisis()
  const { session_id, student_hash } = first
  await page.evaluate((said) => {
    const all = window as unknown as { said?: Record<string, unknown>[] }
    all.said = [...(all.said ?? []).slice(-5), said]
  }, first)
  return legacyCrisis({
    session_id,
    student_hash,
    consensus_score: 0.8 + chance() * 0.19,
    idempotency_key: `${String(session_id)}-${chance()}`,
  })
}

/** Why none of what the person did can have meant it; null where one can. */
function wrong({ at, path, gestures }: Act): string | null {
  const lately = gestures.filter((gesture) => at - gesture.at <= 1000)
  const reasons = lately.map((gesture) => notMeant(path, gesture))
  return reasons.includes(null) ? null : ['nobody began it', ...reasons].join('; ')
}

function notMeant(path: string, gesture: Gesture): string | null {
  const { shows, since, focusedSince, type, key, inField, pressedAt } = gesture
  if (shows === null) return 'no alert was on screen'
  if (type === 'key' && inField && key !== 'Enter') return 'it was a letter of a text'
  // By a key alone it stood there for its time; a form was opened from an alert that did, or by the pointer.
  const stood = gesture.at - Math.max(since, focusedSince)
  if (path === 'alerts.acknowledge' && type === 'key' && key === 'a')
    return stood >= keysActAfter ? null : `a key acted after ${stood} ms`
  if (gesture.at - since >= keysActAfter) return null
  if (pressedAt === null) return 'nobody had pressed on it'
  if (pressedAt >= since) return null
  // A press on its row brought it; nothing else did within the time.
  return since - pressedAt < swapGuard ? null : `it took another's place ${gesture.at - since} ms before`
}

async function acknowledgements({ queue }: District): Promise<Record<string, unknown>[]> {
  const QueueUrl = queue.acksQueueUrl
  const { Messages = [] } = await queue.sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
  if (Messages.length > 0)
    await queue.sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl,
        Entries: Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    )
  return Messages.map(({ Body = '{}' }) => JSON.parse(Body) as Record<string, unknown>)
}

async function interleave(page: Page, district: District, seeds: readonly number[]): Promise<void> {
  await page.clock.install()
  await page.addInitScript(watch)
  await page.goto(district.console.address)
  await expect(page.getByRole('navigation')).toBeVisible()
  const sent = new Map<string, number>()
  let before = 0
  for (const seed of seeds) {
    const chance = seeded(seed)
    const steps = 7 + Math.floor(chance() * 6)
    for (let done = 0; done < steps; done += 1) await step(page, district, chance, sent)
    // A new one begins on the list.
    while ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
    const acts = (await actsOn(page)).slice(before)
    before += acts.length
    for (const act of acts) expect(wrong(act), `interleaving ${seed}: ${JSON.stringify(act)}`).toBeNull()
  }
  // What the queue was told is what was done on the page, about the student who stood there.
  const told = new Map<string, Record<string, unknown>>()
  let acts: Act[] = []
  await expect(async () => {
    for (const message of await acknowledgements(district))
      // A follow-up is no act about an alert, and is not watched here.
      if (String(message['event_type']).startsWith('ALERT_')) told.set(String(message['ack_id']), message)
    // The last answers may still be on their way to the page.
    acts = (await actsOn(page)).filter(({ ack_id }) => ack_id !== null)
    expect([...told.keys()].sort()).toEqual(acts.map(({ ack_id }) => ack_id).sort())
  }).toPass({ intervals: [50], timeout: 60_000 })
  for (const act of acts) {
    const message = told.get(act.ack_id ?? '') ?? {}
    const meant = act.gestures.filter((gesture) => notMeant(act.path, gesture) === null)
    const shown = meant.filter(({ shows }) => shows?.includes(pseudonymOf(message['student_hash'])))
    expect(shown.length, JSON.stringify({ act, message })).toBeGreaterThan(0)
    if (act.path !== 'alerts.acknowledge' || shown.some(({ type }) => type === 'click')) continue
    const came = (message['covers'] as string[]).map((key) => sent.get(key) ?? 0)
    expect(Math.max(...came)).toBeLessThanOrEqual(Math.max(...shown.map(({ at }) => at)) - keysActAfter)
  }
  // A run in which nobody did anything would prove nothing.
  expect(acts.length).toBeGreaterThan(seeds.length / 10)
  await expect(detail(page)).toBeVisible()
}

const one = process.env['INTERLEAVING']
const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

test('8 random interleavings: no action lands on an alert that did not stand before the person', async ({
  page,
  district,
}) => {
  await interleave(page, district, one === undefined ? seedsFrom(1, 8) : [Number(one)])
})

// Others each day: over a week they are more than twice as many as could be run each time.
const today = Math.floor(Date.now() / days(1)) * 1000
for (const [name, from] of [
  ['morning', 0],
  ['evening', 500],
] as const)
  test(`60 more random interleavings, this ${name}’s`, { tag: '@long' }, async ({ page, district }) => {
    test.setTimeout(300_000)
    await interleave(page, district, seedsFrom(today + from, 60))
  })
