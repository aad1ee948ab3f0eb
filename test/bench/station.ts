/** How many messages a second a station takes in and publishes, with 32 sessions that talk at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresMissing, startPostgres, type TestServer } from '../support/postgres.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'
import { openChat } from './chat.ts'
import { figure, median, type Bench, type Figure } from './figures.ts'

const sessions = 32
const stores = [
  { name: 'file', aim: 300 },
  { name: 'PostgreSQL', aim: 200 },
] as const
type StoreName = (typeof stores)[number]['name']

interface Measured {
  /** Messages a second, answered and published. */
  rate: number
  /** CPU seconds of the process for 1000 of them. */
  cpu: number
}

export async function measureStation(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, aim } of stores) {
    if (name === 'PostgreSQL' && postgresMissing !== null) bench.progress(`Station on PostgreSQL ${postgresMissing}`)
    else figures.push(...(await measureOn(name, aim, bench)))
  }
  return figures
}

async function measureOn(name: StoreName, aim: number, bench: Bench): Promise<Figure[]> {
  const count = bench.quick ? 640 : 3_200
  const rounds = bench.quick ? 1 : 3
  const server = name === 'PostgreSQL' ? await startPostgres({ durable: true }) : null
  const bare: Measured[] = []
  const real: Measured[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      bare.push(await withQueue((queue, folder) => bareLoop(server, `bare_${round}`, queue, folder, count)))
      real.push(await withQueue((queue, folder) => station(server, `station_${round}`, queue, folder, count)))
      const [one, other] = [bare.at(-1), real.at(-1)].map((each) => Math.round(each?.rate ?? 0))
      bench.progress(`Station on ${name}, round ${round} of ${rounds}: bare ${one}, station ${other} messages/s`)
    }
  } finally {
    await server?.remove()
  }
  const ratios = real.map(({ rate }, round) => (rate / (bare[round]?.rate ?? Number.NaN)) * 100)
  const rates = (of: Measured[]) => median(of.map(({ rate }) => rate))
  const note = `${count} messages in ${sessions} sessions; rounds: ${ratios.map((ratio) => `${Math.round(ratio)} %`).join(', ')}`
  const on = `station on ${name}`
  return [
    figure(
      `${on}: taken in and published, of what a bare loop does (median)`,
      median(ratios),
      '%',
      { least: 50 },
      note,
    ),
    figure(`${on}: taken in and published (median)`, rates(real), 'messages/s', { least: aim }),
    figure(`${on}: inserted and published by the bare loop (median)`, rates(bare), 'messages/s'),
    figure(
      `${on}: CPU time of the process for 1000 messages (median)`,
      median(real.map(({ cpu }) => cpu)),
      's',
      null,
      `the bare loop's: ${median(bare.map(({ cpu }) => cpu)).toFixed(2)} s`,
    ),
  ]
}

/** Work with a topic of its own, and a folder that is removed. */
async function withQueue<T>(work: (queue: QueueServer, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'psyflo-bench-station-'))
  const queue = await startQueueServer()
  try {
    return await work(queue, folder)
  } finally {
    await queue.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bareLoop(
  server: TestServer | null,
  name: string,
  queue: QueueServer,
  folder: string,
  count: number,
): Promise<Measured> {
  const where = server ? (await server.createDatabase(name)).url : join(folder, 'station.db')
  const script = join(import.meta.dirname, 'bare-station.ts')
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, where, queue.endpoint, queue.topicArn, String(count), String(sessions)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...queue.env } },
  )
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { rate, cpu } = JSON.parse(line) as { rate: number; cpu: number }
  return { rate, cpu: (cpu / count) * 1000 }
}

/** One key a session: each may ask a hundred times a second. */
const keyOf = (session: number) => `key-of-session-number-${session}`

async function station(
  server: TestServer | null,
  name: string,
  queue: QueueServer,
  folder: string,
  count: number,
): Promise<Measured> {
  const keys = Array.from({ length: sessions }, (_, session) => `${keyOf(session)}::read+write`)
  const running = await startStationProcess(
    {
      ...stationEnv(queue),
      ...(server && { PSYFLO_DATABASE_URL: (await server.createDatabase(name)).url }),
      CONSULTX_API_KEYS: keys.join(','),
    },
    { dataDir: folder },
  )
  const chat = openChat(running.url, sessions)
  try {
    const opened = await Promise.all(
      Array.from({ length: sessions }, (_, session) =>
        chat.post(keyOf(session), '/sessions', { user_id: `student-${session}` }),
      ),
    )
    let sent = 0
    const run = async (upTo: number): Promise<void> => {
      await Promise.all(
        opened.map(async ({ session_id }, session) => {
          while (sent < upTo) {
            sent += 1
            const message = { sender: 'user', content: words(sent), client_message_id: `message-${sent}` }
            await chat.post(keyOf(session), `/sessions/${String(session_id)}/messages`, message)
          }
        }),
      )
      while ((await figureOf(running, 'psyflo_outbox_waiting')) > 0) await pause(25)
    }
    // Sessions as long as their rolling buffer, and code that is compiled.
    const warmUp = sessions * 20
    await run(warmUp)
    const before = await figureOf(running, 'process_cpu_seconds_total')
    const began = performance.now()
    await run(warmUp + count)
    const seconds = (performance.now() - began) / 1000
    const cpu = (await figureOf(running, 'process_cpu_seconds_total')) - before
    return { rate: count / seconds, cpu: (cpu / count) * 1000 }
  } finally {
    chat.close()
    await running.stop()
  }
}

async function figureOf(station: StationProcess, name: string): Promise<number> {
  const metrics = await (await station.call('GET', '/metrics')).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
}

const sentences = [
  'I could not sleep again and the maths test is tomorrow, but my sister made me laugh at dinner.',
  'Nobody saved me a seat at lunch today so I sat with the teachers.',
  'Do you think it is normal to feel tired all the time?',
  'We won the game on friday and coach said I can start next week.',
  'My parents keep arguing about money and I do not know what to say to them.',
  'I finished the essay about the river, it took me the whole evening.',
]
/** What a day of school sounds like; every 50th is a crisis. */
const words = (number: number): string =>
  number % 50 === 0 ? 'I am going to kill myself tonight.' : `${sentences[number % sentences.length]} (${number})`
