import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventSchema } from '../../shared/events.ts'
import { normalSchoolId } from '../../shared/school.ts'
import { heartbeat } from '../support/wire.ts'

const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'

it.each([
  school,
  school.toUpperCase(),
  `{${school}}`,
  `{ ${school} }`,
  ` {{${school.toUpperCase()}}} `,
  school.replaceAll('-', ''),
  `{${school.replaceAll('-', '').toUpperCase()}}`,
])('“%s” is the same school', (text) => expect(normalSchoolId(text)).toBe(school))

it('what is in its one form stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '{', '}', '-', 'a', 'F', '7', '\t') }), (text) => {
      const once = normalSchoolId(text)
      expect(normalSchoolId(once)).toBe(once)
    }),
  )
})

it.each(['', ' ', '{}', '{ }'])(
  'an event whose school is “%s” names none that could be: it is no event',
  (school_id) => {
    expect(eventSchema.safeParse({ ...heartbeat(), school_id }).success).toBe(false)
  },
)
