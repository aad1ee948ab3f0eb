/** A desk asks the same services as a station: who answers students, and detectors of the school's own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readConfiguration } from '../../main/configuration/index.ts'
import { examine } from '../../main/doctor/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { findIntake } from '../../main/platform/intake-address.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { ConsoleProcess } from '../support/console-process.ts'
import { callDesk, deskPassphrase, setUpDesk, signedIn, type DeskHouse } from '../support/desk.ts'
import { completion, httpServer, json, type HttpServer } from '../support/http-server.ts'
import { openPage } from '../support/real-console.ts'

const detector = `export const assess = ({ text }) => {
  if (text.includes('broken')) throw new Error('broken')
  return { score: text.includes('codeword') ? 0.95 : 0, categories: text.includes('codeword') ? ['coded_language'] : [] }
}`

let house: DeskHouse
let desk: ConsoleProcess
let service: HttpServer
let folder: string
let env: Record<string, string>
let session: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-services-'))
  const adapter = join(folder, 'detector.mjs')
  writeFileSync(adapter, detector)
  service = await httpServer(completion('How was your day?'))
  env = { PSYFLO_REPLY_URL: service.url, PSYFLO_REPLY_MODEL: 'm', PSYFLO_RISK_ADAPTERS: adapter }
  house = await setUpDesk()
  desk = await house.start(env)
  session = String((await callDesk(house.dataDir, '/sessions', { user_id: 'S-1' })).session_id)
}, 60_000)
afterAll(async () => {
  await desk?.stop()
  house?.remove()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const say = (content: string) => callDesk(house.dataDir, `/sessions/${session}/messages`, { sender: 'user', content })

it('a student is answered by the service, and on a crisis by the protocol alone', async () => {
  expect(await say('hello')).toMatchObject({ tier: 'ok', assistant: { text: 'How was your day?', late: false } })
  expect(await say('I am going to kill myself tonight.')).toMatchObject({ tier: 'crisis', assistant: null })
})

it('a detector of the school’s own raises what it finds', async () => {
  expect(await say('the codeword is out')).toMatchObject({ tier: 'crisis' })
})

it('what does not work is said: by the intake, in Settings, and by doctor', async () => {
  const page = await signedIn(await openPage(desk.address))
  const state = await page.calls.detection.state.query()
  expect(state).toMatchObject({
    adapters: [{ name: 'detector', problem: null }],
    reply: { where: service.host, resting: false },
  })
  service.answers(json({}, 500))
  for (let index = 0; index < 3; index++) await say('broken')
  await vi.waitFor(async () =>
    expect(await page.calls.detection.state.query()).toMatchObject({
      adapters: [{ name: 'detector', problem: 'failed' }],
      reply: { resting: true },
    }),
  )
  await page.close()
  const ready = await fetch(new URL('/ready', findIntake(house.dataDir)?.url))
  expect(await ready.json()).toEqual({ status: 'ready', degraded: ['reply service', 'adapter detector: failed'] })

  const looked = { ...env, PSYFLO_PASSPHRASE: deskPassphrase }
  const ports = { clock: systemClock, randomness: systemRandomness, progress: () => undefined }
  const { checks } = await examine(readConfiguration(looked, ['--data-dir', house.dataDir]), ports)
  const found = Object.fromEntries(checks.map(({ name, status }) => [name, status]))
  expect(found).toMatchObject({ 'Risk engine': 'ok', 'Risk adapter 1': 'ok', 'Reply service': 'failed' })
})
