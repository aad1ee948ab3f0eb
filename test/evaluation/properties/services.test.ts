import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AssessmentPorts } from '../../../main/analysis/index.ts'
import { levelRank, tierRank } from '../../../shared/risk.ts'
import { engine, said } from '../engine.ts'

const texts = fc.constantFrom(
  'I want to die',
  'i give up',
  'nothing matters, i feel so hopeless',
  'hello',
  'no quiero vivir',
  'The sea is blue. '.repeat(100),
)
const categories = fc.constantFrom('suicidal_ideation', 'hopelessness', 'coded_language', null)
const probability = fc.double({ min: 0, max: 1, noNaN: true })

it('whatever an embedder and a clinical service say, nothing falls below what this machine says without them', async () => {
  await fc.assert(
    fc.asyncProperty(texts, probability, categories, probability, async (message, value, category, score) => {
      const ports: AssessmentPorts = {
        timer: { after: () => () => undefined },
        similarity: { ready: () => true, compare: async () => ({ value, category }) },
        clinical: { ask: async () => ({ score, detected: false, marker: null, reasoning: '', patterns: [] }) },
      }
      const local = engine.assess(said(message))
      const together = await engine.assessWith(said(message), ports)
      expect(tierRank(together.tier)).toBeGreaterThanOrEqual(tierRank(local.tier))
      expect(levelRank(together.level)).toBeGreaterThanOrEqual(levelRank(local.level))
    }),
    { numRuns: 200, seed: 4 },
  )
})
