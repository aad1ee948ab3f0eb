import { expect, it } from 'vitest'
import { measureMarkers } from '../../../main/evaluation/index.ts'
import { engine, said } from '../../evaluation/engine.ts'

const sets: Record<string, Record<string, unknown>[]> = {
  suicide_risk_phrases: [
    { id: 'found', phrase: 'I cannot sleep', constructs: ['Sleep issues'] },
    { id: 'missed', phrase: 'the quiet blue lake', constructs: ['Sleep issues'] },
    { id: 'short', phrase: 'sleepless', constructs: ['Sleep issues'] },
    { id: 'no item', phrase: 'we moved to town', constructs: ['Relocation'] },
  ],
  goemotions_ordinary: [
    { id: 'plain', text: 'the bus was late', subset: 'ordinary' },
    { id: 'left out', text: 'I am exhausted', subset: 'death_words' },
  ],
}
const golden: Record<string, Record<string, unknown>[]> = {
  explicit: [{ id: 'crisis', text: 'I want to end my life' }],
  indirect: [{ id: 'none', text: 'the bus was late' }],
}

it('measures the markers of phrases, of ordinary talk and of crises', () => {
  const results = measureMarkers(
    (name) => sets[name] ?? [],
    (name) => golden[name] ?? [],
    { 'Sleep issues': { items: ['PHQ9_ITEM_3'], perhaps: [] } },
    (text) => engine.assess(said(text)),
  )
  expect(results.map(({ counts, n, hits, met, wrong }) => ({ counts, n, hits, met, wrong }))).toEqual([
    { counts: 'the right item', n: 2, hits: 1, met: false, wrong: ['missed'] },
    { counts: 'any item', n: 1, hits: 0, met: true, wrong: [] },
    { counts: 'item 9', n: 1, hits: 1, met: true, wrong: [] },
  ])
})

it('leaves out what is not at hand', () => {
  expect(measureMarkers(() => [], () => [], {}, (text) => engine.assess(said(text)))).toEqual([])
}) // prettier-ignore
