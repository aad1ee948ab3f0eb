import { describe, expect, it } from 'vitest'
import { reachConsensus, type FloorEvidence } from '../../../../main/analysis/decision/index.ts'
import { detectionData } from '../../../evaluation/engine.ts'

const nothing: FloorEvidence = { floor: 'ok', floorScore: 0, concern: 'ok', byClassifier: false }
const decide = (score: number, evidence: Partial<FloorEvidence> = {}, uncovered = false) =>
  reachConsensus(
    detectionData.consensus.weight_sets.published.weights,
    { regex: score, semantic: score, clinical: null, history: score },
    { ...nothing, ...evidence },
    uncovered,
  )

describe('the weighted consensus', () => {
  it.each([
    [0, 'ok', 'SAFE'],
    [0.6499, 'ok', 'SAFE'],
    [0.65, 'caution', 'CAUTION'],
    [0.8999, 'caution', 'CAUTION'],
    [0.9, 'crisis', 'CRISIS'],
    [1, 'crisis', 'CRISIS'],
  ] as const)('of %d is, by itself, %s', (score, tier, level) => {
    expect(decide(score)).toEqual({ score, tier, level, decided_by: 'consensus' })
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
    expect(decide(0.1, { concern: 'caution' })).toMatchObject({ tier: 'caution', level: 'SAFE', score: 0.1 })
  })
})
