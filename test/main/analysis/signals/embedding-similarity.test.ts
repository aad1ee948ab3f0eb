import { describe, expect, it, vi } from 'vitest'
import {
  createEmbeddingSimilarity,
  type Embedder,
  type PhraseSimilarity,
  type ReferencePhrase,
} from '../../../../main/analysis/signals/index.ts'
import { engine, said } from '../../../evaluation/engine.ts'

const phrases: ReferencePhrase[] = [
  { text: 'vanish from everything', category: 'suicidal_ideation' },
  { text: 'all of it is pointless', category: 'hopelessness' },
]
const at = (degrees: number): Float32Array =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
/** An embedder that knows texts by their angle in a plane; whatever it does not know lies far away. */
function plane(angles: Record<string, number>): Embedder & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    name: 'plane',
    dimension: 2,
    embed: async (texts) => (asked.push(...texts), texts.map((text) => at(angles[text] ?? 180))),
  }
}
const known = { 'vanish from everything': 0, 'all of it is pointless': 60 }
const timer = { after: () => () => undefined }
async function embedded(
  embedder: Embedder,
  inForce: () => readonly ReferencePhrase[] = () => phrases,
): Promise<PhraseSimilarity> {
  const similarity = createEmbeddingSimilarity(Promise.resolve(embedder), inForce)
  await vi.waitFor(() => expect(similarity.ready()).toBe(true), { interval: 1 })
  return similarity
}
const assess = (text: string, similarity: PhraseSimilarity) => engine.assessWith(said(text), { timer, similarity })
const reasonOf = (reasons: { signal: string; text: string }[]) => reasons.find(({ signal }) => signal === 'semantic')!.text // prettier-ignore
const builtIn = 'the built-in comparison with known sentences stands'

describe('an embedder', () => {
  it('maximises similarity × confidence over cosines above the threshold', async () => {
    const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180)
    // Nearer to hopelessness (25°) than to ideation (35°), and yet ideation weighs more.
    const similarity = await embedded(
      plane({ ...known, 'the sea calls': 35, 'the sea sleeps': 45, 'the sea is deep': 61 }),
    )
    const both = await assess('the sea calls', similarity)
    expect(both.signals.semantic).toBeCloseTo(cos(35) * 0.95, 3)
    expect(reasonOf(both.reasons)).toContain('suicidal ideation')
    expect((await assess('the sea sleeps', similarity)).signals.semantic).toBeCloseTo(cos(15) * 0.7, 3)
    expect((await assess('the sea is deep. the sea calls', similarity)).signals.semantic).toBeCloseTo(cos(35) * 0.95, 3)
    const far = await assess('the sea is blue', similarity)
    expect(far.signals.semantic).toBe(0)
    expect(reasonOf(far.reasons)).toContain('Close to no known phrase')
    expect(far.notes).toEqual([])
  })
  it('is not asked about sentences that the context rules suppressed, nor about nothing', async () => {
    const embedder = plane(known)
    const similarity = await embedded(embedder)
    embedder.asked.length = 0
    await assess("I don't want to die. The sea is blue", similarity)
    expect(embedder.asked).toEqual(['The sea is blue'])
    embedder.asked.length = 0
    expect((await assess('the song says “i want to die”', similarity)).signals.semantic).toBe(0)
    expect((await assess('…', similarity)).signals.semantic).toBe(0)
    expect(embedder.asked).toEqual([])
  })
  it('never outweighs a phrase said word for word', async () => {
    const { tier } = await assess('I want to end my life', await embedded(plane(known)))
    expect(tier).toBe('crisis')
  })
  it('embeds the phrases again when others have come into force, and is not ready meanwhile', async () => {
    let inForce: readonly ReferencePhrase[] = phrases
    const embedder = plane({ ...known, 'a new phrase here': 10, 'the sea calls': 10 })
    const similarity = await embedded(embedder, () => inForce)
    inForce = [{ text: 'a new phrase here', category: 'self_harm' }]
    expect((await assess('the sea calls', similarity)).notes).toEqual([`embedder is not ready: ${builtIn}`])
    await vi.waitFor(() => expect(similarity.ready()).toBe(true))
    expect((await assess('the sea calls', similarity)).signals.semantic).toBeCloseTo(0.85, 3)
  })
  it('stops embedding phrases that are no longer in force', async () => {
    const many = Array.from({ length: 40 }, (_, index): ReferencePhrase => ({
      text: `phrase ${index}`,
      category: 'self_harm',
    }))
    let inForce: readonly ReferencePhrase[] = many
    const embedder = plane({})
    const slow = {
      ...embedder,
      embed: async (texts: readonly string[]) => ((inForce = phrases), embedder.embed(texts)),
    }
    const similarity = createEmbeddingSimilarity(Promise.resolve(slow), () => inForce)
    await vi.waitFor(() => expect(embedder.asked).toHaveLength(16))
    expect(similarity.ready()).toBe(false)
    await vi.waitFor(() => expect(similarity.ready()).toBe(true))
    expect(embedder.asked).toHaveLength(16 + phrases.length)
  })
})

describe('without an answer the built-in value stands, and a note says so', () => {
  const text = 'nothing matters, i feel so hopeless about the future'
  const local = engine.assess(said(text))
  const failing: [string, Embedder['embed']][] = [
    ['it throws', () => Promise.reject(new Error('no'))],
    ['it gives too few', async () => []],
    ['it gives too short ones', async (texts) => texts.map(() => Float32Array.of(1))],
    ['it gives ones that are not of length 1', async (texts) => texts.map(() => Float32Array.of(9, 9))],
    ['it gives no numbers', async (texts) => texts.map(() => Float32Array.of(NaN, 1))],
  ]
  it.each(failing)('when %s', async (_, embed) => {
    const embedder = plane(known)
    const similarity = await embedded({ ...embedder, embed: (texts, signal) => (signal ? embed(texts) : embedder.embed(texts)) }) // prettier-ignore
    const assessment = await assess(text, similarity)
    expect(assessment).toMatchObject({ tier: local.tier, signals: local.signals, degraded: [] })
    expect(assessment.notes).toEqual([`embedder failed: ${builtIn}`])
    expect(reasonOf(assessment.reasons)).toBe(reasonOf(local.reasons))
  })
  it('when it is late', async () => {
    const embedder = plane(known)
    const similarity = await embedded({ ...embedder, embed: (texts, signal) => (signal ? new Promise(() => undefined) : embedder.embed(texts)) }) // prettier-ignore
    const delays: number[] = []
    const now = { after: (delay: number, work: () => void) => (delays.push(delay), queueMicrotask(work), () => undefined) } // prettier-ignore
    const assessment = await engine.assessWith(said(text), { timer: now, similarity })
    expect(delays).toEqual([500])
    expect(assessment.notes).toEqual([`embedder did not answer in time: ${builtIn}`])
    expect(assessment.signals).toEqual(local.signals)
  })
  it.each([
    ['it could not be loaded', () => Promise.reject(new Error('no'))],
    [
      'it could not embed the phrases',
      () => Promise.resolve({ ...plane({}), embed: () => Promise.reject(new Error('no')) }),
    ],
  ])('when %s', async (_, embedder) => {
    const similarity = createEmbeddingSimilarity(embedder(), () => phrases)
    await new Promise((resolve) => setImmediate(resolve))
    expect(similarity.ready()).toBe(false)
    expect((await assess(text, similarity)).notes).toEqual([`embedder is not ready: ${builtIn}`])
    await expect(similarity.compare(['x'], 0.75, new AbortController().signal)).rejects.toThrow()
  })
})

it('asks about so many sentences of a long message, and no more', async () => {
  const embedder = plane(known)
  const similarity = await embedded(embedder)
  embedder.asked.length = 0
  await assess('The sea is blue. '.repeat(100), similarity)
  expect(embedder.asked).toHaveLength(24)
})
