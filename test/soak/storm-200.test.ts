import { it } from 'vitest'
import { storm } from '../support/storm.ts'

it(
  'ten thousand events through a storm of 200 kills, outages and damage: nothing is lost, nothing doubled, every crisis visible',
  { timeout: 3_600_000 },
  () => storm({ events: 10_000, kills: 200, seed: 20_261_123 }),
)
