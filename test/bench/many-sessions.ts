/** A station that has half a million sessions already, beside the same station without one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { openKeys, openStationFile } from '../../main/store/station/index.ts'
import { school } from '../support/intake-school.ts'
import { postgresMissing, startPostgres, type TestServer } from '../support/postgres.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { chatKey, startStationProcess, stationEnv } from '../support/station-process.ts'
import { openChat } from './chat.ts'
import { figure, median, type Bench, type Figure } from './figures.ts'

/** How much longer anything may take than in an empty store. */
const most = 1.5

/** What was measured, each in milliseconds. */
const questions = {
  start: 'process start to its address',
  resume: 'process start to an unfinished message decided',
  first: 'first message of a new session',
  page: 'newest page of 50 sessions',
  student: 'sessions of one student',
  session: 'one old session',
} as const
type Took = Record<keyof typeof questions, number>

export async function measureManySessions(bench: Bench): Promise<Figure[]> {
  const count = bench.quick ? 50_000 : 500_000
  const queue = await startQueueServer()
  try {
    const figures = await measureOn('file', null, queue, count, bench)
    if (postgresMissing !== null) {
      bench.progress(`Many sessions on PostgreSQL ${postgresMissing}`)
      return figures
    }
    const server = await startPostgres()
    try {
      return [...figures, ...(await measureOn('PostgreSQL', server, queue, count, bench))]
    } finally {
      await server.remove()
    }
  } finally {
    await queue.stop()
  }
}

async function measureOn(
  name: string,
  server: TestServer | null,
  queue: QueueServer,
  count: number,
  bench: Bench,
): Promise<Figure[]> {
  const [empty, full] = [await house(server, 'empty', queue), await house(server, 'full', queue)]
  try {
    // The first start makes keys, school and tables.
    for (const each of [empty, full]) await each.ask()
    const began = performance.now()
    await full.run(bulk(count, server !== null))
    bench.progress(`${count} sessions written to the ${name} in ${Math.round((performance.now() - began) / 1000)} s`)
    const rounds = bench.quick ? 1 : 3
    const took: { empty: Took; full: Took }[] = []
    for (let round = 1; round <= rounds; round++) {
      took.push({ empty: await empty.ask(), full: await full.ask() })
      bench.progress(`Many sessions on ${name}, round ${round} of ${rounds}`)
    }
    return (Object.keys(questions) as (keyof Took)[]).map((question) => {
      const of = (which: 'empty' | 'full') => median(took.map((each) => each[which][question]))
      const note = `${of('full').toFixed(1)} ms with ${count} sessions, ${of('empty').toFixed(1)} ms without`
      return figure(
        `${count} sessions on ${name}: ${questions[question]}`,
        of('full') / of('empty'),
        '×',
        { most },
        note,
      )
    })
  } finally {
    empty.remove()
    full.remove()
  }
}

/** Ended and running sessions of 5,000 students, each with one message and counted, as statements of either database. */
function bulk(count: number, isPostgres: boolean): string[] {
  const numbers = isPostgres
    ? `SELECT generate_series(1::bigint, ${count}) AS n`
    : `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n FROM counted`
  const padded = (text: string) => (isPostgres ? `lpad(${text}, 12, '0')` : `printf('%012d', n)`)
  const student = isPostgres ? `lpad((n % 5000)::text, 64, '0')` : `printf('%064d', n % 5000)`
  const id = `'00000000-0000-4000-8000-' || ${padded('n::text')}`
  const said = `${Date.now() - count * 60_000} + n * 60000`
  return [
    `INSERT INTO sessions (school_id, session_id, student_hash, status, started_at, last_message_at, metadata,
        last_sequence, message_count, student_turns)
      SELECT '${school}', ${id}, ${student}, CASE WHEN n % 10 = 0 THEN 'active' ELSE 'ended' END, ${said}, ${said}, '{}', 1, 1, 1
      FROM (${numbers}) AS numbers`,
    `INSERT INTO messages (school_id, session_id, message_id, sequence, state, role, client_message_id, content_digest,
        said_at, tier, score, sentiment, assessment, claimed_until)
      SELECT '${school}', ${id}, 'm-' || n, 1, 'analyzed', 'student', 'c-' || n, 'd', ${said}, 'ok', 0, 0, NULL, 0
      FROM (${numbers}) AS numbers`,
    `DELETE FROM session_counts`,
    `INSERT INTO session_counts SELECT school_id, status, count(*) FROM sessions GROUP BY school_id, status`,
    ...(isPostgres ? ['ANALYZE'] : []),
  ]
}

/** A station that is started and stopped again and again on the same data. */
async function house(server: TestServer | null, name: string, queue: QueueServer) {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-bench-many-'))
  const database = server && (await server.createDatabase(`many_${name}`))
  const env: Record<string, string> = { ...stationEnv(queue), ...(database && { PSYFLO_DATABASE_URL: database.url }) }
  const run = async (statements: readonly string[]): Promise<void> => {
    if (database) {
      const client = new pg.Client(database.adminUrl)
      await client.connect()
      try {
        for (const sql of statements) await client.query(sql)
      } finally {
        await client.end()
      }
      return
    }
    const provider = passphraseProvider(env['PSYFLO_PASSPHRASE'] ?? '', systemRandomness)
    const { stationDatabase } = await openKeys(dataDir, provider, systemRandomness)
    const db = openStationFile(join(dataDir, 'station.db'), stationDatabase)
    // Only while it is filled: nobody loses anything here.
    db.pragma('synchronous = OFF')
    for (const sql of statements) db.exec(sql)
    db.close()
  }
  let unfinished: string | null = null
  const ask = async (): Promise<Took> => {
    const took: Partial<Took> = {}
    // One message that a station which died has accepted and not decided.
    if (unfinished !== null)
      await run([
        `INSERT INTO messages (school_id, session_id, message_id, sequence, state, role, content_digest, said_at, tier, score, sentiment, claimed_until)
          SELECT school_id, session_id, 'unfinished', last_sequence + 1, 'accepted', 'student', 'd', ${Date.now()}, 'ok', 0, 0, 0
          FROM sessions WHERE session_id = '${unfinished}'`,
        `UPDATE sessions SET last_sequence = last_sequence + 1 WHERE session_id = '${unfinished}'`,
      ])
    const began = performance.now()
    const station = await startStationProcess(env, { dataDir })
    took.start = performance.now() - began
    const chat = openChat(station.url, 1)
    const timed = async (times: number, work: () => Promise<unknown>): Promise<number> => {
      const all: number[] = []
      for (let time = 0; time < times; time++) {
        const start = performance.now()
        await work()
        all.push(performance.now() - start)
        await pause(15)
      }
      return median(all)
    }
    try {
      const isDecided = async () => {
        const { buffer } = await chat.get(chatKey, `/sessions/${unfinished ?? ''}`)
        return (buffer as { message_id: string }[]).some(({ message_id }) => message_id === 'unfinished')
      }
      while (unfinished !== null && !(await isDecided())) await pause(2)
      took.resume = performance.now() - began
      let last = ''
      const opened = async () => {
        const { session_id } = await chat.post(chatKey, '/sessions', { user_id: `student-${performance.now()}` })
        last = String(session_id)
      }
      const first = async () => {
        await opened()
        await chat.post(chatKey, `/sessions/${last}/messages`, {
          sender: 'user',
          content: 'We have maths after lunch.',
        })
      }
      await timed(10, first)
      took.first = await timed(30, first)
      took.page = await timed(20, () => chat.get(chatKey, '/sessions?limit=50'))
      took.student = await timed(20, () => chat.get(chatKey, '/sessions?user_id=student-1'))
      const old = unfinished ?? last
      took.session = await timed(20, () => chat.get(chatKey, `/sessions/${old}`))
      unfinished = last
      return took as Took
    } finally {
      chat.close()
      station.process.kill('SIGTERM')
      await station.ended
    }
  }
  return { run, ask, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}
