import { it } from 'vitest'
import { deskKills } from '../support/desk-kills.ts'

it('every message that a desk answered is an event exactly once, though it was killed ten times', () => deskKills(10))
