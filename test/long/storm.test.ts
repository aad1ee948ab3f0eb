import { it } from 'vitest'
import { storm } from '../support/storm.ts'

it(
  'ten thousand events through a storm of 20 kills, outages and damage: nothing is lost, nothing doubled, every crisis visible',
  { timeout: 600_000 },
  () => storm({ events: 10_000, kills: 20, seed: 20_261_122 }),
)
