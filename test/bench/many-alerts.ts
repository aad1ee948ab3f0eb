/** Two hundred alerts within a minute, and somebody who works in the inbox meanwhile: how soon each is seen, how soon a key acts. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { startConsoleProcess } from '../support/console-process.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'
import { longTasks, openBrowser, paintedAt, watchingPage } from './browser.ts'
import { crisisDetected, studentHash } from './events.ts'
import { figure, median, percentile, type Bench, type Figure } from './figures.ts'

/** They come in bursts, as a rumor goes through a school: more at a time than a screen shows. */
const perBurst = 20
const betweenKeys = 150

export async function measureManyAlerts({ quick, progress }: Bench): Promise<Figure[]> {
  const bursts = quick ? 3 : 10
  const every = quick ? 2_000 : 6_000
  const count = bursts * perBurst
  const queue = await startQueueServer()
  const running = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  const browser = await openBrowser()
  try {
    const { page } = await watchingPage(browser)
    await noteKeys(page)
    await page.goto(running.address)
    await page.getByText('No open alerts.').waitFor()
    progress(`${count} alerts in ${(bursts * every) / 1000} s, and j and k all the time`)
    const nameOf = (index: number) => (0xa000 + index).toString(16).toUpperCase()
    const bodyOf = (index: number) => {
      const hash = nameOf(index).toLowerCase() + studentHash(index).slice(4)
      return JSON.stringify(crisisDetected(randomUUID(), hash, Date.now()))
    }
    const sent = Date.now()
    const first = paintedAt(page, nameOf(0)).then((at) => at - sent)
    // The first comes alone: of a burst the queue may give any of them first.
    await queue.send(bodyOf(0))
    const firstSeen = await first
    await longTasks(page)
    let working = true
    const keys = work(page, () => working)
    for (let burst = 0; burst < bursts; burst++) {
      const began = performance.now()
      const from = Math.max(1, burst * perBurst)
      const bodies = Array.from({ length: (burst + 1) * perBurst - from }, (_, index) => bodyOf(from + index))
      await queue.send(...bodies)
      await pause(Math.max(0, every - (performance.now() - began)))
    }
    working = false
    const pressed = await keys
    await page
      .getByRole('tab')
      .filter({ hasText: String(count) })
      .first()
      .waitFor()
    const took = await page.evaluate(() => (window as never as { keys: { took: number[] } }).keys.took)
    const blocked = await longTasks(page)
    const note = `${count} alerts in ${(bursts * every) / 1000} s, ${perBurst} at a time; ${pressed} keys, ${took.length} of them moved`
    return [
      figure('many alerts: the first of them visible', firstSeen, 'ms', { most: 1000 }, note),
      figure('many alerts: a key of the inbox to its paint, p95', percentile(took, 0.95), 'ms', { most: 100 }, note),
      figure('many alerts: a key of the inbox to its paint, p50', median(took), 'ms'),
      figure('many alerts: a key of the inbox to its paint, longest', Math.max(...took), 'ms'),
      figure(
        'many alerts: keys that moved, of those pressed',
        (took.length / pressed) * 100,
        '%',
        { least: 95 },
        'the first one only chooses what is on screen already',
      ),
      figure('many alerts: longest long task of the page', Math.max(0, ...blocked), 'ms'),
    ]
  } finally {
    await browser.close()
    await running.stop()
    await queue.stop()
  }
}

/** Down and up again, never to the end of the list. */
async function work(page: Page, goesOn: () => boolean): Promise<number> {
  let pressed = 0
  while (goesOn()) {
    const began = performance.now()
    // Of a list that is longer than the way: the first step only chooses what is on screen already.
    if ((await page.locator('[data-alert]').count()) > 10) {
      const isDown = pressed < 8 || pressed % 10 > 4
      await page.keyboard.press(isDown ? 'j' : 'k')
      pressed += 1
    }
    await pause(Math.max(0, betweenKeys - (performance.now() - began)))
  }
  return pressed
}

/** The page notes, for each j and k, when the next alert was chosen on screen: `keys.took`, in milliseconds. */
function noteKeys(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const keys = { took: [] as number[] }
    Object.assign(window, { keys })
    let since: number | null = null
    let before: string | null = null
    const chosen = () => document.querySelector<HTMLElement>('[data-alert][aria-current]')?.dataset['alert'] ?? null
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'j' && event.key !== 'k') return
        since = event.timeStamp
        before = chosen()
      },
      { capture: true },
    )
    new MutationObserver(() => {
      const now = chosen()
      if (since === null || now === null || now === before) return
      const pressed = since
      since = null
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => keys.took.push(performance.now() - pressed)
        channel.port2.postMessage(null)
      })
    }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-current'] })
  })
}
