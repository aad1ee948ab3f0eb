import { CreateQueueCommand, DeleteQueueCommand } from '@aws-sdk/client-sqs'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { alertsOn } from '../support/alert-row.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { openPage, type Page } from '../support/real-console.ts'
import { signedInEnv } from '../support/sign-in.ts'

let server: QueueServer
let dataDir: string
let env: Record<string, string>
let running: ConsoleProcess
let page: Page

beforeEach(async () => {
  server = await startQueueServer({ visibility: 2 })
  dataDir = mkdtempSync(join(tmpdir(), 'acknowledge-'))
  env = { ...server.env, ...(await signedInEnv()) }
  await start()
})
afterEach(async () => {
  void page.close()
  await running.stop()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  running = await startConsoleProcess({ dataDir, env, args: ['--web'] })
  page = await openPage(running.address)
}
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 100 })
const firstKey = () =>
  until(async () => {
    const rows = alertsOn(await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 }))
    expect(rows).toHaveLength(1)
    return String(rows[0]?.key)
  })
const deliveries = async (key: string) =>
  (await page.calls.alerts.detail.query({ key })).actions.map(({ delivery }) => delivery)

/** `npm run doctor -- --json` on the same data directory, as a process of its own. */
function doctor(): Promise<{ counts: Record<string, number>; audit_ok: boolean }> {
  const command = resolve(import.meta.dirname, '..', '..', 'main', 'commands', 'doctor.ts')
  return new Promise((done, failed) => {
    const args = ['--disable-warning=ExperimentalWarning', command, '--json', '--data-dir', dataDir]
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (error, stdout) => {
      if (stdout === '') failed(error ?? new Error('doctor said nothing'))
      else done(JSON.parse(stdout) as never)
    })
  })
}

it(
  'an acknowledgement outlives a missing queue and a restart, and arrives with its id',
  { timeout: 60_000 },
  async () => {
    const event = legacyCrisis()
    await server.publish(JSON.stringify(event))
    await server.send('no JSON')
    const key = await firstKey()
    await server.sqs.send(new DeleteQueueCommand({ QueueUrl: server.acksQueueUrl }))
    const { ack_id } = await page.calls.alerts.acknowledge.mutate({ key, next_action: 'Call home' })
    expect(await deliveries(key)).toEqual(['recorded'])
    await until(async () => expect((await doctor()).counts['quarantined']).toBe(1))
    expect(await doctor()).toMatchObject({
      counts: { events: 1, alerts: 1, open: 0, quarantined: 1, outbox_pending: 1 },
      audit_ok: true,
    })

    void page.close()
    await running.stop('SIGKILL')
    await server.sqs.send(new CreateQueueCommand({ QueueName: 'psyflo-acks' }))
    await start()
    await until(async () => expect(await deliveries(key)).toEqual(['sent']))
    expect(await server.acknowledgements()).toEqual([
      expect.objectContaining({
        schema_version: 1,
        event_type: 'ALERT_ACKNOWLEDGED',
        ack_id,
        alert_key: key,
        covers: [event['idempotency_key']],
        session_id: event['session_id'],
        student_hash: event['student_hash'],
        acknowledged_by: 'counselor-1',
        next_action: 'Call home',
      }),
    ])
    expect((await doctor()).counts).toMatchObject({ events: 1, alerts: 1, open: 0, outbox_pending: 0 })
  },
)

it(
  'shows as confirmed once a station has sent it back, and says what another console did',
  { timeout: 60_000 },
  async () => {
    const event = legacyCrisis()
    await server.send(JSON.stringify(event))
    const key = await firstKey()
    const { ack_id } = await page.calls.alerts.acknowledge.mutate({ key })
    const [message] = await until(async () => {
      const all = await server.acknowledgements()
      expect(all).toHaveLength(1)
      return all
    })
    const { acknowledged_by: by, acknowledged_at: at, ...rest } = message ?? {}
    const relayed = {
      ...rest,
      event_type: 'ALERT_ACTION',
      action: 'acknowledged',
      idempotency_key: ack_id,
      timestamp: at,
      by,
      at,
    }
    await server.send(JSON.stringify(relayed), JSON.stringify(relayed))
    await until(async () => expect(await deliveries(key)).toEqual(['confirmed']))
    const note = {
      ...relayed,
      action: 'noted',
      ack_id: 'other-1',
      idempotency_key: 'other-1',
      by: 'osei',
      by_name: 'A. Osei',
      note: 'On my way.',
    }
    await server.send(JSON.stringify(note))
    await until(async () => expect(await deliveries(key)).toEqual(['confirmed', 'received']))
    const { actions, state } = await page.calls.alerts.detail.query({ key })
    expect([state, actions[1]?.by_name, actions[1]?.note]).toEqual(['acknowledged', 'A. Osei', 'On my way.'])
    // What came from elsewhere is nobody's to send again.
    expect(await server.acknowledgements()).toHaveLength(1)
  },
)
