import { it } from 'vitest'
import { killRounds } from '../support/kill-rounds.ts'

it('a console killed in the middle of its work loses nothing and doubles nothing', { timeout: 120_000 }, () =>
  killRounds({ rounds: 3, seed: 20_260_120 }),
)
