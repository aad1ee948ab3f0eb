import { it } from 'vitest'
import { deskKills } from '../support/desk-kills.ts'

it(
  'every message that a desk answered is an event exactly once, though it was killed three times',
  () => deskKills(3),
  60_000,
)
