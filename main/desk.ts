/** Both halves in one process, over the desk's own queue. */
import { join } from 'node:path'
import type { Configuration } from './configuration/index.ts'
import { openConsole, runStartup, startConsole, type OpenedConsole, type RunningConsole } from './console/index.ts'
import { loadSchool, startDemonstration } from './demo/index.ts'
import { startSender, toTopic } from './outbox/index.ts'
import { startDeskQueue, type DeskQueue } from './platform/desk-queue.ts'
import { projectRoot } from './platform/project-root.ts'
import type { Ports } from './platform/ports.ts'
import { startStation } from './station/relay/index.ts'
import { sendAgain } from './store/index.ts'

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
    const station = openStation(opened, queue, school.school.id, ports)
    stops.push(() => station.stop())
    onTold(0)
    const demonstration = await startDemonstration({
      school,
      ports,
      db: opened.db,
      engine: opened.assessment.engine,
      services: opened.assessment.services,
      evidenceKey: opened.evidenceKey,
      dataDir: configuration.dataDir,
      lifecycle: opened.lifecycle,
      people: opened.people,
      onQueued: () => station.wake(),
      onProgress: onTold,
    })
    stops.push(() => demonstration.stop())
    // The past of a demonstration is no news, and its plans were met or missed in the past.
    void demonstration.live.then(() => opened.goLive())
    return { parts: opened.parts, presentable: demonstration.live }
  })
}

/** The station's side of the desk's queue: events out, and acknowledgements back to every console. */
function openStation({ db }: OpenedConsole, queue: DeskQueue, schoolId: string, ports: Ports) {
  const { clock, randomness, logger } = ports
  // The desk's queue forgets when the process ends: what the log has not confirmed is sent again.
  sendAgain(db, 'events')
  const sender = startSender({
    db,
    target: 'events',
    send: toTopic(queue.sns, queue.topicArn),
    clock,
    randomness,
    logger,
    onSent: () => undefined,
  })
  const relay = startStation({
    db,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    schoolId,
    clock,
    randomness,
    logger,
    onQueued: () => sender.wake(),
  })
  return {
    wake: () => sender.wake(),
    async stop() {
      await relay.stop()
      await sender.stop()
    },
  }
}
