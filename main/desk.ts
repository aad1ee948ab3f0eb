/** Both halves in one process, over the desk's own queue. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from './configuration/index.ts'
import { openConsole, runStartup, startConsole, type OpenedConsole, type RunningConsole } from './console/index.ts'
import { loadSchool, startDemonstration } from './demo/index.ts'
import { toTopic } from './outbox/index.ts'
import { startDeskQueue, type DeskQueue } from './platform/desk-queue.ts'
import { projectRoot } from './platform/project-root.ts'
import type { Ports } from './platform/ports.ts'
import { readIntakeSettings, startStation, type Station } from './station/index.ts'

/** The program as it is configured: a console of a district, or a desk with the demonstration school. */
export function startProgram(configuration: Configuration, ports: Ports): RunningConsole {
  return configuration.demo ? startDesk(configuration, ports) : startConsole(configuration, ports)
}

/** A console and a station on the desk's own queue. Invented alarms never meet real ones: a configured queue is left alone. */
function startDesk(configuration: Configuration, ports: Ports): RunningConsole {
  const school = loadSchool(join(projectRoot(), 'resources', 'demo'))
  return runStartup(configuration, ports, async (unlocking, stops, onTold) => {
    const queue = await startDeskQueue(ports.randomness, school.school.id)
    stops.push(() => queue.stop())
    const opened = await openConsole({
      configuration,
      ports,
      unlocking,
      stops,
      queues: () => Promise.resolve({ ...queue, desk: true }),
      invented: school,
    })
    const station = await openStation(configuration, ports, opened, queue, school.school.id)
    stops.push(() => station.stop())
    // Standard output is the console's own address alone.
    if (configuration.chatPage)
      process.stderr.write(`Chat page: ${station.url}/chat (API key: ${join(configuration.dataDir, 'intake.key')})\n`)
    onTold(0)
    const demonstration = startDemonstration({
      school,
      ports,
      db: opened.db,
      station,
      lifecycle: opened.lifecycle,
      people: opened.people,
      onProgress: onTold,
    })
    stops.push(() => demonstration.stop())
    // The past of a demonstration is no news, and its plans were met or missed in the past.
    void demonstration.live.then(() => opened.goLive())
    return { parts: opened.parts, presentable: demonstration.live }
  })
}

/** The station beside this console: its own database in the same folder, the same keys, the same queue. */
function openStation(
  configuration: Configuration,
  ports: Ports,
  opened: OpenedConsole,
  queue: DeskQueue,
  schoolId: string,
): Promise<Station> {
  return startStation({
    databaseFile: join(opened.dir, 'station.db'),
    databaseKey: opened.keys.stationDatabase,
    dataDir: configuration.dataDir,
    evidenceKey: opened.evidenceKey,
    schoolId,
    salt: null,
    storeContent: true,
    assessment: opened.assessment,
    settings: readIntakeSettings(process.env, (file) => readFileSync(file, 'utf8')),
    address: { host: '127.0.0.1', port: 0 },
    chatPage: configuration.chatPage,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toTopic(queue.sns, queue.topicArn),
    confirmations: (confirm) => opened.changes.listen(({ confirmed }) => confirm(confirmed)),
    ports,
  })
}
