import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMessage } from '../../../../main/station/relay/read-message.ts'

const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`

it('is read at a depth that something of ours may have, and is none at any deeper one', () => {
  expect(readMessage(nested(50))).not.toBeNull()
  for (const depth of [1_000, 20_000, 120_000]) expect(readMessage(nested(depth))).toBeNull()
  expect(readMessage(`${'{"x":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toBeNull()
})

it('holds no NUL anywhere, in a name or in a value', () => {
  expect(readMessage('{"a":[{"b":"c\\u0000"}]}')).toBeNull()
  expect(readMessage('{"a":[{"b\\u0000":1}]}')).toBeNull()
})

it('is what JSON says, or none: whatever comes, nothing is thrown', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (said) => {
      const body = JSON.stringify(said)
      const read = readMessage(body)
      expect(read).toEqual(body.includes('\\u0000') ? null : JSON.parse(body))
    }),
  )
  fc.assert(fc.property(fc.string(), (body) => void readMessage(body)))
})
