import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readConfiguration } from '../../main/configuration/index.ts'
import type { RunningConsole } from '../../main/console/index.ts'
import { startProgram } from '../../main/program.ts'
import { findDemonstration } from '../../main/platform/intake-address.ts'
import { replay } from '../../main/replay/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { createLogger } from '../../main/platform/logger.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { completion, httpServer, json, type HttpServer } from '../support/http-server.ts'
import { writeTinyModel } from '../support/tiny-model.ts'

const words = 'the river keeps its stones to itself today'
const key = 'sk-not-to-be-told'
const dataDir = mkdtempSync(join(tmpdir(), 'services-'))
const model = mkdtempSync(join(tmpdir(), 'model-'))
const lines: string[] = []
let server: HttpServer
let running: RunningConsole

beforeAll(async () => {
  const answer = { score: 1, detected: true, marker: 'CRISIS', reasoning: words, patterns: [words] }
  server = await httpServer(completion(JSON.stringify(answer)))
  // To this model all words are one.
  writeTinyModel(model, { '[UNK]': [0, 1], '[CLS]': [0, 0], '[SEP]': [0, 0] })
  const env = {
    PSYFLO_CLINICAL_URL: `${server.url}/v1`,
    PSYFLO_CLINICAL_MODEL: 'm',
    PSYFLO_CLINICAL_KEY: key,
    PSYFLO_EMBEDDER_DIR: model,
  }
  running = startProgram(readConfiguration(env, ['--data-dir', dataDir]), {
    clock: systemClock,
    randomness: systemRandomness,
    logger: createLogger('info', { write: (line: string) => void lines.push(line) }),
    shell: { notify: () => undefined, badge: () => undefined, openExternal: () => undefined },
    preferences: { get: () => undefined, set: () => undefined },
  })
  await running.ready
  // The past of the demonstration is told first.
  await vi.waitFor(() => expect(running.contextFor('w').startup.parts()).not.toBeNull(), 100_000)
}, 120_000)
afterAll(async () => {
  await running.stop()
  await server.stop()
  for (const folder of [dataDir, model]) rmSync(folder, { recursive: true, force: true })
})

/** One session of one student message, as `npm run replay` sends it. */
async function say(text: string): Promise<void> {
  const intake = findDemonstration(dataDir)
  if (!intake) throw new Error('no intake')
  async function* transcripts() {
    yield { transcript: { session_id: 's', student: 'replayed', turns: [{ sender: 'user' as const, text, at: 0 }] } }
  }
  const { signal } = new AbortController()
  await replay(transcripts(), { target: () => intake, speed: 0, parallel: 1, clock: systemClock, signal })
}

/** Bodies of the questions that held these words. */
const askedAbout = (text: string) => server.asked.filter(({ body }) => body.includes(text))

it('a clinical service is asked about what is replayed, and by nobody about the invented past', async () => {
  const { signals, reasons } = await explain(words)
  expect(signals.clinical).toBe(1)
  expect(reasons.find(({ signal }) => signal === 'clinical')?.text).not.toContain('river')
  expect(askedAbout(words)).toHaveLength(1)
  await say(words)
  expect(askedAbout(words)).toHaveLength(2)
  expect(server.asked.length).toBeLessThan(20)
  expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
})

it('it is named in the settings, with its last failure', async () => {
  expect((await caller().detection.state()).clinical).toMatchObject({ kind: 'http', where: server.host, failed: null })
  server.answers(json({}, 503))
  expect((await explain(words)).degraded).toEqual(['clinical'])
  expect((await caller().detection.state()).clinical.failed).toMatchObject({ why: 'refused', status: 503 })
  const { from_environment } = await caller().settings.queues()
  expect(from_environment).toContain('PSYFLO_CLINICAL_KEY')
  expect(lines.join()).not.toMatch(/river|sk-not/)
})

it('an embedder stands for the comparison with known phrases, and is named in the settings', async () => {
  await vi.waitFor(async () => expect((await caller().detection.state()).embedder?.ready).toBe(true), 20_000)
  expect((await caller().detection.state()).embedder).toMatchObject({ name: 'tiny-model', dimension: 2, problem: null })
  expect((await explain(words)).signals.semantic).toBe(1)
})

const explain = (text: string) => caller().detection.explain({ text })
function caller() {
  return running.router.createCaller(running.contextFor('w'))
}
