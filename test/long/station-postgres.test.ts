/** Stations as programs of their own on one PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { postgresMissing, testPostgres } from '../support/postgres.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { runStation, startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'

const words = 'I want to end my life tonight'

describe.skipIf(postgresMissing !== null)(
  `stations on PostgreSQL${postgresMissing ? `: ${postgresMissing}` : ''}`,
  () => {
    let queue: QueueServer
    let env: Record<string, string>
    const stations: StationProcess[] = []
    beforeAll(async () => {
      queue = await startQueueServer()
      const { url } = await (await testPostgres()).createDatabase('station_process')
      env = { ...stationEnv(queue), PSYFLO_DATABASE_URL: url }
    })
    afterAll(async () => {
      for (const station of stations) await station.stop()
      await queue.stop()
    })

    it('share their sessions, and publish every event once', async () => {
      const checked = await runStation(
        ['--check', '--json', '--port', '0', '--data-dir', join(tmpdir(), 'station-never')],
        env,
      )
      expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true })
      const one = await startStationProcess(env)
      const two = await startStationProcess(env)
      stations.push(one, two)
      const { session_id } = (await (await one.call('POST', '/sessions', { user_id: 'a' })).json()) as Record<
        string,
        string
      >
      const answer = await two.call('POST', `/sessions/${session_id}/messages`, { sender: 'user', content: words })
      expect(await answer.json()).toMatchObject({ tier: 'crisis', sequence: 1 })
      one.process.kill('SIGTERM')
      expect(await one.ended).toBe(0)
      const received: Record<string, unknown>[] = []
      await vi.waitFor(
        async () => {
          const { Messages = [] } = await queue.sqs.send(
            new ReceiveMessageCommand({
              QueueUrl: queue.eventsQueueUrl,
              MaxNumberOfMessages: 10,
              VisibilityTimeout: 600,
            }),
          )
          for (const { Body = '{}' } of Messages)
            received.push(JSON.parse((JSON.parse(Body) as { Message: string }).Message) as Record<string, unknown>)
          // Beside these the ladder says how it went on: there is nobody in this school whom it could tell.
          const types = received
            .filter((each) => each['session_id'] === session_id)
            .map(({ event_type }) => String(event_type))
            .filter((type) => type !== 'ALERT_ESCALATED')
          expect(types.sort()).toEqual(['CRISIS_DETECTED', 'MESSAGE_ANALYZED', 'SESSION_STARTED'])
        },
        { timeout: 15_000 },
      )
      const keys = received.map(({ idempotency_key }) => idempotency_key)
      expect(keys).toHaveLength(new Set(keys).size)
      const metrics = await (await two.call('GET', '/metrics')).text()
      expect(metrics).toMatch(/^psyflo_outbox_waiting 0$/m)
      expect(metrics).toMatch(/^psyflo_heartbeats_total 1$/m)
    })

    it('refuse a passphrase that is not the one of the database', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'station-other-'))
      const { code, stderr } = await runStation(['--port', '0', '--data-dir', dataDir], {
        ...env,
        PSYFLO_PASSPHRASE: 'another passphrase',
      })
      rmSync(dataDir, { recursive: true })
      expect(code).toBe(1)
      expect(stderr).toContain('The passphrase does not open')
    })
  },
)
