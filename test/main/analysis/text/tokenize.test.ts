import { describe, expect, it } from 'vitest'
import { createMatcher } from '../../../../main/analysis/phrases/index.ts'
import { detectionData, said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const { tokenize } = createMatcher(detectionData)
const engine = rulesOnly()

describe('signs in a message', () => {
  it('are kept up to a number, and words behind them count all the same', () => {
    const text = `${'😭'.repeat(300)} i want to die`
    expect(tokenize(text).emoji).toHaveLength(200)
    const { tier, matches } = engine.assess(said(text))
    expect(tier).toBe('crisis')
    expect(text.slice(matches[0]!.start, matches[0]!.end)).toBe('want to die')
  })
  it.each(['stop!now i want to die', 'stop!!now i want to die'])(
    'that stand in for a space part words: “%s”',
    (text) => {
      const forms = tokenize(text).tokens.map(({ forms: [form] }) => form)
      expect(forms).toEqual(['stop', 'now', 'i', 'want', 'to', 'die'])
      expect(engine.assess(said(text)).tier).toBe('crisis')
    },
  )
  it('that stand in for letters do not part them', () => {
    expect(tokenize('k!ll').tokens.map(({ forms: [form] }) => form)).toEqual(['kill'])
  })
})
