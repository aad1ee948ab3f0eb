import { it } from 'vitest'
import { postgresMissing } from '../support/postgres.ts'
import { stationKills } from '../support/station-kills.ts'

it.skipIf(postgresMissing !== null)(
  `two stations of which one is killed, ten times, answer every message once and lose no event${postgresMissing ? ` (${postgresMissing})` : ''}`,
  () => stationKills({ rounds: 10, seed: 20_260_124 }),
)
