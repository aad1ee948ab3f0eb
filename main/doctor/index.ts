/** Looks at everything a console needs and says what it found. Reads only: no data, message or setting is changed. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { isLoopback, type Configuration } from '../configuration/index.ts'
import { readSignInToken } from '../platform/sign-in-token.ts'
import type { Person } from '../../shared/people.ts'
import type { Clock, Randomness } from '../platform/ports.ts'
import { checkChannels } from './channels.ts'
import { checkDelivery } from './delivery.ts'
import { checkDirectory, failure, openData, type OpenedData } from './data.ts'
import { isDataDirLocked } from '../store/console/index.ts'
import { checkPage } from './page.ts'
import { checkQueues, type QueueFindings } from './queues.ts'
import { checkRecords, consoleIdOf } from './records.ts'
import { noCounts, ok, skipped, unknownCounts, warning, type Check, type Report } from './report.ts'
import { checkSchool, schoolServed } from './school.ts'
import { checkAssessment } from './services.ts'
import { checkSharing } from './sharing.ts'
import { checkVariables } from './variables.ts'

export { asTable, checksAsTable, failed, unknownCounts, type Report } from './report.ts'
export { recover } from './recover.ts'
export { exportKey, restoreKey } from './recovery-key.ts'
export { examineStation } from './station.ts'
export { checkVariables } from './variables.ts'

export interface DoctorPorts {
  clock: Clock
  randomness: Randomness
  /** Told before something that may take a while. */
  progress(what: string): void
}

/** Examines one installation. Never throws for what it finds. */
export async function examine(configuration: Configuration, ports: DoctorPorts): Promise<Report> {
  const { clock, progress } = ports
  const signIn = await checkSignIn(configuration, clock)
  const settings = [checkVariables(configuration.unread), checkConfiguration(configuration), signIn.check]
  const queues = await checkQueues(configuration, clock, progress)
  const data = await openData(configuration.dataDir, configuration.passphrase, ports.randomness, progress)
  try {
    const records = readRecords(data.opened, clock.now())
    const sharing = await checkQueueIsOurs(configuration, queues, data.opened, ports)
    // A district console decides about no messages.
    const assessment = configuration.mode === 'desk' ? await checkIntake(configuration, ports) : []
    const channels = configuration.mode === 'desk' ? await checkWays(configuration, ports) : []
    const school = schoolServed(configuration, signIn.person, data.opened)
    const checks = [
      ...settings,
      ...queues.checks,
      ...(await checkDelivery(configuration, queues.sqs, school)),
      sharing,
      ...checkDirectory(configuration.dataDir),
      await checkPage(configuration.dataDir, clock),
      ...data.checks,
      checkSchool(configuration, signIn.person, data.opened),
      ...records.checks,
      ...assessment,
      ...channels,
      checkEscalation(configuration),
    ]
    return { ...records, ok: checks.every(({ status }) => status !== 'failed'), checks }
  } finally {
    queues.sqs?.destroy()
    if (data.opened.kind === 'open') data.opened.db.close()
  }
}

/** What the station in a desk's own process reads messages with. */
function checkIntake(configuration: Configuration, { clock, progress }: DoctorPorts): Promise<Check[]> {
  progress('Trying the engine and its services')
  return checkAssessment(configuration, clock)
}

/** What the station in a desk's own process reaches people by. */
function checkWays({ channels }: Configuration, { clock, progress }: DoctorPorts): Promise<Check[]> {
  progress('Asking the ways to reach people')
  return checkChannels(channels, clock)
}

/** A desk runs the ladder itself; at a station elsewhere this program cannot look. Where none escalates, that is said. */
function checkEscalation({ ladder, mode, demo }: Configuration): Check {
  const name = 'Escalation'
  if (mode !== 'district' && !demo && ladder === 'station')
    return ok(name, 'This program runs the escalation ladder itself; Settings → On call says who is told.')
  return skipped(
    name,
    demo
      ? 'In the demonstration people are called at their console alone.'
      : ladder === null
        ? 'The school’s station says with its heartbeats whether it escalates; that cannot be checked from here.'
        : ladder === 'station'
          ? 'A station escalates; that cannot be checked from here.'
          : 'Nothing escalates: if no one acknowledges an alert, no one is called or messaged.',
  )
}

function checkConfiguration(configuration: Configuration): Check {
  const name = 'Configuration'
  const { fromEnvironment: variables, demo, mode, queue } = configuration
  const decided = variables.length === 0 ? '' : ` From the environment: ${variables.join(', ')}.`
  if (demo)
    return ok(
      name,
      `The demonstration school runs${queue.eventsQueueUrl === null ? ', because no events queue is configured' : ''}.${decided}`,
    )
  if (mode === 'desk') return ok(name, `A school’s own desk, on a queue in its own process.${decided}`)
  const address = new URL(queue.endpoint ?? queue.eventsQueueUrl ?? '')
  const secure = address.protocol === 'https:' || isLoopback(address.hostname)
  return secure
    ? ok(name, `A district console.${decided}`)
    : warning(
        name,
        `The queue is reached without encryption (http).${decided}`,
        'Use an https address for the queue and its endpoint.',
      )
}

async function checkSignIn(
  configuration: Configuration,
  clock: Clock,
): Promise<{ check: Check; person: Person | null }> {
  const name = 'Sign-in token'
  if (configuration.signInToken === null) return { check: skipped(name, 'None is configured.'), person: null }
  try {
    const person = await readSignInToken(configuration.signInToken, configuration, clock.now())
    return { check: ok(name, `It is valid and signs in a person with the role ${person.role}.`), person }
  } catch (error) {
    return { check: failure(name, error), person: null }
  }
}

function readRecords(opened: OpenedData, now: number): Pick<Report, 'checks' | 'counts' | 'audit_ok'> {
  const names = ['Audit', 'People', 'Outbox', 'Quarantine']
  if (opened.kind === 'open') {
    try {
      return checkRecords(opened.db, now)
    } catch (error) {
      return { checks: [failure('Records', error)], counts: unknownCounts, audit_ok: null }
    }
  }
  const why = opened.kind === 'empty' ? 'There are no data yet.' : opened.why
  const checks = names.map((name) => skipped(name, why))
  return opened.kind === 'empty'
    ? { checks, counts: noCounts, audit_ok: true }
    : { checks, counts: unknownCounts, audit_ok: null }
}

function checkQueueIsOurs(
  { queue, dataDir }: Configuration,
  { sqs }: QueueFindings,
  opened: OpenedData,
  { clock, progress }: DoctorPorts,
): Promise<Check> {
  const queueUrl = queue.eventsQueueUrl
  if (sqs === null || queueUrl === null) {
    const why = queueUrl === null ? 'No events queue is configured.' : 'The queue could not be asked.'
    return Promise.resolve(skipped('One console on the queue', why))
  }
  const db = opened.kind === 'open' ? opened.db : null
  return checkSharing({
    sqs,
    queueUrl,
    clock,
    progress,
    db,
    consoleId: db && consoleIdOf(db),
    running: isDataDirLocked(dataDir),
    async inFlight() {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ['ApproximateNumberOfMessagesNotVisible'],
        }),
      )
      return Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0)
    },
  })
}
