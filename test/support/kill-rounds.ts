/** Kills a real console again and again while it takes in events and records acknowledgements, then reads what is left. */
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { verifyAudit, createEventLog, openDatabase, openKeys, type Database } from '../../main/store/console/index.ts'
import { alertsOn } from './alert-row.ts'
import { startConsoleProcess } from './console-process.ts'
import { legacyCrisis } from './events.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'
import { openPage, type Page } from './real-console.ts'
import { dump } from './record.ts'
import { seeded } from './seeded.ts'
import { signedInEnv } from './sign-in.ts'
import { analyzed } from './wire.ts'

/** What the outside knows: what it sent, and which acknowledgements it was told were recorded. */
interface Told {
  keys: Set<string>
  crises: Set<string>
  sessions: Set<string>
  recorded: Set<string>
  bodies: string[]
}

/** Runs `rounds` of them, with moments chosen by `seed`, and expects that nothing is lost and nothing doubled. */
export async function killRounds({ rounds, seed }: { rounds: number; seed: number }): Promise<void> {
  const chance = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'killed-'))
  const server = await startQueueServer({ visibility: 5 })
  const env = { ...server.env, ...(await signedInEnv()) }
  const told: Told = { keys: new Set(), crises: new Set(), sessions: new Set(), recorded: new Set(), bodies: [] }
  try {
    for (let round = 0; round < rounds; round++) {
      const running = await startConsoleProcess({ dataDir, env, args: ['--web'] })
      const page = await openPage(running.address)
      const sending = sendSome(server, told, chance)
      const acknowledging = acknowledgeAll(page, told, () => running.process.signalCode !== null)
      await after(chance() * (chance() < 0.5 ? 150 : 900))
      await running.stop('SIGKILL')
      void page.close()
      await Promise.all([sending, acknowledging])
    }
    const running = await startConsoleProcess({ dataDir, env, args: ['--web'] })
    const page = await openPage(running.address)
    await acknowledgeOnce(page, told)
    await settled(server, page)
    void page.close()
    expect(await running.stop()).toBe(0)
    await expectNothingLost(dataDir, env['PSYFLO_PASSPHRASE'] ?? '', told, await drain(server))
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** New sessions with one to three crises and a message, and some of what was sent before once more. */
async function sendSome(server: QueueServer, told: Told, chance: () => number): Promise<void> {
  const fresh = Array.from({ length: 4 + Math.floor(chance() * 8) }, () => {
    const session_id = systemRandomness.uuid()
    told.sessions.add(session_id)
    const crises = Array.from({ length: 1 + Math.floor(chance() * 3) }, (_, index) =>
      legacyCrisis({ session_id, idempotency_key: `${session_id}-${index}` }),
    )
    const calm = analyzed({
      session_id,
      message_id: systemRandomness.uuid(),
      idempotency_key: `${session_id}-calm`,
      at: Date.now(),
    })
    crises.forEach(({ idempotency_key }) => told.crises.add(String(idempotency_key)))
    ;[...crises, calm].forEach(({ idempotency_key }) => told.keys.add(String(idempotency_key)))
    return [...crises, calm].map((event) => JSON.stringify(event))
  }).flat()
  const again = told.bodies.filter(() => chance() < 0.1).slice(0, 20)
  told.bodies.push(...fresh)
  for (const body of [...fresh, ...again].sort(() => chance() - 0.5)) await server.send(body)
}

/** Acknowledges what it sees, one after the other, until the console is gone. */
async function acknowledgeAll(page: Page, told: Told, gone: () => boolean): Promise<void> {
  while (!gone()) {
    const done = await Promise.race([acknowledgeOnce(page, told).catch(() => false), after(300).then(() => !gone())])
    if (!done) return
  }
}

async function acknowledgeOnce(page: Page, told: Told): Promise<boolean> {
  const rows = alertsOn(await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 20 }))
  for (const { key } of rows.filter(({ state }) => state === 'open').slice(0, 5)) {
    const { ack_id } = await page.calls.alerts.acknowledge.mutate({ key })
    told.recorded.add(ack_id)
  }
  await after(5)
  return true
}

/** Everything sent is taken in, and everything recorded is sent. */
async function settled(server: QueueServer, page: Page): Promise<void> {
  let pending = Number.POSITIVE_INFINITY
  const watching = page.calls.strip.watch.subscribe(undefined, { onData: (strip) => (pending = strip.outbox_pending) })
  await vi.waitFor(
    async () => {
      expect(await server.waiting()).toBe(0)
      expect(pending).toBe(0)
    },
    { timeout: 60_000, interval: 250 },
  )
  watching.unsubscribe()
}

/** Takes everything off the acknowledgement queue. */
async function drain({ sqs, acksQueueUrl }: QueueServer): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: acksQueueUrl, MaxNumberOfMessages: 10 }),
    )
    if (Messages.length === 0) return all
    all.push(...Messages.map(({ Body = '' }) => JSON.parse(Body) as Record<string, unknown>))
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: acksQueueUrl, Entries }))
  }
}

async function expectNothingLost(
  dataDir: string,
  passphrase: string,
  told: Told,
  queued: Record<string, unknown>[],
): Promise<void> {
  const { database } = await openKeys(dataDir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database)
  try {
    const list = (sql: string) => db.prepare(sql).pluck().all() as string[]
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(list(`SELECT idempotency_key FROM events WHERE origin = 'queue' ORDER BY 1`)).toEqual([...told.keys].sort())
    expect(list('SELECT idempotency_key FROM triggers ORDER BY 1')).toEqual([...told.crises].sort())
    expect(list('SELECT session_id FROM alerts ORDER BY 1')).toEqual([...told.sessions].sort())
    expect(list('SELECT id FROM quarantine')).toEqual([])

    const recorded = list(`SELECT id FROM actions WHERE json_extract(action, '$.action') = 'acknowledged' ORDER BY 1`)
    expect(told.recorded.size).toBeGreaterThan(0)
    expect(recorded).toEqual(expect.arrayContaining([...told.recorded]))
    expect(list('SELECT id FROM outbox WHERE sent_at IS NULL')).toEqual([])
    const arrived = queued
      .filter(({ event_type }) => event_type === 'ALERT_ACKNOWLEDGED')
      .map(({ ack_id }) => String(ack_id))
    expect([...new Set(arrived)].sort()).toEqual(recorded)
    expect(list(`SELECT count(*) FROM audit WHERE what = 'alert.acknowledged'`)).toEqual([recorded.length])
    expect(verifyAudit(db)).toMatchObject({ ok: true, broken_at: null })
    expectRebuildable(db)
  } finally {
    db.close()
  }
}

function expectRebuildable(db: Database): void {
  const before = dump(db)
  createEventLog(db).rebuild()
  expect(dump(db)).toEqual(before)
}

/** Real time between real processes: this is where the moment of the kill comes from. */
function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
