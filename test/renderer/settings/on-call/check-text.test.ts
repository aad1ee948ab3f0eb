import { expect, it } from 'vitest'
import { wayText } from '../../../../renderer/settings/on-call/check-text.ts'

const missing = { where: null, outcome: 'no address' as const, code: null, took_ms: null }

it('says of a way that is not set up so, and else that the directory has nothing to reach them by', () => {
  expect(wayText({ ...missing, channel: 'sms' }, 0, ['email'])).toBe('Text: not set up here')
  expect(wayText({ ...missing, channel: 'sms', outcome: 'not set up' }, 0, null)).toBe('Text: not set up here')
  expect(wayText({ ...missing, channel: 'voice' }, 0, ['voice'])).toBe('Phone call: no number for you in the directory')
  expect(wayText({ ...missing, channel: 'email' }, 0, null)).toBe('E-mail: no e-mail address for you in the directory')
})
