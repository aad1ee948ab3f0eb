/** The demonstration school: a desk that is set up anew at each start, and what is told to it. */
import { join } from 'node:path'
import { relayedId } from '../shared/action-message.ts'
import { seconds } from '../shared/time.ts'
import type { Configuration } from './configuration/index.ts'
import {
  importRoster,
  importTimetable,
  runStartup,
  stationHere,
  unlock,
  waitForDisk,
  type OpenedConsole,
  type RunningConsole,
  type SetUp,
} from './console/index.ts'
import { intakeSettings, openDeskConsole, openStation } from './desk.ts'
import type { Clock, Ports } from './platform/ports.ts'
import { projectRoot } from './platform/project-root.ts'

// Loaded where it is wanted: a district's console starts without it.
const demonstrationModule = () => import('./demo/index.ts')

/**
 * The demonstration school: a desk of its own, set up with an invented school, its people and its roster. What happens
 * there comes from outside as at any desk, from a chat and from a second console. Invented alarms never meet real ones:
 * a configured queue is left alone, and all data, keys and the address stand in a folder of this run.
 */
export function startDemonstrationSchool(
  configuration: Configuration,
  ports: Ports,
  setUp: SetUp | null,
): RunningConsole {
  const options = { ports, unlock: unlock(configuration, ports), setUp, takesMessages: true, madeAnew: true }
  return runStartup(options, async (unlocking, stops, onTold) => {
    const { eventsOfInterest, loadSchool, makeConsoleKeys, startDemonstration } = await demonstrationModule()
    const school = loadSchool(join(projectRoot(), 'resources', 'demo'))
    const { opened, queue } = await openDeskConsole(configuration, ports, unlocking, stops, school)
    const schoolId = opened.schoolId()
    const keys = makeConsoleKeys(ports.randomness)
    const station = await openStation(configuration, ports, opened, queue, {
      schoolId,
      port: 0,
      assessment: await opened.assessment(),
      settings: await intakeSettings(configuration),
      dataDir: opened.dir,
      otherConsoles: [keys],
    })
    stops.push(() => station.stop())
    // The numbers of an invented school are American ones.
    importRoster(opened.db, { csv: school.rosterCsv, salt: station.salt, country: 'US' }, schoolId, ports.clock.now())
    importTimetable(opened.db, school.timetableCsv, schoolId, { periods: [] }, ports.clock.now())
    // From here on the roster is there: the station is told of it at once.
    opened.directory.serve(stationHere(station.policy, station.testAlerts))
    const { key } = await station.keys.issueApiKey({
      school_id: schoolId,
      label: 'demonstration',
      scopes: ['write', 'backfill'],
    })

    // The past is invented anew at each start: a power cut may take it, so the disk is not waited for.
    const waitForDisks = (wait: boolean): void => {
      waitForDisk(opened.db, wait)
      station.waitForDisk(wait)
    }
    waitForDisks(false)
    onTold(0)
    const { queueUrl: eventsQueueUrl, end } = await queue.subscribe('other-console', eventsOfInterest(schoolId))
    const committed = watchCommitted(opened, ports.clock)
    let isLive = false
    const goLive = (): void => {
      if (isLive) return
      isLive = true
      waitForDisks(true)
      // The past of a demonstration is no news, and its plans were met or missed in the past.
      opened.goLive()
    }
    const demonstration = await startDemonstration({
      school,
      ports,
      station: { url: station.url, key },
      console: { keys, sqs: queue.sqs, eventsQueueUrl, acksQueueUrl: queue.acksQueueUrl },
      onProgress: onTold,
      async onTold(records) {
        await end()
        // What people did stands in the inbox before anybody sees it, and before overdue plans are looked for.
        await committed(records.map((ack_id) => relayedId({ school_id: schoolId, ack_id })))
        goLive()
      },
    })
    stops.push(() => demonstration.stop())
    // Also where the past could not be told to its end.
    void demonstration.live.then(goLive)
    return { parts: opened.parts, presentable: demonstration.live }
  })
}

/** How long a demonstration waits for its past at the desk's own console while nothing at all comes (milliseconds). */
const patience = seconds(20)

/** Answers how to wait until this console has committed what was published under these ids, from now on. */
function watchCommitted({ changes }: OpenedConsole, clock: Clock): (ids: readonly string[]) => Promise<void> {
  const committed = new Set<string>()
  let look: () => void = () => undefined
  const unlisten = changes.listen(({ confirmed }) => {
    confirmed.forEach((id) => committed.add(id))
    look()
  })
  return async (ids) => {
    await new Promise<void>((resolve) => {
      let cancel = clock.after(patience, resolve)
      look = () => {
        cancel()
        if (ids.every((id) => committed.has(id))) resolve()
        else cancel = clock.after(patience, resolve)
      }
      look()
    })
    unlisten()
  }
}
