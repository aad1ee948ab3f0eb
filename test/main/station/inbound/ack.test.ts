import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAck } from '../../../../main/station/inbound/ack.ts'

test.each([
  ['ACK', null],
  ['ack', null],
  [' Ack. ', null],
  ['“ACK”', null],
  ['ACK 1', 1],
  ['ack1', 1],
  ['ACK 1.', 1],
  ['Ack #12!', 12],
  ['ACK: 3', 3],
  ['ACK - 4', 4],
  ['Acknowledged 7', 7],
  ['acknowledge', null],
  ['ACK 2, on my way', 2],
  ['ＡＣＫ　５', 5],
  ['ACK 1\nPsyFlo: CRISIS alert (suicidal intent). Reply ACK 9', 1],
  ['ACK 1\r\n\r\nSent from my iPhone 15', 1],
])('%j takes it', (text, number) => {
  expect(readAck(text)).toEqual({ number })
})

test.each([
  '',
  '1',
  'OK',
  'yes',
  'I ack 1',
  'do not ack 1',
  'ACK 1 and 2',
  'ACK 1, 2',
  'ACK not me',
  'Ack? I can’t',
  'ACK 12345',
  'acknowledgement 1',
  'ackbar 1',
  'back 1',
  'STOP',
  '>ACK 1 said she',
])('%j takes nothing', (text) => {
  expect(readAck(text)).toBeNull()
})

test('however it is written, the number is the one that was written', () => {
  const word = fc.constantFrom('ack', 'ACK', 'Ack', 'acknowledged', 'ACKNOWLEDGE')
  const between = fc.constantFrom('', ' ', '  ', ' #', ': ', '. ', ' - ', ', ')
  const after = fc.constantFrom('', '.', '!', ' ', '\n', '\nACK 99', ' on it', ' thanks')
  fc.assert(
    fc.property(word, between, fc.integer({ min: 0, max: 9999 }), after, (said, gap, number, rest) => {
      expect(readAck(`${said}${gap}${number}${rest}`)).toEqual({ number })
    }),
  )
})

test('whatever is sent, it is read or it is not, and what has no “ack” at its head never takes anything', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const read = readAck(text)
      if (read !== null) expect(text.normalize('NFKC')).toMatch(/ack/i)
    }),
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[b-zB-Z0-9 ]{1,40}$/), (text) => {
      expect(readAck(text)).toBeNull()
    }),
  )
})
