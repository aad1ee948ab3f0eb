import { expect, it } from 'vitest'
import { saidLines, saidOf, wordless } from '../../../renderer/alerts/said-timeline.ts'
import type { RevealedEvidence, SaidMessage } from '../../../shared/views.ts'

const piece = (message_id: string | null, at: number, changes: Partial<RevealedEvidence> = {}): RevealedEvidence => ({
  ...{ trigger_id: `t-${at}`, message_id, at, text: 'i want to die', spans: [], reasoning: null, patterns: [] },
  ...{ unopened: null, whereabouts: [] },
  ...changes,
})
const message = (message_id: string, at: number, changes: Partial<SaidMessage> = {}): SaidMessage => ({
  ...{ message_id, at, text: `said ${at}`, unopened: null, raised: false, whereabouts: [] },
  ...changes,
})
const textOf = (line: ReturnType<typeof saidLines>[number]) => ('piece' in line ? line.piece : line.message).text

it('what was said stands in order, and what a piece of evidence shows stands once', () => {
  const around = {
    before: message('m1', 1),
    since: [message('m2', 2, { raised: true }), message('m3', 3), message('m4', 4, { raised: true }), message('m5', 5)],
    more: false,
  }
  const lines = saidLines([piece('m2', 2)], around)
  expect(lines.map((line) => [line.when, textOf(line)])).toEqual([
    ['before', 'said 1'],
    ['raised', 'i want to die'],
    ['since', 'said 3'],
    ['raised', 'said 4'],
    ['since', 'said 5'],
  ])
  expect(saidLines([piece(null, 2)], null)).toHaveLength(1)
})

it('messages without words are counted; those that do not open say why', () => {
  const around = {
    before: message('m1', 1, { text: null }),
    since: [
      message('m2', 2, { raised: true, text: null }),
      message('m3', 3, { text: null }),
      message('m4', 4, { text: null, unopened: 'other key' }),
    ],
    more: false,
  }
  expect(saidLines([piece('m2', 2, { text: null })], around).map(({ at }) => at)).toEqual([2, 4])
  expect(wordless(around)).toEqual([3])
})

it('what was said of place and company is quoted as it was said, the newest first', () => {
  const at = (start: number, end: number, kind: 'place' | 'company' = 'place') => ({ kind, start, end })
  const around = {
    before: null,
    since: [
      message('m3', 3, { text: 'im at home, mum is out', whereabouts: [at(0, 10), at(12, 22, 'company')] }),
      message('m4', 4, { text: 'no, im outside', whereabouts: [at(4, 14)] }),
    ],
    more: false,
  }
  const lines = saidLines([piece('m2', 2, { text: null, whereabouts: [at(0, 3)] })], around)
  expect(saidOf(lines, 'place')).toEqual([
    { at: 4, quote: 'im outside' },
    { at: 3, quote: 'im at home' },
  ])
  expect(saidOf(lines, 'company')).toEqual([{ at: 3, quote: 'mum is out' }])
})
