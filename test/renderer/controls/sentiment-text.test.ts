import { expect, it } from 'vitest'
import { sentimentText } from '../../../renderer/controls/index.ts'

it('says the sentiment of a message, and none of one that raised an alert', () => {
  expect(sentimentText(-0.42, 'caution')).toBe('sentiment −0.42 negative')
  expect(sentimentText(0, 'ok')).toBe('sentiment 0.00 neutral')
  expect(sentimentText(null, 'ok')).toBeNull()
  for (const tier of ['high', 'crisis'] as const) expect(sentimentText(0, tier)).toBeNull()
})
