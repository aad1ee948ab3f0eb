/** What a start of the station would do, and whether it could: each part is tried, and nothing is changed. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { GetTopicAttributesCommand } from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { plural } from '../../shared/numbers.ts'
import { isTooShort, shortestPassphrase } from '../../shared/passphrase.ts'
import { isLoopback, type StationConfiguration, type UnreadVariable } from '../configuration/index.ts'
import { snsClient, sqsClient } from '../platform/aws.ts'
import { wrappingWith } from '../platform/envelope.ts'
import { findIntake } from '../platform/intake-address.ts'
import { passphraseProvider } from '../platform/key-providers.ts'
import type { Clock } from '../platform/ports.ts'
import { explainQueueError, isPermissionError } from '../platform/queue-errors.ts'
import { tagsOf } from '../platform/queue-tags.ts'
import type { IntakeSettings } from '../station/index.ts'
import {
  examineStationStore,
  isDataDirLocked,
  keystoreExists,
  openKeys,
  openKeysIn,
  type Keys,
} from '../store/station/index.ts'
import { checkChannels } from './channels.ts'
import { failure } from './data.ts'
import { checkActionsPutAside } from './actions-put-aside.ts'
import { askPermissions } from './permissions.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'
import { checkAssessment } from './services.ts'
import { checkVariables } from './variables.ts'
import type { DoctorPorts } from './index.ts'

/** What a start would be made of. */
export interface StationSetUp {
  configuration: StationConfiguration
  settings: IntakeSettings
  unread: readonly UnreadVariable[]
}

const timeout = { requestTimeout: 5000 }
/** Tries everything a station needs. Never throws for what it finds. */
export async function examineStation(
  { configuration, settings, unread }: StationSetUp,
  ports: DoctorPorts,
): Promise<{ ok: boolean; checks: Check[] }> {
  const { clock, progress } = ports
  const checks = [
    checkVariables(unread),
    checkDataDir(configuration.dataDir),
    ...(await checkStore(configuration, ports)),
  ]
  progress('Asking the topic and the queues')
  checks.push(await checkTopic(configuration, clock), await checkAcknowledgements(configuration))
  checks.push(await checkOtherProducers(configuration))
  checks.push(checkSchools(configuration, settings))
  progress('Trying the engine and its services')
  checks.push(...(await checkAssessment(configuration, clock)))
  progress('Asking the ways to reach people')
  checks.push(...(await checkChannels(configuration.channels, clock)))
  checks.push(await checkAddress(configuration))
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

function checkDataDir(dataDir: string): Check {
  const name = 'Data directory'
  if (!existsSync(dataDir)) return ok(name, `It does not exist yet: a start makes ${dataDir}.`)
  if (!isDataDirLocked(dataDir)) return ok(name, dataDir)
  return warning(
    name,
    `A program is running on ${dataDir}: a second one would not start.`,
    'Stop it first, or choose another --data-dir.',
  )
}

async function checkStore(configuration: StationConfiguration, ports: DoctorPorts): Promise<Check[]> {
  const { randomness } = ports
  const { dataDir, passphrase, databaseUrl } = configuration
  if (databaseUrl !== null) return [await checkPostgres(databaseUrl, configuration, ports)]
  const file = join(dataDir, 'station.db')
  const whatFor = 'sessions and messages in an encrypted file, station.db'
  if (!keystoreExists(dataDir)) {
    if (existsSync(file))
      return [failed('Key store', 'There are data but no key store.', 'Restore keystore.json from a backup.')]
    const keyStore = isTooShort(passphrase)
      ? failed(
          'Key store',
          `The passphrase has fewer than ${shortestPassphrase} characters.`,
          'Choose a longer one; several words are good.',
        )
      : ok('Key store', 'There is none yet: the first start makes it, under the passphrase that is set.')
    return [keyStore, ok('Store', `The first start makes it: ${whatFor}.`)]
  }
  try {
    const keys = await openKeys(dataDir, passphraseProvider(passphrase, randomness), randomness)
    const keyStore = ok('Key store', 'It opens with the passphrase that is set.')
    if (!existsSync(file)) return [keyStore, ok('Store', `The first start makes it: ${whatFor}.`)]
    return [keyStore, await checkFile(file, keys, configuration)]
  } catch (error) {
    return [failure('Key store', error), skipped('Store', 'The key store did not open.')]
  }
}

async function checkPostgres(url: string, configuration: StationConfiguration, ports: DoctorPorts): Promise<Check> {
  const name = 'Store'
  try {
    const { secrets, keystore } = await examineStationStore({ url }, configuration.schoolId)
    if (keystore === null)
      return ok(name, 'The PostgreSQL database answers; the first start makes its tables and its key store.')
    const place = {
      read: () => Promise.resolve(keystore),
      keep: () => Promise.reject(new Error('nothing is changed here')),
    }
    const provider = passphraseProvider(configuration.passphrase, ports.randomness)
    const keys = await openKeysIn(place, provider, ports.randomness)
    if (await isOtherSalt(secrets, keys, configuration.salt)) return otherSalt(name)
    return ok(
      name,
      'The PostgreSQL database answers, row-level security binds its role, and the passphrase opens its key store.',
    )
  } catch (error) {
    return failure(name, error)
  }
}

async function checkFile(file: string, keys: Keys, { schoolId, salt }: StationConfiguration): Promise<Check> {
  const name = 'Store'
  try {
    const { secrets } = await examineStationStore({ file, key: keys.stationDatabase }, schoolId)
    if (await isOtherSalt(secrets, keys, salt)) return otherSalt(name)
    return ok(name, 'The encrypted file station.db opens.')
  } catch (error) {
    return failure(name, error)
  }
}

async function isOtherSalt(kept: { salt: string } | null, keys: Keys, given: string | null): Promise<boolean> {
  if (kept === null || given === null) return false
  return (await wrappingWith(keys.stationSecrets).unwrap(kept.salt)).toString('utf8') !== given
}

function otherSalt(name: string): Check {
  return failed(
    name,
    'The salt of PSYFLO_STUDENT_SALT is not the one with which this school’s students are known here.',
    'Start without it: the salt that these data were made with is kept with them.',
  )
}

async function checkTopic({ topicArn, topic }: StationConfiguration, clock: Clock): Promise<Check> {
  const name = 'Topic'
  const sns = snsClient(topic)
  const began = clock.now()
  try {
    await sns.send(new GetTopicAttributesCommand({ TopicArn: topicArn }), timeout)
    return ok(name, `Events go to ${topicArn}; it answered in ${clock.now() - began} ms. Nothing was published.`)
  } catch (error) {
    if (isPermissionError(error))
      return warning(
        name,
        'It answers, but may not be asked; whether publishing is permitted shows only at the first event.',
        'Make sure of the permission sns:Publish on it; sns:GetTopicAttributes lets this check look.',
      )
    if (/NotFound/i.test((error as Error).name))
      return failed(name, 'The topic does not exist.', 'Check PSYFLO_EVENTS_TOPIC_ARN: region, account and name.')
    const { happened, todo } = explainQueueError(error, { what: 'topic', who: 'station' })
    return failed(name, happened, todo)
  } finally {
    sns.destroy()
  }
}

async function checkAcknowledgements({ acksQueueUrl, queues }: StationConfiguration): Promise<Check> {
  const name = 'Acknowledgement queue'
  const sqs = sqsClient(queues)
  try {
    const AttributeNames = ['ApproximateNumberOfMessages' as const]
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: acksQueueUrl, AttributeNames }),
      timeout,
    )
    const waiting = Attributes?.ApproximateNumberOfMessages ?? '0'
    const needed = (await askPermissions(sqs, acksQueueUrl, timeout)).missing.filter((each) =>
      /Receive|Delete/.test(each),
    )
    if (needed.length === 0)
      return (
        (await checkActionsPutAside(sqs, acksQueueUrl, timeout)) ??
        ok(name, `What consoles acknowledge is taken from it and published; ${waiting} waiting.`)
      )
    const permissions = new Intl.ListFormat('en-US').format(needed)
    return failed(
      name,
      `AWS does not permit ${permissions} on it.`,
      `Ask for ${permissions} on the acknowledgement queue.`,
    )
  } catch (error) {
    if (isPermissionError(error))
      return warning(
        name,
        'It answers, but may not be asked; whether receiving is permitted shows only once the station runs.',
        'Make sure of sqs:ReceiveMessage and sqs:DeleteMessage on it; sqs:GetQueueAttributes lets this check look.',
      )
    const { happened, todo } = explainQueueError(error, { what: 'acknowledgement queue', who: 'station' })
    return failed(name, happened, todo)
  } finally {
    sqs.destroy()
  }
}

/** The queue by which the crises of other producers come: that it is there, may be read, and is nobody else's. */
async function checkOtherProducers(configuration: StationConfiguration): Promise<Check> {
  const name = 'Queue of events'
  const { eventsQueueUrl: queueUrl, acksQueueUrl, queues, ladder } = configuration
  if (queueUrl === null)
    return skipped(
      name,
      'None is configured: the ladder runs for what is said at this station, and for no other producer.',
    )
  if (queueUrl === acksQueueUrl)
    return failed(
      name,
      'It is the acknowledgement queue: of two that receive from it each would get only some of the messages.',
      'Give PSYFLO_STATION_EVENTS_QUEUE_URL a queue of its own, subscribed to the topic.',
    )
  const sqs = sqsClient(queues)
  try {
    const { QueueArn } =
      (await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }), timeout))
        .Attributes ?? {}
    const needed = (await askPermissions(sqs, queueUrl, timeout)).missing.filter((each) => /Receive|Delete/.test(each))
    const permissions = new Intl.ListFormat('en-US').format(needed)
    if (needed.length > 0)
      return failed(name, `AWS does not permit ${permissions} on it.`, `Ask for ${permissions} on ${QueueArn ?? 'it'}.`)
    const consoles = await tagsOf(sqs, queueUrl)
      .read()
      .catch(() => null)
    if (consoles === null)
      return warning(
        name,
        'It answers, but its tags may not be read: whether it is a console’s queue cannot be seen.',
        'Make sure that no console receives from it; sqs:ListQueueTags lets this check, and every start, look.',
      )
    if (consoles.length > 0)
      return failed(
        name,
        'A console has claimed it: a station that received from it, too, would take some of its alerts away, and does not start.',
        'Give PSYFLO_STATION_EVENTS_QUEUE_URL a queue of its own, subscribed to the topic. If no console receives from this one any more, remove its tags that begin with “psyflo-console:”.',
      )
    if (!ladder)
      return warning(
        name,
        'It answers, but nothing is taken from it: PSYFLO_LADDER is off.',
        'Take PSYFLO_STATION_EVENTS_QUEUE_URL away, or let the station run the ladder.',
      )
    return ok(name, 'Crises that other producers publish are taken from it; no console has claimed it.')
  } catch (error) {
    if (isPermissionError(error))
      return warning(
        name,
        'It answers, but may not be asked; whether receiving is permitted shows only once the station runs.',
        'Make sure of sqs:ReceiveMessage and sqs:DeleteMessage on it; sqs:GetQueueAttributes and sqs:ListQueueTags let this check look.',
      )
    const { happened, todo } = explainQueueError(error, { what: 'events queue', who: 'station' })
    return failed(name, happened, todo.replace('PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_STATION_EVENTS_QUEUE_URL'))
  } finally {
    sqs.destroy()
  }
}

/** Whose messages are taken in. Keys are counted, never shown. */
function checkSchools({ schoolId, salt }: StationConfiguration, { keys }: IntakeSettings): Check {
  const name = 'Schools and keys'
  const schools = new Set([schoolId, ...keys.flatMap(({ school_id }) => (school_id === null ? [] : [school_id]))])
  if (salt !== null && schools.size > 1)
    return failed(
      name,
      'A salt was given, but the API keys name more than one school.',
      'Start without PSYFLO_STUDENT_SALT: each school keeps a salt of its own.',
    )
  const served = plural(schools.size, { one: '# school', other: '# schools' })
  const given = plural(keys.length, { one: '# API key', other: '# API keys' })
  return ok(name, `${served}; ${given} from CONSULTX_API_KEYS, and one of the station’s own in its data directory.`)
}

/** Listens for a moment at the address, as a start would. */
async function checkAddress({ address, trustedProxies, dataDir }: StationConfiguration): Promise<Check> {
  const name = 'Address'
  const reach =
    trustedProxies !== null
      ? 'for the proxies of PSYFLO_TRUST_PROXY, which must say that they were reached over https'
      : 'for programs of this machine'
  const where = `${isLoopback(address.host) ? 'this machine’s' : 'the'} address ${address.host}, ${address.port === 0 ? 'at any free port' : `port ${address.port}`}`
  const problem = await listenBriefly(address)
  if (problem === null) return ok(name, `Messages are taken in at ${where}, ${reach}.`)
  const running = findIntake(dataDir)
  if (problem === 'EADDRINUSE' && running !== null && Number(new URL(running.url).port) === address.port)
    return warning(
      name,
      `The station of this data directory listens there already, at port ${address.port}.`,
      'Stop it before you start another one.',
    )
  return failed(
    name,
    `Nothing can listen at ${address.host}, port ${address.port} (${problem}).`,
    'Choose another address with --host and --port (0: any free port), or stop what listens there.',
  )
}

function listenBriefly({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
