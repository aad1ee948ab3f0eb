/** A backlog in a disk-backed server: how fast it is committed, and how soon a crisis within it is seen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { receivers } from '../../main/console/event-queue/index.ts'
import type { WireEvent } from '../../shared/events.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'
import { openBrowser, paintedAt, watchingPage } from './browser.ts'
import { openBenchDatabase } from './district.ts'
import { backlog, crisisDetected, messageAnalyzed, sessionId } from './events.ts'
import { figure, median, type Bench, type Figure } from './figures.ts'

export async function measureBacklog(bench: Bench): Promise<Figure[]> {
  const count = bench.quick ? 2_000 : 10_000
  const rounds = bench.quick ? 1 : 3
  bench.progress(`Filling two queues with ${count} events`)
  const [filled, filledWithOne] = [await fill(count), await fillWithOneCrisis(count)]
  try {
    const bare: number[] = []
    const real: number[] = []
    const seen: number[] = []
    for (let round = 1; round <= rounds; round++) {
      bare.push(await withCopy(filled, (queue) => bareRate(queue, count)))
      real.push(await withCopy(filled, (queue) => consoleRate(queue, count)))
      seen.push(await withCopy(filledWithOne, crisisSeen))
      bench.progress(
        `Backlog, round ${round} of ${rounds}: bare ${Math.round(bare.at(-1) ?? 0)}, console ${Math.round(real.at(-1) ?? 0)} events/s, crisis seen after ${seen.at(-1)} ms`,
      )
    }
    const ratios = real.map((rate, round) => (rate / (bare[round] ?? Number.NaN)) * 100)
    const note = `${count} events, ${receivers} receivers each; rounds: ${ratios.map((ratio) => `${Math.round(ratio)} %`).join(', ')}`
    return [
      figure('backlog: committed, of what a bare loop deletes (median)', median(ratios), '%', { least: 80 }, note),
      figure('backlog: committed (median)', median(real), 'events/s'),
      figure('backlog: received and deleted by the bare loop (median)', median(bare), 'events/s'),
      figure(
        'backlog: process start to a visible crisis in its middle (median)',
        median(seen) / 1000,
        's',
        { most: 7 },
        `${count} events; ${seen.map((took) => (took / 1000).toFixed(1)).join(', ')} s`,
      ),
    ]
  } finally {
    for (const folder of [filled, filledWithOne]) rmSync(folder, { recursive: true, force: true })
  }
}

/** A student whose row cannot be mistaken: no other pseudonym begins like this. */
const wanted = 'FFFF'

/** The data of a queue server that holds the backlog. */
function fill(count: number): Promise<string> {
  return filledWith(backlog(count, Date.now()))
}

/**
 * The same with one crisis in its middle among alerts of the high tier: more severe than they are, it stands first in
 * the inbox as soon as it is there. (Of several crises the one that waits longest stands first.)
 */
function fillWithOneCrisis(count: number): Promise<string> {
  const events = backlog(count, Date.now()).map((event): WireEvent =>
    event.event_type === 'CRISIS_DETECTED'
      ? messageAnalyzed(event.session_id, event.student_hash, 10, Date.parse(`${event.timestamp}Z`), 'high')
      : event,
  )
  const hash = wanted.toLowerCase() + '0'.repeat(60)
  events[count / 2] = crisisDetected(sessionId(7_777_777), hash, Date.now())
  return filledWith(events)
}

async function filledWith(events: readonly WireEvent[]): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-bench-filled-'))
  const queue = await startQueueServer({ dataDir, visibility: 30 })
  await queue.send(...events.map((event) => JSON.stringify(event)))
  await queue.stop()
  return dataDir
}

/** Work with a server, in a process of its own, on a copy of those data on disk. */
async function withCopy<T>(filled: string, work: (queue: QueueServer) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-bench-queue-'))
  cpSync(filled, dataDir, { recursive: true })
  const queue = await startQueueServer({ dataDir, visibility: 30 })
  try {
    return await work(queue)
  } finally {
    await queue.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function bareRate(queue: QueueServer, count: number): Promise<number> {
  const script = join(import.meta.dirname, 'bare-consumer.ts')
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, queue.eventsQueueUrl, queue.endpoint, String(count), String(receivers)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...queue.env },
    },
  )
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return Number(line)
}

/** Committed rows of the real console, as another process reads them, between the first and the last. */
async function consoleRate(queue: QueueServer, count: number): Promise<number> {
  const running = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  const db = await openBenchDatabase(running.dataDir, { readonly: true })
  const committed = db.prepare('SELECT coalesce(max(seq), 0) FROM events').pluck()
  try {
    const first = { at: performance.now(), count: committed.get() as number }
    for (;;) {
      const now = committed.get() as number
      if (now >= count) return ((now - first.count) / (performance.now() - first.at)) * 1000
      if (performance.now() - first.at > 120_000)
        throw new Error(`only ${now} of ${count} events were committed in 120 s`)
      await pause(20)
    }
  } finally {
    db.close()
    await running.stop()
  }
}

async function crisisSeen(queue: QueueServer): Promise<number> {
  const browser = await openBrowser()
  const { page } = await watchingPage(browser)
  const began = Date.now()
  const running = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  try {
    await page.goto(running.address)
    return (await paintedAt(page, wanted)) - began
  } finally {
    await browser.close()
    await running.stop()
  }
}
