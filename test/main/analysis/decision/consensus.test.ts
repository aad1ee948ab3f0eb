import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelRank, riskTiers, tierRank } from '../../../../shared/risk.ts'
import { reachConsensus, type FloorEvidence } from '../../../../main/analysis/decision/index.ts'
import { detectionData } from '../../../evaluation/engine.ts'

const nothing: FloorEvidence = { floor: 'ok', floorScore: 0, concern: 'ok', floorOn: null, concernOn: null }
const decide = (score: number, evidence: Partial<FloorEvidence> = {}, uncovered = false) =>
  reachConsensus(
    detectionData.consensus.weight_sets.published.weights,
    { regex: score, semantic: score, clinical: null, history: score },
    { ...nothing, ...evidence },
    uncovered,
  )

describe('the weighted consensus', () => {
  it.each([
    [0, 0, 'ok', 'SAFE'],
    [0.6499, 0.3999, 'ok', 'SAFE'],
    [0.65, 0.65, 'caution', 'CAUTION'],
    [0.8999, 0.7999, 'caution', 'CAUTION'],
    [0.9, 0.9, 'crisis', 'CRISIS'],
    [1, 1, 'crisis', 'CRISIS'],
  ] as const)('of %d is, by itself, reported as %d: %s', (mean, score, tier, level) => {
    expect(decide(mean)).toEqual({ score, tier, level, decided_by: 'consensus' })
  })

  it('is no crisis that no phrase bears out, however like one a message is and however it is worded', () => {
    const weights = detectionData.consensus.weight_sets.refitted.weights
    const reading = { semantic: 1, clinical: 1, history: 1 }
    const tierBy = (regex: number | null) => reachConsensus(weights, { ...reading, regex }, nothing, false).tier
    expect([tierBy(0), tierBy(0.74), tierBy(0.75), tierBy(1)]).toEqual(['caution', 'caution', 'crisis', 'crisis'])
    // Where the phrases could not be asked, nothing speaks against it.
    expect(tierBy(null)).toBe('crisis')
  })

  it('is what decides where it asks for as much as the floor', () => {
    expect(decide(0.95, { floor: 'crisis', floorScore: 0.97 })).toEqual({
      score: 0.97,
      tier: 'crisis',
      level: 'CRISIS',
      decided_by: 'consensus',
    })
    expect(decide(0.7, { floor: 'caution' }).decided_by).toBe('consensus')
    expect(decide(0.7, { floor: 'high' }).decided_by).toBe('floor')
  })

  it('leaves a floor of caution at the level of caution, and words of concern below it', () => {
    expect(decide(0.1, { floor: 'caution' })).toMatchObject({ tier: 'caution', level: 'CAUTION', score: 0.65 })
    expect(decide(0.1, { concern: 'caution' })).toMatchObject({ tier: 'caution', level: 'SAFE', score: 0.4 })
  })

  it('never reports a worse tier with a lower score, nor a score that contradicts its level', () => {
    const tier = fc.constantFrom(...riskTiers)
    const decision = fc
      .record({ mean: fc.double({ min: 0, max: 1, noNaN: true }), floor: tier, concern: fc.constantFrom('ok', 'caution'), floorScore: fc.double({ min: 0.95, max: 1, noNaN: true }), uncovered: fc.boolean() } as const)
      .map(({ mean, uncovered, ...evidence }) => decide(mean, evidence, uncovered)) // prettier-ignore
    fc.assert(
      fc.property(decision, decision, (one, other) => {
        const byTier = tierRank(one.tier) - tierRank(other.tier) || levelRank(one.level) - levelRank(other.level)
        if (byTier > 0) expect(one.score).toBeGreaterThan(other.score)
        expect(one.level).toBe(one.score >= 0.9 ? 'CRISIS' : one.score >= 0.65 ? 'CAUTION' : 'SAFE')
      }),
    )
  })
})
