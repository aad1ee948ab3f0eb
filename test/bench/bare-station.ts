/**
 * The bare loop a station is measured against: as many senders, each inserts the rows of one message and waits for
 * its commit, while what is committed is published ten at a time and then deleted. No REST, no engine, no envelope.
 * Prints {"rate": messages per second, "cpu": CPU seconds}, once everything is published.
 */
import { PublishBatchCommand, SNSClient } from '@aws-sdk/client-sns'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openStationFile, openStationStore } from '../../main/store/station/index.ts'
import { messageAnalyzed, sessionId, studentHash } from './events.ts'

const school = '11111111-2222-4333-8444-555555555555'
const [where = '', endpoint = '', topicArn = '', all = '0', senders = '1'] = process.argv.slice(2)
const count = Number(all)
const sessions = Array.from({ length: Number(senders) }, (_, index) => sessionId(index))
const sns = new SNSClient({ endpoint, region: 'us-east-1' })

interface Waiting {
  position: number
  event_type: string
  body: string
}
interface Bare {
  prepare(): Promise<void>
  /** Resolves once the rows of one more message of a session are committed. */
  insert(session: string, sequence: number): Promise<void>
  next(): Promise<Waiting[]>
  remove(positions: readonly number[]): Promise<void>
}

/** What stands in the three rows of one message, of the size that the station's have. */
function rowsOf(session: string, sequence: number) {
  const now = Date.now()
  const event = messageAnalyzed(session, studentHash(1), sequence * 2, now)
  const { content, signals, markers, flagged, score, tier, level, sentiment, message_id } = event
  const assessment = { score, tier, level, signals, markers, matches: flagged, sentiment, reasons: [], notes: [] }
  return {
    message: [
      school,
      session,
      message_id,
      sequence,
      'analyzed',
      'student',
      randomUUID(),
      'd'.repeat(64),
      now,
      content?.ciphertext,
      content?.encrypted_key,
      tier,
      score,
      sentiment,
      JSON.stringify(assessment),
    ],
    session: [now, school, session],
    event: [event.idempotency_key, school, session, event.event_type, JSON.stringify(event), now, now],
  }
}

const marks = (from: number, to: number, of: (index: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, index) => of(from + index)).join(', ')
const statements = (of: (index: number) => string) => ({
  message: `INSERT INTO messages (school_id, session_id, message_id, sequence, state, role, client_message_id, content_digest,
    said_at, content, content_key, tier, score, sentiment, assessment, claimed_until) VALUES (${marks(1, 15, of)}, 0)`,
  session: `UPDATE sessions SET last_sequence = last_sequence + 1, message_count = message_count + 1, last_message_at = ${of(1)}
    WHERE school_id = ${of(2)} AND session_id = ${of(3)}`,
  event: `INSERT INTO outbox (id, school_id, group_id, event_type, body, created_at, next_attempt_at) VALUES (${marks(1, 7, of)})`,
  next: 'SELECT position, event_type, body FROM outbox ORDER BY position LIMIT 10',
  school: `INSERT INTO schools (school_id, salt, content_key) VALUES ('${school}', 's', 'k')`,
  opened: `INSERT INTO sessions (school_id, session_id, student_hash, status, started_at, metadata)
    VALUES ('${school}', ${of(1)}, 'h', 'active', 0, '{}')`,
})

/** On the encrypted file: those who come in one turn of the event loop share a commit. */
function onFile(file: string): Bare {
  const db = openStationFile(file, Buffer.alloc(32, 7))
  const sql = statements(() => '?')
  const [message, session, event, next] = [sql.message, sql.session, sql.event, sql.next].map((each) =>
    db.prepare(each),
  )
  let waiting: { work: () => void; done: () => void }[] = []
  const commit = db.transaction(() => waiting.forEach(({ work }) => work()))
  const soon = (work: () => void) =>
    new Promise<void>((done) => {
      waiting.push({ work, done })
      if (waiting.length > 1) return
      setImmediate(() => {
        commit.immediate()
        const committed = waiting
        waiting = []
        committed.forEach((each) => each.done())
      })
    })
  return {
    prepare: async () => {
      db.exec(sql.school)
      for (const each of sessions) db.prepare(sql.opened).run(each)
    },
    insert: (of, sequence) => {
      const rows = rowsOf(of, sequence)
      return soon(() => {
        message!.run(rows.message)
        session!.run(rows.session)
        event!.run(rows.event)
      })
    },
    next: async () => next!.all() as Waiting[],
    remove: (positions) =>
      soon(() => void db.prepare(`DELETE FROM outbox WHERE position IN (${positions.join(', ')})`).run()),
  }
}

/** On PostgreSQL: a transaction each, on as many connections as a station has. */
function onPostgres(url: string): Bare {
  const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c psyflo.station=on' })
  const sql = statements((index) => `$${index}`)
  return {
    async prepare() {
      await (await openStationStore({ url })).close()
      await pool.query(sql.school)
      for (const each of sessions) await pool.query(sql.opened, [each])
    },
    async insert(of, sequence) {
      const rows = rowsOf(of, sequence)
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query({ name: 'message', text: sql.message, values: rows.message })
      await client.query({ name: 'session', text: sql.session, values: rows.session })
      await client.query({ name: 'event', text: sql.event, values: rows.event })
      await client.query('COMMIT')
      client.release()
    },
    next: async () => (await pool.query<Waiting>({ name: 'next', text: sql.next })).rows,
    remove: async (positions) => void (await pool.query('DELETE FROM outbox WHERE position = ANY($1)', [positions])),
  }
}

const bare = where.startsWith('postgres') ? onPostgres(where) : onFile(where)
await bare.prepare()
let [inserted, published] = [0, 0]
const publishing = async (upTo: number): Promise<void> => {
  while (published < upTo) {
    const waiting = await bare.next()
    if (waiting.length === 0) {
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    const PublishBatchRequestEntries = waiting.map(({ event_type, body }, index) => ({
      Id: String(index),
      Message: body,
      MessageAttributes: { event_type: { DataType: 'String', StringValue: event_type } },
    }))
    await sns.send(new PublishBatchCommand({ TopicArn: topicArn, PublishBatchRequestEntries }))
    await bare.remove(waiting.map(({ position }) => position))
    published += waiting.length
  }
}
const next = sessions.map(() => 0)
const run = async (upTo: number): Promise<void> => {
  const sending = sessions.map(async (session, index) => {
    while (inserted < upTo) {
      inserted += 1
      next[index]! += 1
      await bare.insert(session, next[index]!)
    }
  })
  await Promise.all([...sending, publishing(upTo)])
}
const warmUp = sessions.length * 10
await run(warmUp)
const before = process.cpuUsage()
const began = performance.now()
await run(warmUp + count)
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${JSON.stringify({ rate: count / seconds, cpu: (user + system) / 1e6 })}\n`)
process.exit(0)
