/** A full cache in the browser: start to usable inbox, scrolling, a long trajectory and its live updates. */
import type { CDPSession, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startConsoleProcess } from '../support/console-process.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'
import { longTasks, openBrowser, watchingPage } from './browser.ts'
import type { District } from './district.ts'
import { messageAnalyzed } from './events.ts'
import { figure, median, type Bench, type Figure } from './figures.ts'

export async function measureScreens(dataDir: string, district: District, bench: Bench): Promise<Figure[]> {
  const queue = await startQueueServer()
  const env = { ...queue.env, ...(await signedInEnv()) }
  const browser = await openBrowser()
  const starts: number[] = []
  const cold: number[] = []
  const figures: Figure[] = []
  const size = `${district.alerts} alerts, ${district.messages} messages`
  try {
    const rounds = bench.quick ? 1 : 5
    for (let round = 1; round <= rounds; round++) {
      bench.progress(`A full cache: start ${round} of ${rounds}`)
      const { page, context } = await watchingPage(browser)
      const began = Date.now()
      const running = await startConsoleProcess({ env, dataDir })
      const served = Date.now() - began
      await page.goto(running.address)
      await page.locator('[data-alert]').first().waitFor()
      const first = await page.waitForFunction(
        () => Math.min(...Object.values((window as never as { painted: Record<string, number> }).painted)) || false,
      )
      starts.push(((await first.jsonValue()) as number) - began)
      bench.progress(`  ${starts.at(-1)} ms, of which ${served} until the address was printed`)
      if (round === rounds) figures.push(await scrolling(page, bench, size))
      cold.push(await openTrajectory(page, district))
      if (round === rounds) figures.push(...(await liveUpdates(page, queue, district, bench)))
      await context.close()
      await running.stop()
    }
    return [
      figure(
        'start to usable inbox (median)',
        median(starts),
        'ms',
        { most: 2000 },
        `${size}; ${starts.join(', ')} ms`,
      ),
      figure(
        `a trajectory of ${district.longest.messages} messages opens cold (median)`,
        median(cold),
        'ms',
        { most: 400 },
        `${cold.map(Math.round).join(', ')} ms`,
      ),
      ...figures,
    ]
  } finally {
    await browser.close()
    await queue.stop()
  }
}

async function scrolling(page: Page, { quick, progress }: Bench, size: string): Promise<Figure> {
  progress('A full cache: scrolling')
  const list = await page.getByRole('list', { name: 'Alerts' }).boundingBox()
  if (!list) throw new Error('the list of alerts is not on screen')
  await page.mouse.move(list.x + list.width / 2, list.y + list.height / 4)
  // What loading the page left is not scrolling.
  await pause(1000)
  await longTasks(page)
  for (let turn = 0; turn < (quick ? 60 : 300); turn++) {
    await page.mouse.wheel(0, turn % 50 < 40 ? 400 : -300)
    await pause(16)
  }
  await pause(500)
  const found = await longTasks(page)
  return figure(
    'scrolling the inbox: longest long task',
    Math.max(0, ...found),
    'ms',
    { most: 50 },
    `${size}; ${found.length} long tasks`,
  )
}

/** From the press on the student's row to the drawn chart. */
async function openTrajectory(page: Page, { longest }: District): Promise<number> {
  const pseudonym = longest.student_hash.slice(0, 4).toUpperCase()
  await page.getByRole('navigation').getByText('Students').click()
  await page.getByRole('searchbox').fill(longest.student_hash)
  const row = page.getByText(`Student ${pseudonym}`).first()
  await row.waitFor()
  await pause(500)
  await page.evaluate(() => {
    const times = { pressed: 0, drawn: 0 }
    Object.assign(window, { times })
    addEventListener('pointerdown', () => (times.pressed ||= performance.now()), { capture: true, once: true })
    const look = () => {
      if (!document.querySelector('figure svg[data-chart] path[data-line]')) return
      observer.disconnect()
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => (times.drawn = performance.now())
        channel.port2.postMessage(null)
      })
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, attributes: true })
  })
  await row.dblclick()
  const took = await page.waitForFunction(() => {
    const { times } = window as never as { times: { pressed: number; drawn: number } }
    return times.drawn > 0 && times.drawn - times.pressed
  })
  return (await took.jsonValue()) as number
}

/** The page's main thread, per update of a student's page, less what the same time costs at rest. */
async function liveUpdates(
  page: Page,
  queue: QueueServer,
  { longest }: District,
  { quick, progress }: Bench,
): Promise<Figure[]> {
  progress('A long trajectory: live updates')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'timeTicks' })
  const wait = 1200
  const busy = async (work: () => Promise<void>) => {
    const before = await taskTime(devtools)
    await work()
    await pause(wait)
    return (await taskTime(devtools)) - before
  }
  await pause(2000)
  const rest: number[] = []
  const updates: number[] = []
  const session = randomUUID()
  for (let index = 0; index < (quick ? 4 : 20); index++) {
    rest.push(await busy(() => Promise.resolve()))
    const event = messageAnalyzed(session, longest.student_hash, index * 2, Date.now(), 'caution')
    updates.push(await busy(() => queue.send(JSON.stringify(event))))
  }
  const idle = median(rest)
  return [
    figure(
      'a live update of its page, main thread (median)',
      median(updates.map((time) => time - idle)),
      'ms',
      { most: 50 },
      `at rest ${idle.toFixed(1)} ms in the same time`,
    ),
  ]
}

async function taskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}
