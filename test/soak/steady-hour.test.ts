import { it } from 'vitest'
import { steadyLoad } from '../support/steady-load.ts'

it.runIf(process.platform === 'linux')(
  'console and station hold no more after an hour at 20 events a second than before',
  { timeout: 4_500_000 },
  () => steadyLoad({ warmUp: 600, measured: 3600 }),
)
