/** A console and a station under the same load for a long time: what they keep in memory and hold open must not grow. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { expect } from 'vitest'
import { median } from '../bench/figures.ts'
import { alertsOn } from './alert-row.ts'
import { startConsoleProcess } from './console-process.ts'
import { school } from './intake-school.ts'
import { startQueueServer } from './queue-server.ts'
import { openPage, type Page } from './real-console.ts'
import { signedInEnv } from './sign-in.ts'
import { chatKey, startStationProcess, stationEnv } from './station-process.ts'

/** Messages a second; each is an event, and each session begins and ends with one. */
const messagesPerSecond = 16
const messagesPerSession = 8
const megabyte = 2 ** 20
/** As every database is opened (bytes). */
const pageCache = 64 * megabyte

export interface SteadyLoad {
  /** Seconds before anything is measured: compiled code and caches have their size by then. */
  warmUp: number
  /** Seconds that are measured. */
  measured: number
}

/** What a process holds at one moment, its garbage collected. */
interface Held {
  /** Bytes. */
  heap: number
  resident: number
  files: number
  timers: number
  listeners: number
}

/** Runs it at 20 events a second, and expects memory within 5 % of itself and no more open files, timers and listeners. */
export async function steadyLoad({ warmUp, measured }: SteadyLoad): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'steady-'))
  const queue = await startQueueServer()
  const watched = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }
  const env = { ...queue.env, ...(await signedInEnv({ school_id: school })), ...watched }
  const console = await startConsoleProcess({ dataDir: join(folder, 'console'), env })
  const station = await startStationProcess({ ...stationEnv(queue), ...watched }, { dataDir: join(folder, 'station') })
  const page = await openPage(console.address)
  const heard = { changes: 0 }
  const watching = page.calls.strip.watch.subscribe(undefined, { onData: () => (heard.changes += 1) })
  const held: Record<'console' | 'station', Held[]> = { console: [], station: [] }
  const load = startLoad(station.url)
  const somebody = startAnswering(page)
  const began = performance.now()
  try {
    const samples = 12
    await pause(warmUp * 1000)
    for (let sample = 0; sample < samples; sample++) {
      held.console.push(await lookInto(console.process.pid ?? 0, console.written))
      held.station.push(await lookInto(station.process.pid ?? 0, station.written))
      await pause((measured * 1000) / samples)
    }
    const { said, failed } = await load.stop()
    expect(await somebody.stop()).toBeGreaterThan(0)
    const rate = (said * (1 + 2 / messagesPerSession)) / ((performance.now() - began) / 1000)
    process.stderr.write(`Steady: ${rate.toFixed(1)} events a second, ${said} messages, ${failed} refused\n`)
    expect(failed).toBe(0)
    expect(rate).toBeGreaterThan(17)
    expect(heard.changes).toBeGreaterThan(0)
    for (const [name, of] of Object.entries(held)) expectSteady(name, of)
  } finally {
    await load.stop()
    await somebody.stop()
    watching.unsubscribe()
    void page.close()
    await console.stop()
    await station.stop()
    await queue.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function expectSteady(name: string, held: readonly Held[]): void {
  const third = Math.floor(held.length / 3)
  const of = (some: readonly Held[], what: keyof Held) => median(some.map((each) => each[what]))
  const [first, last] = [held.slice(0, third), held.slice(-third)]
  const grown = (what: keyof Held) => of(last, what) / of(first, what)
  process.stderr.write(
    `Steady: ${name}: heap ${(of(first, 'heap') / megabyte).toFixed(1)} → ${(of(last, 'heap') / megabyte).toFixed(1)} MB, ` +
      `resident ${(of(first, 'resident') / megabyte).toFixed(0)} → ${(of(last, 'resident') / megabyte).toFixed(0)} MB, ` +
      `files ${of(first, 'files')} → ${of(last, 'files')}, timers ${of(first, 'timers')} → ${of(last, 'timers')}, ` +
      `listeners ${of(first, 'listeners')} → ${of(last, 'listeners')}\n`,
  )
  expect(grown('heap'), `heap of the ${name}`).toBeLessThan(1.05)
  // What SQLite may keep of a file that grows has a bound of its own.
  expect(of(last, 'resident')).toBeLessThan(of(first, 'resident') * 1.05 + pageCache)
  // Connections come and go, each with its timers: what stays is in the least of the readings. One kept for each
  // event would be hundreds more in a minute.
  const more = (what: keyof Held) => least(last, what) - least(first, what)
  expect(more('files'), `open files of the ${name}`).toBeLessThanOrEqual(6)
  expect(more('timers'), `timers of the ${name}`).toBeLessThanOrEqual(6)
  expect(of(last, 'listeners'), `listeners of the ${name}`).toBe(of(first, 'listeners'))
}

const least = (held: readonly Held[], what: keyof Held): number => Math.min(...held.map((each) => each[what]))

/** Sessions of a few messages each, one after the other, at the same pace all the time. */
function startLoad(url: string) {
  const stop = new AbortController()
  const told = { said: 0, failed: 0 }
  const lanes = 4
  const post = async (path: string, body: object) => {
    const answer = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'x-api-key': chatKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const lane = async (of: number) => {
    const began = performance.now()
    for (let turn = 0; !stop.signal.aborted; turn++) {
      try {
        const { session_id } = await post('/sessions', { user_id: `student-${of}-${turn % 50}` })
        for (let message = 0; message < messagesPerSession && !stop.signal.aborted; message++) {
          const number = turn * messagesPerSession + message
          const due = began + (number * lanes * 1000) / messagesPerSecond
          await pause(Math.max(0, due - performance.now()))
          const content = number % 100 === 50 ? 'I am going to kill myself tonight.' : 'We have maths after lunch.'
          await post(`/sessions/${String(session_id)}/messages`, {
            sender: 'user',
            content,
            client_message_id: randomUUID(),
          })
          told.said += 1
        }
        await post(`/sessions/${String(session_id)}/end`, {})
      } catch {
        told.failed += 1
        await pause(100)
      }
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, (_, of) => lane(of)))
  return {
    async stop() {
      stop.abort()
      await running
      return told
    },
  }
}

/** Somebody at the console acknowledges each alert and resolves it: as many stay open in the end as at the beginning. */
function startAnswering(page: Page) {
  const stop = new AbortController()
  let resolved = 0
  const answer = async () => {
    for (const { key } of alertsOn(await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 50 }))) {
      await page.calls.alerts.acknowledge.mutate({ key })
      const { mutate } = page.calls.alerts.resolve
      await mutate({ key, disposition: 'contacted student', note: 'Talked to her.', reason: 'Done by phone.' })
      resolved += 1
    }
  }
  const answering = (async () => {
    while (!stop.signal.aborted) {
      await answer()
      await pause(2000, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stop.abort()
      await answering
      return resolved
    },
  }
}

/** Asks the process itself through its debugger, and the system about its files. */
async function lookInto(pid: number, written: { stderr: string }): Promise<Held> {
  const address = /Debugger listening on (ws:\S+)/.exec(written.stderr)?.[1]
  if (address === undefined) throw new Error(`no debugger: ${written.stderr}`)
  const socket = new WebSocket(address)
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed))
  let last = 0
  const ask = (method: string, params: object = {}) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const id = ++last
      socket.on('message', function hear(text: Buffer) {
        const answer = JSON.parse(text.toString()) as { id?: number; result: Record<string, unknown> }
        if (answer.id !== id) return
        socket.off('message', hear)
        resolve(answer.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await ask('HeapProfiler.collectGarbage')
  const expression = `JSON.stringify({
    heap: process.memoryUsage().heapUsed + process.memoryUsage().external,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0) })`
  const { result } = (await ask('Runtime.evaluate', { expression })) as { result: { value: string } }
  socket.close()
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    ...(JSON.parse(result.value) as Pick<Held, 'heap' | 'timers' | 'listeners'>),
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}
