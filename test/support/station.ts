/** A whole station on a folder of its own: real database, real queues on loopback, real REST. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { evidenceKey } from '../../main/platform/envelope.ts'
import { toQueue } from '../../main/outbox/index.ts'
import { startStation, type Station, type StationOptions } from '../../main/station/index.ts'
import { openStationDatabase } from '../../main/store/station/index.ts'
import { recordingLogger, school, scriptedEngine } from './intake-school.ts'
import { openQueue } from './queue.ts'
import { virtualClock } from './virtual-clock.ts'

export async function stationHouse() {
  const dir = mkdtempSync(join(tmpdir(), 'station-'))
  const databaseKey = systemRandomness.bytes(32)
  const queue = await openQueue()
  const acksQueueUrl = await queue.create('acks')
  const clock = virtualClock()
  const { logger, entries } = recordingLogger()
  const running: Station[] = []
  const confirmed = new Set<(idempotencyKeys: readonly string[]) => void>()
  const options: StationOptions = {
    databaseFile: join(dir, 'station.db'),
    databaseKey,
    dataDir: dir,
    evidenceKey: evidenceKey(systemRandomness.bytes(32)),
    schoolId: school,
    salt: null,
    storeContent: true,
    assessment: { engine: scriptedEngine(), services: null },
    settings: { keys: [], bufferSize: 20 },
    address: { host: '127.0.0.1', port: 0 },
    sqs: queue.sqs,
    acksQueueUrl,
    publish: toQueue(queue.sqs, queue.url),
    confirmations(confirm) {
      confirmed.add(confirm)
      return () => void confirmed.delete(confirm)
    },
    ports: { clock, randomness: systemRandomness, logger },
  }
  return {
    dir,
    queue,
    acksQueueUrl,
    clock,
    entries,
    ports: options.ports,
    async start(changes: Partial<StationOptions> = {}): Promise<Station> {
      const station = await startStation({ ...options, ...changes })
      running.push(station)
      return station
    },
    /** The console has committed these events. */
    confirm: (...idempotencyKeys: string[]) => confirmed.forEach((confirm) => confirm(idempotencyKeys)),
    /** What stands in the station's database, read beside it. */
    rows(sql: string): Record<string, unknown>[] {
      const db = openStationDatabase(join(dir, 'station.db'), databaseKey, { readonly: true })
      try {
        return db.prepare(sql).all() as Record<string, unknown>[]
      } finally {
        db.close()
      }
    },
    async close() {
      for (const station of running) await station.stop()
      await queue.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type StationHouse = Awaited<ReturnType<typeof stationHouse>>
