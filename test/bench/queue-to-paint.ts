/** Event sent → row painted, at ten events a second. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startConsoleProcess } from '../support/console-process.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'
import { openBrowser, painted, paintedAt, watchingPage } from './browser.ts'
import { crisisDetected, studentHash } from './events.ts'
import { figure, median, percentile, type Bench, type Figure } from './figures.ts'

const perSecond = 10

export async function measureQueueToPaint({ quick, progress }: Bench): Promise<Figure[]> {
  const queue = await startQueueServer()
  const running = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  const browser = await openBrowser()
  try {
    const { page } = await watchingPage(browser, { atEnd: true })
    await page.goto(running.address)
    await page.getByText('No open alerts.').waitFor()
    const count = perSecond * (quick ? 5 : 20)
    const nameOf = (index: number) => (0xa000 + index).toString(16).toUpperCase()
    const sent = new Map<string, number>()
    const send = async (index: number) => {
      const name = nameOf(index)
      const hash = name.toLowerCase() + studentHash(index).slice(4)
      const body = JSON.stringify(crisisDetected(randomUUID(), hash, Date.now()))
      sent.set(name, Date.now())
      await queue.send(body)
    }
    // The first ones pay for connections and compilation on all sides.
    for (const index of [990, 991, 992]) {
      await send(index)
      await paintedAt(page, nameOf(index))
    }
    progress(`Queue to paint: ${count} events, ${perSecond} a second`)
    const began = performance.now()
    const sending: Promise<void>[] = []
    for (let index = 0; index < count; index++) {
      await pause(Math.max(0, began + (index * 1000) / perSecond - performance.now()))
      sending.push(send(index))
    }
    await Promise.all(sending)
    await paintedAt(page, nameOf(count - 1))
    const seen = await painted(page)
    const took = Array.from({ length: count }, (_, index) => {
      const at = seen[nameOf(index)]
      return at ? at - (sent.get(nameOf(index)) ?? 0) : Number.POSITIVE_INFINITY
    })
    const note = `${count} events, ${perSecond}/s`
    return [
      figure('queue to paint, p95', percentile(took, 0.95), 'ms', { most: 80 }, note),
      figure('queue to paint, p50', median(took), 'ms', null, note),
      figure('queue to paint, longest', Math.max(...took), 'ms', null, note),
    ]
  } finally {
    await browser.close()
    await running.stop()
    await queue.stop()
  }
}
