import { expect, it } from 'vitest'
import { crisesText } from '../../../renderer/alerts/quarantine-text.ts'
import { anotherSchool } from '../../../shared/school.ts'

const unreadable = { reason: 'is not JSON' }
const foreign = { reason: anotherSchool }

it.each([
  [[unreadable], 'A crisis event could not be read.'],
  [[foreign], 'A crisis event from another school was set aside.'],
  [
    [unreadable, foreign, unreadable, foreign],
    '2 crisis events could not be read. 2 crisis events from another school were set aside.',
  ],
])('says of crisis events what is true of each', (crises, sentence) => {
  expect(crisesText(crises)).toBe(sentence)
})
