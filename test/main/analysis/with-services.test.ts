import { describe, expect, it } from 'vitest'
import type { AssessmentPorts, ClinicalAnswer } from '../../../main/analysis/index.ts'
import type { AdapterAnswer, RiskAdapter } from '../../../main/analysis/service-ports.ts'
import { createEngine } from '../../../main/analysis/index.ts'
import { detectionData, engine, said } from '../../evaluation/engine.ts'

/** A timer that rings when told to, so that nothing sleeps. */
function manualTimer() {
  const waiting: { delay: number; work: () => void }[] = []
  return {
    timer: {
      after: (delay: number, work: () => void) => {
        const entry = { delay, work }
        waiting.push(entry)
        return () => void waiting.splice(waiting.indexOf(entry), 1)
      },
    },
    ring: () => [...waiting].forEach(({ work }) => work()),
    waiting,
  }
}
const ports = (more: Partial<AssessmentPorts> = {}): AssessmentPorts => ({ timer: manualTimer().timer, ...more })
const answer = (more: Partial<ClinicalAnswer> = {}): ClinicalAnswer => ({
  score: 0.2,
  detected: false,
  marker: null,
  reasoning: 'x',
  patterns: [],
  ...more,
})
const never = new Promise<never>(() => {})

describe('with a clinical service', () => {
  it('takes its score', async () => {
    const clinical = {
      ask: async (): Promise<ClinicalAnswer> => answer({ score: 0.9, detected: true, marker: 'CRISIS' }),
    }
    const assessment = await engine.assessWith(said('hello'), ports({ clinical }))
    expect(assessment.signals.clinical).toBe(0.9)
    expect(assessment.reasons.find(({ signal }) => signal === 'clinical')!.text).toContain('CRISIS')
  })
  it('says so when nothing is clear', async () => {
    const clinical = { ask: async (): Promise<ClinicalAnswer> => answer() }
    const { reasons } = await engine.assessWith(said('hello'), ports({ clinical }))
    expect(reasons.find(({ signal }) => signal === 'clinical')!.text).toContain('no clear indicator')
  })
  it('names an indicator that has no marker', async () => {
    const clinical = { ask: async (): Promise<ClinicalAnswer> => answer({ detected: true }) }
    const { reasons } = await engine.assessWith(said('hello'), ports({ clinical }))
    expect(reasons.find(({ signal }) => signal === 'clinical')!.text).toContain('an indicator')
  })
  it('is given the last three messages only', async () => {
    let given = 0
    const clinical = {
      ask: async (_: string, recent: readonly unknown[]): Promise<ClinicalAnswer> => (
        (given = recent.length),
        answer()
      ),
    }
    const recent = Array.from({ length: 5 }, () => ({ role: 'student' as const, text: 'x' }))
    await engine.assessWith(said('hello', { recent }), ports({ clinical }))
    expect(given).toBe(3)
  })
  const failures: [string, () => Promise<unknown>][] = [
    ['throws', () => Promise.reject(new Error('no'))],
    ['throws at once', () => { throw new Error('no') }],
    ['answers out of range', async () => answer({ score: 3 })],
    ['answers with something else', async () => 'I think it is fine'],
  ] // prettier-ignore
  it.each(failures)('is missing, not zero, when it %s', async (_, ask) => {
    const assessment = await engine.assessWith(said('i feel sad'), ports({ clinical: { ask } }))
    expect(assessment.signals.clinical).toBeNull()
    expect(assessment.degraded).toEqual(['clinical'])
    expect(assessment.notes).toHaveLength(1)
  }) // prettier-ignore
  it('is missing when it is late, and told to stop', async () => {
    const { timer, ring, waiting } = manualTimer()
    let stopped = false
    const clinical = { ask: (_: string, __: unknown, signal: AbortSignal) => (signal.addEventListener('abort', () => (stopped = true)), never) }
    const pending = engine.assessWith(said('I want to die'), { timer, clinical })
    await Promise.resolve()
    await Promise.resolve()
    expect(waiting.every(({ delay }) => delay <= 2000)).toBe(true)
    ring()
    const assessment = await pending
    expect(stopped).toBe(true)
    expect(assessment).toMatchObject({ tier: 'crisis', degraded: ['clinical'] })
  }) // prettier-ignore
  it('no timer runs on once there is an answer, or a failure', async () => {
    for (const ask of [async () => answer(), () => Promise.reject(new Error('no'))]) {
      const { timer, waiting } = manualTimer()
      await engine.assessWith(said('hello'), { timer, clinical: { ask } })
      expect(waiting).toEqual([])
    }
  })
  it('renormalises the weights over what arrived', async () => {
    const clinical = { ask: () => Promise.reject(new Error('no')) }
    const published = createEngine(detectionData, { weights: 'published' })
    const all = published.assess(said('nothing matters'))
    const without = await published.assessWith(said('nothing matters'), ports({ clinical }))
    const { regex, semantic, history } = all.signals
    expect(without.score).toBeCloseTo((0.4 * regex! + 0.2 * semantic! + 0.1 * history!) / 0.7, 3)
  })
  it('without the regex signal is at least caution', async () => {
    const assessment = await engine.assessWith(said('hello'), ports({ missing: ['regex'] }))
    expect(assessment).toMatchObject({ level: 'CAUTION', degraded: ['regex'] })
    const nothing = await engine.assessWith(
      said('hello'),
      ports({ missing: ['regex', 'semantic', 'clinical', 'history'] }),
    )
    expect(nothing).toMatchObject({ level: 'CAUTION', score: 0.65 })
  })
})

describe('what this machine says is held', () => {
  const feelings = 'I feel empty and worthless and tired all the time, i cant sleep and nothing matters, i give up'
  it('against a low score, and the people who look at it are told', async () => {
    const local = engine.assess(said(feelings))
    expect(local).toMatchObject({ level: 'CAUTION', decided_by: 'consensus' })
    const clinical = { ask: async () => answer({ score: 0 }) }
    const assessment = await engine.assessWith(said(feelings), ports({ clinical }))
    expect(assessment).toMatchObject({
      tier: local.tier,
      level: 'CAUTION',
      score: local.score,
      decided_by: 'consensus',
    })
    expect(assessment.signals.clinical).toBe(0)
    expect(assessment.notes).toEqual([expect.stringContaining('they decide')])
    expect(assessment.reasons.filter(({ signal }) => signal === 'decision')).toHaveLength(1)
  })
  it('against a failure', async () => {
    const text = 'I feel so tired and sad and i cant sleep or eat and i cant focus, nothing is fun and i am a burden'
    for (const message of [feelings, text]) {
      const local = engine.assess(said(message))
      const clinical = { ask: () => Promise.reject(new Error('no')) }
      const assessment = await engine.assessWith(said(message), ports({ clinical }))
      expect(assessment).toMatchObject({ tier: local.tier, level: local.level, degraded: ['clinical'] })
    }
  })
  it('and a high score raises', async () => {
    const text = 'nothing matters'
    expect(engine.assess(said(text)).level).toBe('SAFE')
    const clinical = { ask: async () => answer({ score: 1, detected: true, marker: 'CRISIS' as const }) }
    expect(await engine.assessWith(said(text), ports({ clinical }))).toMatchObject({ level: 'CAUTION', notes: [] })
  })
})

describe('with risk adapters', () => {
  const adapter = (assess: RiskAdapter['assess']): RiskAdapter => ({ name: 'test', assess })
  it('raises, and says who raised', async () => {
    for (const tier of ['crisis', 'high'] as const) {
      const adapters = [adapter(() => ({ tier, notes: ['seen elsewhere'] }))]
      const assessment = await engine.assessWith(said('hello'), ports({ adapters }))
      expect(assessment).toMatchObject({ tier, decided_by: 'adapter', level: tier === 'crisis' ? 'CRISIS' : 'CAUTION' })
      expect(assessment.score).toBeGreaterThanOrEqual(tier === 'crisis' ? 0.9 : 0.65)
      expect(assessment.notes).toEqual(['test: seen elsewhere'])
    }
  })
  it('shows what it flagged, cut to the message', async () => {
    const flagged = [
      { start: 2, end: 5 },
      { start: -7, end: 1.9 },
      { start: 3, end: 99 },
      { start: 4, end: 2 },
      { start: 50, end: 60 },
    ]
    const own = engine.assess(said('i give up')).matches
    for (const [tier, confidence] of [['crisis', 0.9], ['high', 0.8], ['ok', 0]] as const) {
      const { matches } = await engine.assessWith(said('i give up'), ports({ adapters: [adapter(() => ({ tier, flagged }))] }))
      const span = { category: 'other', meaning: 'affirmed', signal: 'adapter', confidence }
      expect(matches).toEqual([
        ...own, { ...span, start: 2, end: 5 }, { ...span, start: 0, end: 1 }, { ...span, start: 3, end: 9 },
      ])
    }
  }) // prettier-ignore
  it('shows what it flagged beside notes that cannot be read', async () => {
    const adapters = [adapter(() => ({ tier: 'boom', notes: 5, flagged: [{ start: 0, end: 2 }] }) as unknown as AdapterAnswer)]
    const { matches, notes } = await engine.assessWith(said('hello'), ports({ adapters }))
    expect(matches).toMatchObject([{ start: 0, end: 2, signal: 'adapter', confidence: 0 }])
    expect(notes).toEqual(['risk adapter “test”: unreadable answer'])
  }) // prettier-ignore
  it('never lowers', async () => {
    const adapters = [adapter(() => ({ tier: 'ok' }))]
    expect(await engine.assessWith(said('I want to die'), ports({ adapters }))).toMatchObject({
      tier: 'crisis',
      decided_by: 'floor',
    })
  })
  it('a throwing or late one becomes a note', async () => {
    const failing = adapter(() => { throw new Error('no') }) // prettier-ignore
    const { notes } = await engine.assessWith(said('hello'), ports({ adapters: [failing] }))
    expect(notes).toEqual(['risk adapter “test” failed'])
    const { timer, ring } = manualTimer()
    const pending = engine.assessWith(said('hello'), { timer, adapters: [adapter(() => never)] })
    ring()
    expect((await pending).notes).toEqual(['risk adapter “test” did not answer in time'])
  })
  const broken: [string, unknown][] = [
    ['notes that are no text', { tier: 'ok', notes: [5] }],
    ['a tier there is not', { tier: 'boom' }],
    ['a throwing tier', { get tier() { throw new Error('no') } }],
    ['a throwing note', { tier: 'ok', get notes() { throw new Error('no') } }],
    ['nothing', null],
    ['undefined', undefined],
    ['a text', 'crisis'],
  ] // prettier-ignore
  it.each(broken)('an unreadable answer is a note and lowers nothing: %s', async (_, answered) => {
    const adapters = [adapter(() => answered as AdapterAnswer)]
    for (const [text, tier] of [['I want to die', 'crisis'], ['hello', 'ok']] as const) {
      const assessment = await engine.assessWith(said(text), ports({ adapters }))
      expect(assessment).toMatchObject({ tier, notes: ['risk adapter “test”: unreadable answer'] })
    }
  }) // prettier-ignore
  it('a readable tier counts beside unreadable notes', async () => {
    const adapters = [adapter(() => ({ tier: 'crisis', notes: [5] }) as unknown as AdapterAnswer)]
    const assessment = await engine.assessWith(said('hello'), ports({ adapters }))
    expect(assessment).toMatchObject({ tier: 'crisis', decided_by: 'adapter', notes: ['risk adapter “test”: unreadable answer'] })
  }) // prettier-ignore
  it('a clinical answer that throws when looked at is a missing signal', async () => {
    const clinical = { ask: async () => ({ get score() { throw new Error('no') } }) }
    const assessment = await engine.assessWith(said('I want to die'), ports({ clinical }))
    expect(assessment).toMatchObject({ tier: 'crisis', degraded: ['clinical'] })
  }) // prettier-ignore
  it('one that changes what it was shown changes nothing', async () => {
    const meddling = adapter((_, local) => (Object.assign(local, { tier: 'ok', level: 'SAFE', score: 0, notes: ['no'] }), { tier: 'ok' }))
    const clinical = { ask: async () => answer({ score: 0 }) }
    const feelings = 'I feel empty and worthless and tired all the time, i cant sleep and nothing matters, i give up'
    for (const text of ['I want to die', feelings]) {
      const local = engine.assess(said(text))
      const assessment = await engine.assessWith(said(text), ports({ adapters: [meddling], clinical }))
      expect(assessment).toMatchObject({ tier: local.tier, level: local.level, score: local.score })
    }
  }) // prettier-ignore
  it('a timer that does not run leaves the local signals to decide', async () => {
    const timer = { after: () => { throw new Error('no') } }
    const assessment = await engine.assessWith(said('I want to die'), { timer, adapters: [adapter(() => ({ tier: 'ok' }))] })
    expect(assessment).toMatchObject({ tier: 'crisis', notes: ['risk adapter “test” failed'] })
  }) // prettier-ignore
})
