/** `npm run station`: the headless station, from a fresh build; and, with `keys`, its API keys. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readStationOptions, stationHelp, stationKeysUsage, stationUsage, UsageError } from '../configuration/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createLogger } from '../platform/logger.ts'
import { asPersonalError, inLines } from '../platform/personal-error.ts'
import { systemRandomness } from '../platform/randomness.ts'
import { ensureBuild } from './build.ts'

const entry = resolve(import.meta.dirname, '..', '..', 'out', 'main', 'station.js')

// The launcher was ended by force: a station that nobody can stop must not stay behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Listening alone would keep a process alive that has nothing left to do.
process.channel?.unref()
const [first, ...rest] = process.argv.slice(2)
try {
  if (first === 'keys') await runKeys(rest)
  else if (readStationOptions(process.argv.slice(2)).help) console.log(stationHelp)
  else {
    ensureBuild('station')
    await import(pathToFileURL(entry).href)
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n${first === 'keys' ? stationKeysUsage : stationUsage}`)
  process.exit(2)
}

async function runKeys(argv: readonly string[]): Promise<void> {
  const { stationKeys } = await import('../station-keys.ts')
  try {
    const { out, beside } = await stationKeys(argv, process.env, { clock: systemClock, randomness: systemRandomness })
    if (beside !== '') process.stderr.write(`${beside}\n`)
    process.stdout.write(`${out}\n`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    process.stderr.write(inLines(asPersonalError(error, createLogger())))
    process.exitCode = 1
  }
}
