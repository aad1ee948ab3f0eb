/** `npm run station`: the headless station, from a fresh build. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readStationOptions, stationHelp, stationUsage, UsageError } from '../configuration/index.ts'
import { ensureBuild } from './build.ts'

const entry = resolve(import.meta.dirname, '..', '..', 'out', 'main', 'station.js')

// The launcher was ended by force: a station that nobody can stop must not stay behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Listening alone would keep a process alive that has nothing left to do.
process.channel?.unref()
try {
  if (readStationOptions(process.argv.slice(2)).help) console.log(stationHelp)
  else {
    ensureBuild('station')
    await import(pathToFileURL(entry).href)
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n${stationUsage}`)
  process.exit(2)
}
