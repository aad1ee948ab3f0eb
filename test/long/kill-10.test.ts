import { it } from 'vitest'
import { killRounds } from '../support/kill-rounds.ts'

it('a console killed ten times in the middle of its work loses nothing and doubles nothing', { timeout: 300_000 }, () =>
  killRounds({ rounds: 10, seed: 20_260_123 }),
)
