import { it } from 'vitest'
import { steadyLoad } from '../support/steady-load.ts'

it.runIf(process.platform === 'linux')(
  'console and station hold no more after two minutes at 20 events a second than before',
  { timeout: 300_000 },
  () => steadyLoad({ warmUp: 60, measured: 60 }),
)
