/** The three questions that open a screen, at the database. */
import {
  alertCounts,
  inboxPage,
  sessionById,
  studentByHash,
  trajectory,
  transcriptPage,
} from '../../main/store/console/index.ts'
import { evidenceKey } from '../../main/platform/envelope.ts'
import { testSchool } from '../support/sign-in.ts'
import { openBenchDatabase, type District } from './district.ts'
import { sessionId, studentHash } from './events.ts'
import { figure, percentile, type Bench, type Figure } from './figures.ts'

export async function measureDatabase(
  dataDir: string,
  district: District,
  bench: Bench,
  now: number,
): Promise<Figure[]> {
  const db = await openBenchDatabase(dataDir, { readonly: true })
  // As the console sets it.
  db.pragma('cache_size = -65536')
  const key = evidenceKey(Buffer.alloc(32))
  const times = bench.quick ? 20 : 100
  const size = `${district.alerts} alerts, ${district.messages} messages`
  const p95 = (name: string, ask: (round: number) => unknown): Figure => {
    const took = Array.from({ length: times }, (_, round) => {
      const began = performance.now()
      ask(round)
      return performance.now() - began
    })
    return figure(`database: ${name}, p95`, percentile(took, 0.95), 'ms', { most: 50 }, size)
  }
  const any = (round: number, of: number) => (round * 7_919) % of
  const school = testSchool
  const figures = [
    p95('inbox page of 100', (round) =>
      inboxPage(db, { school, person: 'counselor-1', filter: 'open', offset: any(round, 20) * 100, limit: 100, now }),
    ),
    p95('inbox page at a random place', (round) =>
      inboxPage(db, {
        school,
        person: 'counselor-1',
        filter: 'open',
        offset: any(round, district.alerts),
        limit: 100,
        now,
      }),
    ),
    p95('inbox counts', () => alertCounts(db, school, 'counselor-1', now)),
    p95('one student and the trajectory', (round) => {
      const student_hash = studentHash(any(round, district.students))
      studentByHash(db, school, student_hash, now)
      trajectory(db, { school_id: school, student_hash, from: 0, to: now, points: 400 })
    }),
    p95(`a trajectory of ${district.longest.messages} messages`, () =>
      trajectory(db, { school_id: school, student_hash: district.longest.student_hash, from: 0, to: now, points: 400 }),
    ),
    p95('one session and 100 messages of it', (round) => {
      const id = sessionId(any(round, district.sessions))
      sessionById(db, school, id)
      transcriptPage(db, key, { school_id: school, session_id: id, offset: 0, limit: 100, unopened: 'other key' })
    }),
  ]
  db.close()
  return figures
}
