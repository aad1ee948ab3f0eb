/** Risk adapters as real modules in real threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tierRank } from '../../../../shared/risk.ts'
import { minutes, seconds } from '../../../../shared/time.ts'
import { openAdapter, type AdapterSource } from '../../../../main/platform/adapters/index.ts'
import { systemClock } from '../../../../main/platform/clock.ts'
import { createLogger } from '../../../../main/platform/logger.ts'
import type { Clock } from '../../../../main/platform/ports.ts'
import { engine, said } from '../../../evaluation/engine.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

let folder: string
let lines: string[]
let opened: AdapterSource[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapters-'))
  lines = []
  opened = []
})
afterEach(() => {
  for (const source of opened) source.stop()
  rmSync(folder, { recursive: true, force: true })
})

function open(code: string, clock: Clock = systemClock): AdapterSource {
  const file = join(folder, `detector-${opened.length}.mjs`)
  writeFileSync(file, code)
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) })
  const source = openAdapter(file, { clock, logger })
  opened.push(source)
  return source
}
/** One message through the engine and these adapters. */
const assess = (text: string, clock: Clock = systemClock, recent: Parameters<typeof said>[1] = {}) =>
  engine.assessWith(said(text, recent), { timer: clock, adapters: opened.map(({ adapter }) => adapter) })

const harmless = 'We had pasta for lunch.'
const crisis = 'I am going to kill myself tonight'
const answering = (answer: unknown) => `export const assess = () => (${JSON.stringify(answer)})`

describe('a detector of a school’s own', () => {
  it.each([
    [0.9, 'crisis'],
    [0.65, 'caution'],
    [0.64, 'ok'],
  ])('raises by its score: %s is %s', async (score, tier) => {
    const source = open(answering({ score, categories: ['hopelessness'], reason: 'pasta' }))
    await source.settled
    const assessment = await assess(harmless)
    expect(assessment.tier).toBe(tier)
    expect(assessment.notes).toEqual(['detector-0: sees hopelessness', 'detector-0: pasta'])
    expect(source.state()).toEqual({ name: 'detector-0', problem: null, resting: false })
  })

  it('reads the message and what was said before it, and nothing of the environment', async () => {
    process.env['PSYFLO_MARKED'] = 'secret'
    await open(`export async function assess({ text, recent, ...more }) {
      const told = JSON.stringify([text, recent, more, Object.keys(process.env)])
      return { score: 0, categories: [], reason: told }
    }`).settled
    delete process.env['PSYFLO_MARKED']
    const recent = [{ role: 'assistant' as const, text: 'What was there for lunch?' }]
    const { notes } = await assess(harmless, systemClock, { recent })
    expect(notes).toEqual([`detector-0: ${JSON.stringify([harmless, recent, {}, []])}`])
  })

  it('can lower nothing', async () => {
    await open(answering({ score: 0, categories: [] })).settled
    expect(await assess(crisis)).toMatchObject({ tier: 'crisis', level: 'CRISIS' })
  })

  it('stands beside others: the worst of them counts', async () => {
    await Promise.all([0.7, 0.95, 0].map((score) => open(answering({ score, categories: [] })).settled))
    expect(await assess(harmless)).toMatchObject({ tier: 'crisis', decided_by: 'adapter' })
  })
})

describe('one that lies', () => {
  it('is not heard', async () => {
    const source = open(`export const assess = ({ text, recent }) => JSON.parse(recent[0].text)`)
    await source.settled
    const answer = (given: unknown) =>
      assess(harmless, systemClock, { recent: [{ role: 'assistant', text: JSON.stringify(given) }] })
    const lies = {
      'a score beyond 1': { score: 7, categories: [] },
      'a score that is none': { score: 'high', categories: [] },
      'no score': { categories: [] },
      'a category of its own': { score: 1, categories: ['pasta'] },
      'more than was asked': { score: 1, categories: [], tier: 'ok' },
      nothing: null,
    }
    for (const [what, lie] of Object.entries(lies)) {
      expect(await answer(lie), what).toMatchObject({ tier: 'ok', notes: ['risk adapter “detector-0” failed'] })
      expect(source.state().problem, what).toBe('unreadable answer')
      expect(await answer({ score: 0.7, categories: [] })).toMatchObject({ tier: 'caution' })
    }
    expect(lines.join()).not.toContain('pasta')
  })

  it('takes nothing away, whatever it answers', async () => {
    const source = open(`export const assess = ({ text, recent }) => JSON.parse(recent[0].text)`)
    await source.settled
    const local = engine.assess(said(crisis))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (answer) => {
        const recent = [{ role: 'assistant' as const, text: JSON.stringify(answer) }]
        const { tier } = await assess(crisis, systemClock, { recent })
        expect(tierRank(tier)).toBeGreaterThanOrEqual(tierRank(local.tier))
      }),
      { numRuns: 20 },
    )
  })
})

describe('one that hangs', () => {
  it('is given half a second, left alone after three, and started again meanwhile', async () => {
    const clock = virtualClock()
    const source = open(
      `export const assess = ({ text }) => { if (text.includes('loop')) for (;;) {} return { score: 1, categories: [] } }`,
      clock,
    )
    await source.settled
    for (let times = 1; times <= 3; times++) {
      let found: string | null = null
      void assess('loop', clock).then(({ tier }) => (found = tier))
      await vi.waitFor(
        () => {
          clock.advance(seconds(0.5))
          expect(found).toBe('ok')
        },
        { interval: 10 },
      )
      if (times < 3) expect(source.state()).toMatchObject({ problem: 'late', resting: false })
    }
    expect(source.state().resting).toBe(true)
    await vi.waitFor(() => expect(source.state().problem).toBe('ended'), 5000)
    clock.advance(seconds(30))
    await vi.waitFor(() => expect(source.state().problem).toBeNull(), 5000)
    expect((await assess(harmless, clock)).tier).toBe('crisis')
    expect(source.state()).toMatchObject({ problem: null, resting: false })
  })

  it('while it is loaded delays a start by five seconds and no more', async () => {
    const clock = virtualClock()
    const source = open('await new Promise(() => undefined)', clock)
    clock.advance(seconds(5))
    await source.settled
    expect(source.state().problem).toBe('starting')
  })
})

describe('one that ends', () => {
  it('is started again, later each time, and named until it runs', async () => {
    const clock = virtualClock()
    const source = open(
      `export const assess = ({ text }) => { if (text === 'crash') setTimeout(() => { throw new Error('pasta') }); else return { score: 1, categories: [] }; return new Promise(() => undefined) }`,
      clock,
    )
    await source.settled
    for (const wait of [seconds(1), seconds(2)]) {
      expect((await assess('crash', clock)).notes).toEqual(['risk adapter “detector-0” failed'])
      await vi.waitFor(() => expect(source.state().problem).toBe('ended'))
      clock.advance(wait - 1)
      expect((await assess(harmless, clock)).tier).toBe('ok')
      expect(source.state().problem).toBe('ended')
      // Three failures in a row and it rests; its circuit tries it again after half a minute.
      clock.advance(minutes(1))
      await vi.waitFor(() => expect(source.state().problem).toBeNull(), 5000)
    }
    expect((await assess(harmless, clock)).tier).toBe('crisis')
    expect(lines.filter((line) => line.includes('a risk adapter ended'))).toHaveLength(2)
    expect(lines.join()).not.toContain('pasta')
  })

  it.each([
    ['with an error while it is loaded', 'throw new Error("no")'],
    ['the whole thread', 'process.exit(3)'],
    ['without a function', 'export const assess = 7'],
    ['with a mistake in its text', 'export const ='],
  ])('is no reason for a station to fail: %s', async (_, code) => {
    const source = open(code)
    await source.settled
    expect(source.state().problem).toBe('not loaded')
    expect(await assess(harmless)).toMatchObject({ tier: 'ok', notes: ['risk adapter “detector-0” failed'] })
  })
})
