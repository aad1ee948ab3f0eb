import { it } from 'vitest'
import { killRounds } from '../support/kill-rounds.ts'

it(
  'a console killed 50 times in the middle of its work loses nothing and doubles nothing',
  { timeout: 3_600_000 },
  () => killRounds({ rounds: 50, seed: 20_260_121 }),
)
