/** A second station that would know every student of a database by another pseudonym, or open none of its words. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresMissing, testPostgres } from '../support/postgres.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { runStation, startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'

const salts = ['c2FsdCBvZiB0aGUgZmlyc3Qgb25l', 'c2FsdCBvZiBhbm90aGVyIG9uZS4u'] as const
const differences = [
  [
    'salt',
    { PSYFLO_STUDENT_SALT: salts[0] },
    { PSYFLO_STUDENT_SALT: salts[1] },
    /The salt that was given is not the one/,
  ],
  ['passphrase', {}, { PSYFLO_PASSPHRASE: 'another passphrase than that' }, /The passphrase does not open/],
] as const

describe.skipIf(postgresMissing !== null)(
  `two stations on one database${postgresMissing ? `: ${postgresMissing}` : ''}`,
  () => {
    let queue: QueueServer
    const stations: StationProcess[] = []
    beforeAll(async () => void (queue = await startQueueServer()))
    afterAll(async () => {
      for (const station of stations) await station.stop()
      await queue.stop()
    })
    const databaseFor = async (name: string) => {
      const { url } = await (await testPostgres()).createDatabase(name)
      return { ...stationEnv(queue), PSYFLO_DATABASE_URL: url }
    }
    const studentAt = async (station: StationProcess) => {
      await station.call('POST', '/sessions', { user_id: 'student-1' })
      const answer = await station.call('GET', '/sessions?user_id=student-1')
      const { sessions } = (await answer.json()) as { sessions: { student_hash: string }[] }
      return new Set(sessions.map(({ student_hash }) => student_hash))
    }

    it.each(differences)(
      'with another %s: the second says so and ends, the first goes on',
      async (what, own, other, says) => {
        const env = await databaseFor(`second_${what}`)
        const first = await startStationProcess({ ...env, ...own })
        stations.push(first)
        const student = await studentAt(first)
        expect(student.size).toBe(1)
        const dataDir = mkdtempSync(join(tmpdir(), 'second-station-'))
        const { code, stdout, stderr } = await runStation(['--port', '0', '--data-dir', dataDir], { ...env, ...other })
        rmSync(dataDir, { recursive: true })
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(says)
        expect(stderr).not.toMatch(/^\s+at /m)
        for (const secret of [...salts, ...Object.values(other)]) expect(stderr).not.toContain(secret)
        expect(await studentAt(first)).toEqual(student)
      },
    )

    it.each(differences)(
      'with another %s, both for the first time at once: one of them stands',
      async (what, own, other, says) => {
        const env = await databaseFor(`both_${what}`)
        const started = await Promise.allSettled([own, other].map((each) => startStationProcess({ ...env, ...each })))
        const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
        stations.push(...running)
        expect(running).toHaveLength(1)
        const [refused] = started.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
        expect(refused).toMatch(says)
        expect((await studentAt(running[0]!)).size).toBe(1)
      },
    )
  },
)
