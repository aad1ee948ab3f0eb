/** Whole stations on a database of their own: real database, real queues on loopback, real REST. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { intakeClient, type IntakeClient } from '../../main/chat/index.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { wrappingWith } from '../../main/platform/envelope.ts'
import { toQueue } from '../../main/outbox/index.ts'
import { startStation, type Station, type StationOptions } from '../../main/station/index.ts'
import { openStationStore } from '../../main/store/station/index.ts'
import { recordingLogger, school, scriptedEngine } from './intake-school.ts'
import { openQueue } from './queue.ts'
import { testSecret } from './sign-in.ts'
import { openTestStore, type StoreKind } from './test-stores.ts'
import { virtualClock } from './virtual-clock.ts'

export async function stationHouse(kind: StoreKind = 'file') {
  const dir = mkdtempSync(join(tmpdir(), 'station-house-'))
  const { store, ...database } = await openTestStore(kind)
  // A file is one station's at a time.
  if (kind === 'file') await store.close()
  const queue = await openQueue()
  const acksQueueUrl = await queue.create('acks')
  const clock = virtualClock()
  const { logger, entries } = recordingLogger()
  const running: Station[] = []
  const confirmed = new Set<(idempotencyKeys: readonly string[]) => void>()
  const wrapping = wrappingWith(systemRandomness.bytes(32))
  const options: Omit<StationOptions, 'store'> = {
    stationId: null,
    wrapping,
    contentKey: systemRandomness.bytes(32),
    dataDir: dir,
    ownConsoles: [],
    administration: {
      signIn: { jwtSecret: testSecret, jwksUrl: null, jwtIssuer: null, jwtAudience: null },
      operatorToken: null,
    },
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
    drills: false,
    ports: { clock, randomness: systemRandomness, logger },
  }
  return {
    dir,
    /** Where the database's own files are, on the file. */
    databaseFolder: database.folder,
    queue,
    acksQueueUrl,
    clock,
    entries,
    ports: options.ports,
    async start(changes: Partial<StationOptions> = {}): Promise<Station> {
      const { clock: machine } = changes.ports ?? options.ports
      const opened = changes.store ?? (await openStationStore(database.database))
      // The machine’s clock is right.
      const given = { ...opened, now: () => Promise.resolve(machine.now()) }
      const station = await startStation({ ...options, ...changes, store: given })
      running.push(station)
      return station
    },
    /** The database beside a station that has stopped. */
    openStore: () => openStationStore(database.database),
    /** The console has committed these events. */
    confirm: (...idempotencyKeys: string[]) => confirmed.forEach((confirm) => confirm(idempotencyKeys)),
    /** Opens what stands wrapped in the station's database. */
    unwrap: wrapping.unwrap,
    /** What stands in the station's database, read beside it. */
    rows: database.rows,
    run: database.run,
    async close() {
      for (const station of running) await station.stop()
      await queue.stop()
      if (kind !== 'file') await store.close()
      await database.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
/** A chat at a station: the clock stands, and each call is made once. */
export function chatAt({ url, apiKey }: Pick<Station, 'url' | 'apiKey'>): IntakeClient {
  const { signal } = new AbortController()
  return intakeClient({ target: () => ({ url, key: apiKey }), clock: virtualClock(), signal, tries: 1 })
}
/** One request at a station with its own key, as it is answered. */
export async function callAt(
  station: Pick<Station, 'url' | 'apiKey'>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) {
  const response = await fetch(new URL(path, station.url), {
    method,
    headers: { 'x-api-key': station.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, body: (await response.json()) as Record<string, unknown> }
}

export type StationHouse = Awaited<ReturnType<typeof stationHouse>>
