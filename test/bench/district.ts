/** A prepared data directory of a district console, written with the store's own log. */
import { join } from 'node:path'
import { eventSchema, type LoggedEvent, type WireEvent } from '../../shared/events.ts'
import { createEventLog, openDatabase, openKeys, type Database } from '../../main/store/console/index.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { messageAnalyzed, sessionId, studentHash } from './events.ts'
import type { Bench } from './figures.ts'

export interface District {
  alerts: number
  messages: number
  sessions: number
  students: number
  /** The student whose trajectory has this many messages, all of the last six days. */
  longest: { student_hash: string; messages: number }
}

const messagesOfLongest = 10_000

export async function openBenchDatabase(dataDir: string, options: { readonly?: boolean } = {}): Promise<Database> {
  const { PSYFLO_PASSPHRASE = '' } = await signedInEnv()
  const keys = await openKeys(dataDir, passphraseProvider(PSYFLO_PASSPHRASE, systemRandomness), systemRandomness)
  return openDatabase(join(dataDir, 'console.db'), keys.database, options)
}

/** Fills an empty data directory: every alert its own session, every tenth one high, the rest crisis, all open. */
export async function makeDistrict(dataDir: string, bench: Bench, now: number): Promise<District> {
  const alerts = bench.quick ? 5_000 : 50_000
  const messages = bench.full ? 1_000_000 : bench.quick ? 20_000 : 200_000
  const students = bench.quick ? 500 : 5_000
  const sessions = bench.full ? 100_000 : alerts
  const db = await openBenchDatabase(dataDir)
  // Only while it is filled: nobody loses anything here.
  db.pragma('synchronous = OFF')
  const eventLog = createEventLog(db)
  const perSession = Math.floor(messages / sessions)
  const age = 60 * 86_400_000
  let waiting: LoggedEvent[] = []
  const flush = () => {
    eventLog.append(
      waiting.map((event) => ({
        event,
        school_id: testSchool,
        identity: event.idempotency_key,
        origin: 'queue',
        received_at: event.timestamp + 400,
      })),
    )
    waiting = []
  }
  const add = (event: WireEvent) => {
    waiting.push({ ...eventSchema.parse(event), school_id: testSchool })
    if (waiting.length >= 2_000) flush()
  }
  for (let session = 0; session < sessions; session++) {
    const started = now - age + Math.floor((session / sessions) * (age - 3_600_000))
    const raises = session < alerts ? (session % 10 === 0 ? 'high' : 'crisis') : 'ok'
    for (let sequence = 0; sequence < perSession; sequence++) {
      const tier = sequence === 2 ? raises : sequence % 8 === 4 ? 'caution' : 'ok'
      add(
        messageAnalyzed(
          sessionId(session),
          studentHash(session % students),
          sequence,
          started + sequence * 20_000,
          tier,
        ),
      )
    }
    if (session % 10_000 === 9_999) bench.progress(`${session + 1} of ${sessions} sessions written`)
  }
  const student_hash = studentHash(9_999_999)
  const spread = 6 * 86_400_000
  for (let index = 0; index < messagesOfLongest * 2; index++) {
    const tier = index % 1000 === 400 ? 'high' : index % 40 === 20 ? 'caution' : 'ok'
    const at = now - spread + Math.floor((index / (messagesOfLongest * 2)) * spread)
    add(messageAnalyzed(sessionId(2_000_000 + Math.floor(index / 100)), student_hash, index % 100, at, tier))
  }
  flush()
  db.close()
  return {
    alerts,
    messages: messages + messagesOfLongest * 2,
    sessions,
    students,
    longest: { student_hash, messages: messagesOfLongest },
  }
}
