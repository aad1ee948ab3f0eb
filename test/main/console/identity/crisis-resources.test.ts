import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  crisisResources,
  crisisResourcesSetting,
  isReviewed,
  ownCrisisNumbers,
  replyInCrisis,
} from '../../../../main/console/identity/index.ts'
import { writeSetting } from '../../../../main/store/console/index.ts'
import { crisisReply, crisisResourcesSchema } from '../../../../shared/set-up.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { silentLogger } from '../../../support/logger.ts'
import { openRecord } from '../../../support/record.ts'

const text = 'Please talk to somebody now: call or text 988, day and night.'
const numbers = [{ name: 'School counseling office', contact: '555-0142' }]

it('is the text of the detection files until the school has said its own', () => {
  const at = openRecord()
  expect(crisisResources(at.db, 'standard 988')).toEqual({ text: 'standard 988', numbers: [] })
  expect([isReviewed(at.db), replyInCrisis(at.db, 'standard 988', silentLogger)]).toEqual([false, 'standard 988'])
  expect(ownCrisisNumbers(at.db)).toBeNull()
  writeSetting(at.db, crisisResourcesSetting, JSON.stringify({ text, numbers }))
  expect(ownCrisisNumbers(at.db)).toEqual(numbers)
  expect([isReviewed(at.db), replyInCrisis(at.db, 'standard 988', silentLogger)]).toEqual([
    true,
    `${text}\nSchool counseling office: 555-0142`,
  ])
  // What a newer program wrote in another form must not leave a student without any number.
  writeSetting(at.db, crisisResourcesSetting, '{"version":2}')
  expect(replyInCrisis(at.db, 'standard 988', silentLogger)).toBe('standard 988')
  at.close()
})

it('is the text of the detection files where what the school has said is damaged or cannot be read', () => {
  const at = openRecord()
  writeSetting(at.db, crisisResourcesSetting, '{"text":')
  expect(crisisResources(at.db, 'standard 988')).toEqual({ text: 'standard 988', numbers: [] })
  expect([isReviewed(at.db), replyInCrisis(at.db, 'standard 988', silentLogger)]).toEqual([false, 'standard 988'])
  at.close()
  const { logger, entries } = recordingLogger()
  expect(replyInCrisis(at.db, 'standard 988', logger)).toBe('standard 988')
  expect(entries.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'the school’s own crisis reply cannot be read'],
  ])
})

it('always names a number that can be called, whatever was accepted', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.record({ name: fc.string(), contact: fc.string() })), (given, lines) => {
      const read = crisisResourcesSchema.safeParse({ text: given, numbers: lines })
      if (read.success) expect(crisisReply(read.data)).toMatch(/\d{3}/)
    }),
  )
  expect(crisisResourcesSchema.safeParse({ text, numbers }).success).toBe(true)
  expect(
    crisisResourcesSchema.safeParse({ text: 'Please talk to somebody, you are not alone in this.', numbers }).success,
  ).toBe(false)
})

it('in Spanish is the text of the detection files with the numbers of the school', () => {
  const at = openRecord()
  expect(replyInCrisis(at.db, 'llama al 988', silentLogger, 'spanish')).toBe('llama al 988')
  writeSetting(at.db, crisisResourcesSetting, JSON.stringify({ text, numbers }))
  expect(replyInCrisis(at.db, 'llama al 988', silentLogger, 'spanish')).toBe(
    'llama al 988\nSchool counseling office: 555-0142',
  )
  at.close()
})
