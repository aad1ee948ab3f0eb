import { describe, expect, it } from 'vitest'
import { readRows, RowError } from '../../../main/evaluation/index.ts'

const line = (row: object): string => JSON.stringify(row)

describe('rows of labelled data', () => {
  it('reads labels and tiers, and names rows without an id by their line', () => {
    const rows = readRows(
      `${line({ text: 'a', label: 1 })}\n\n${line({ id: 7, text: 'b', tier: 'high', slice: 's' })}\n`,
    )
    expect(rows.map(({ id, slice, truth }) => ({ id, slice, truth }))).toEqual([
      { id: 'line-1', slice: 'all', truth: { label: 1 } },
      { id: '7', slice: 's', truth: { tier: 'high' } },
    ])
  })

  it('reads expected item markers, for which a row needs neither label nor tier', () => {
    const rows = readRows([line({ text: 'a', markers: ['PHQ9_ITEM_3'] }), line({ text: 'b', markers: [], label: 0 }), line({ text: 'c', label: 1 })].join('\n')) // prettier-ignore
    expect(rows.map(({ truth, markers }) => [truth, markers])).toEqual([
      [null, ['PHQ9_ITEM_3']],
      [{ label: 0 }, []],
      [{ label: 1 }, null],
    ])
  })

  it('reads a history of messages in every customary form, and of markers', () => {
    const history = [
      'first',
      { text: 'second' },
      { role: 'assistant', content: 'third' },
      { marker_type: 'PHQ9_ITEM_2', confidence: 0.7, at: 5 },
      42,
    ]
    const [row] = readRows(line({ text: 'now', label: 0, history }))
    expect(row!.earlier).toEqual([
      { text: 'first', role: 'student' },
      { text: 'second', role: 'student' },
      { text: 'third', role: 'assistant' },
    ])
    expect(row!.history).toEqual([{ marker_type: 'PHQ9_ITEM_2', confidence: 0.7, at: 5 }])
  })

  it.each([
    ['not JSON', '{"text": "quiet words"', /^line 1 is not JSON$/],
    ['no text', line({ label: 1 }), /^line 1: text /],
    ['neither label nor tier', line({ text: 'quiet words' }), /has neither label nor tier nor markers/],
    ['an item nobody knows', line({ text: 'quiet words', markers: ['PHQ9_ITEM_10'] }), /^line 1: markers\.0 /],
    ['a tier nobody knows', line({ text: 'quiet words', tier: 'grave' }), /^line 1: tier /],
  ])('refuses %s, naming the line and quoting nothing', (_what, text, message) => {
    expect(() => readRows(text)).toThrow(RowError)
    expect(() => readRows(text)).toThrow(message)
    expect(() => readRows(text)).not.toThrow(/quiet words/)
  })
})
