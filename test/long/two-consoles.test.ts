/** Two consoles, each a process of its own, on queues in a third: they never share one without saying so. */
import { CreateQueueCommand } from '@aws-sdk/client-sqs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SNSClient } from '@aws-sdk/client-sns'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StripView } from '../../shared/views.ts'
import { alertsOn } from '../support/alert-row.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { openPage, type Page } from '../support/real-console.ts'
import { subscribeSchool } from '../support/school-queue.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'

let server: QueueServer
let env: Record<string, string>
const ends: (() => unknown)[] = []
beforeEach(async () => {
  server = await startQueueServer({ visibility: 2 })
  env = { ...server.env, ...(await signedInEnv()) }
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await server.stop()
})

async function start(changed: Record<string, string> = {}): Promise<{ console: ConsoleProcess; page: Page }> {
  const console = await startConsoleProcess({ env: { ...env, ...changed }, args: ['--web'] })
  ends.push(() => console.stop())
  const page = await openPage(console.address)
  ends.push(() => page.close())
  return { console, page }
}
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 100 })
const alertsAt = async ({ page }: { page: Page }) =>
  alertsOn(await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 20 })).length
const six = () =>
  Array.from({ length: 6 }, (_, index) =>
    JSON.stringify(legacyCrisis({ session_id: `session-${index}`, idempotency_key: `session-${index}-1768904100` })),
  )
/** What the strip says now. */
const stripOf = ({ page }: { page: Page }) =>
  new Promise<StripView>((resolve, reject) => {
    const watching = page.calls.strip.watch.subscribe(undefined, {
      onData: (view) => {
        watching.unsubscribe()
        resolve(view)
      },
      onError: reject,
    })
  })

it('a second console on the same queue does not start, says why and what to do, and takes none of six crises', async () => {
  const first = await start()
  const refused = await start().catch((error: unknown) => String(error))
  expect(refused).toMatch(/The console ended \(1\): Another console \(.+\) receives from this queue\./)
  expect(refused).toContain('Each would get half of the alerts.')
  expect(refused).toContain('Give this one a queue of its own')
  await server.send(...six())
  await until(async () => expect(await alertsAt(first)).toBe(6))
  expect(await stripOf(first)).toMatchObject({ sharing: null })
  expect(await first.page.calls.settings.testConnection.mutate()).toMatchObject({ ok: true })
  // It leaves the queue to whoever comes next, at once; and a console that was killed does not wait for itself.
  await first.console.stop()
  const next = await start()
  next.console.process.kill('SIGKILL')
  const began = performance.now()
  const again = await startConsoleProcess({ env, args: ['--web'], dataDir: next.console.dataDir })
  ends.push(() => again.stop())
  expect(performance.now() - began).toBeLessThan(20_000)
}, 120_000)

it('with a queue each, subscribed as the README says, both get all six, and none of another school', async () => {
  const sns = new SNSClient({
    endpoint: server.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  ends.push(() => sns.destroy())
  const queues = await Promise.all(
    ['psyflo-events-front-office', 'psyflo-events-counseling'].map(async (QueueName) => {
      const { QueueUrl = '' } = await server.sqs.send(new CreateQueueCommand({ QueueName }))
      await subscribeSchool(
        { sns, sqs: server.sqs },
        { topicArn: server.topicArn, queueUrl: QueueUrl, school: testSchool },
      )
      return QueueUrl
    }),
  )
  const consoles = [
    await start({ PSYFLO_EVENTS_QUEUE_URL: queues[0] ?? '' }),
    await start({ PSYFLO_EVENTS_QUEUE_URL: queues[1] ?? '' }),
  ]
  const elsewhere = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
  await server.publish(JSON.stringify(legacyCrisis({ session_id: 'elsewhere', school_id: elsewhere })))
  for (const body of six()) await server.publish(body)
  for (const each of consoles) {
    await until(async () => expect(await alertsAt(each)).toBe(6))
    expect(await stripOf(each)).toMatchObject({ sharing: null, quarantined: 0 })
  }
}, 120_000)

it('where the queue’s tags are forbidden both start, and both say that messages go missing', async () => {
  const proxy = await withoutTags(server.endpoint)
  ends.push(() => proxy.server.close())
  const consoles = [await start({ AWS_ENDPOINT_URL_SQS: proxy.url }), await start({ AWS_ENDPOINT_URL_SQS: proxy.url })]
  for (let number = 1; number <= 60; number++) {
    await server.send(JSON.stringify({ ...beat, number, idempotency_key: `beat-${number}`, timestamp: new Date().toISOString() })) // prettier-ignore
    // One after the other, as they come in a school, so that the queue gives them to whoever asks next.
    await until(async () => expect(await server.waiting()).toBe(0))
  }
  for (const each of consoles) {
    await until(async () => expect(await stripOf(each)).toMatchObject({ sharing: { kind: 'suspected' } }))
    const test = await each.page.calls.settings.testConnection.mutate()
    expect(test.ok).toBe(false)
    expect(test.steps.find(({ name }) => name === 'One console on the queue')).toMatchObject({ ok: false })
  }
}, 120_000)

const beat = { schema_version: 1, event_type: 'HEARTBEAT', source: 'station-1', school_id: testSchool }

/** The same queues for credentials that may do nothing with tags. */
async function withoutTags(endpoint: string): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(endpoint)
  const server = createServer((request, response) => {
    if (/Tag/.test(String(request.headers['x-amz-target']).split('.').at(-1) ?? '')) {
      request.resume()
      response
        .writeHead(403, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message: 'no' }))
      return
    }
    const { method, url: path, headers } = request
    const passed = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
