/** The call that brings in past actions: from another system, or from consoles that no longer exist. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { relayedId } from '../../../shared/action-message.ts'
import { alertActionSchema, type AlertActionEvent } from '../../../shared/events.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Clock } from '../../platform/ports.ts'
import { findSession, toldMessages, type StationStore } from '../../store/station/index.ts'
import { refusals, type ZodApp } from '../intake/index.ts'
import { relayAction, type RelayedAction } from './relay-action.ts'
import { keepAndQueue, type Followed } from './relay.ts'

export interface RecordRoutesOptions {
  store: StationStore
  clock: Clock
  /** Whether a message of a console that was approved is not signed by it. */
  isForged(message: Record<string, unknown>): Promise<boolean>
  /** Follows what is relayed. */
  followed: Followed
  onQueued(): void
  /** Told of each record that was taken, and of each that was refused. */
  onRelayed(): void
  onRefused(): void
}

/** Records of one call: far more than one alert ever has. */
const mostRecords = 500

const recordsSchema = z.object({
  records: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(mostRecords)
    .describe('Messages about actions, in the form of the acknowledgement queue'),
})
const takenSchema = z.object({
  kept: z.int().describe('Records that were new'),
  known: z.int().describe('Records of an ack_id that was relayed before, or twice here: they change nothing'),
})

/** Why a record is not taken: which of its fields, where it is one, and what about it. */
interface Problem {
  field?: string
  problem: string
}

/** Adds the call to a server of this station. */
export function recordRoutes(app: ZodApp, options: RecordRoutesOptions): void {
  app.post(
    '/records',
    {
      config: { scope: 'backfill' },
      schema: {
        operationId: 'tellRecords',
        summary:
          'Tell what people did in the past, as their console would have sent it, about messages that were told themselves. All of the records are taken, or with 400 none.',
        body: recordsSchema,
        response: { 200: takenSchema.describe('Taken'), ...refusals(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const school = schoolOf(request)
      const { records } = request.body
      const read = await Promise.all(records.map((record) => readRecord(record, school, options)))
      const toldOf = rememberingTold(options.store, school)
      const problems = await Promise.all(
        read.map(async (each) => ('problem' in each ? each : problemOf(each.said, await toldOf(each.said.session_id)))),
      )
      const details = problems.flatMap((problem, index) =>
        problem ? [{ path: ['records', index, problem.field].filter(isSaid).join('.'), problem: problem.problem }] : [],
      )
      if (details.length > 0) {
        details.forEach(options.onRefused)
        return reply.code(400).send({ error: 'Nothing was taken: not every record can be.', details })
      }
      const actions = read.flatMap((each) => ('problem' in each ? [] : [each.action]))
      const kept = await keepAndQueue(options.store, actions, options.clock.now(), options.followed)
      actions.forEach(options.onRelayed)
      options.onQueued()
      return reply.send({ kept, known: actions.length - kept })
    },
  )
}

/** A record as it is relayed: of the school of the key, and marked as told later; or why it is not. */
async function readRecord(
  record: Record<string, unknown>,
  school_id: string,
  { clock, isForged }: RecordRoutesOptions,
): Promise<{ action: RelayedAction; said: AlertActionEvent } | Problem> {
  const action = relayAction(JSON.stringify(record))
  if (action === null) return { problem: 'is no message about an action' }
  if (action.school_id !== '' && action.school_id !== school_id)
    return { field: 'school_id', problem: 'is not the school of this key' }
  const event = { ...action.event, school_id, backfill: true as const }
  const fits = alertActionSchema.safeParse(event)
  // Where a record does not fit and how, never what it held.
  if (!fits.success) {
    const [issue] = fits.error.issues
    return { field: issue?.path.join('.') ?? '', problem: issue?.code ?? 'is not valid' }
  }
  if (Math.max(fits.data.at, fits.data.timestamp) > clock.now() + clockSkew)
    return { field: 'at', problem: 'is still to happen' }
  if (await isForged(record)) return { field: 'signature', problem: 'is not that of the console it names' }
  const id = relayedId({ school_id, ack_id: action.ack_id })
  return { action: { ...action, event, school_id, id }, said: fits.data }
}

/** What was told of a session: whose it is, and when each of its told messages was said (UTC ms). */
interface ToldSession {
  student_hash: string
  messages: ReadonlyMap<string, number>
}

/** Reads what was told of a school's sessions, each once; null = there is no such session. */
function rememberingTold(store: StationStore, school_id: string): (sessionId: string) => Promise<ToldSession | null> {
  const read = (session_id: string) =>
    store.asSchool(school_id, async (unit): Promise<ToldSession | null> => {
      const session = await findSession(unit, { school_id, session_id })
      return session && { ...session, messages: await toldMessages(unit, session) }
    })
  const known = new Map<string, Promise<ToldSession | null>>()
  return (sessionId) => {
    const found = known.get(sessionId) ?? read(sessionId)
    known.set(sessionId, found)
    return found
  }
}

/**
 * Why a record of a told past cannot stand; null where it can. Nobody need have signed it: so it concerns nothing
 * but what was told, too, and nothing that was said after it.
 */
function problemOf(said: AlertActionEvent, session: ToldSession | null): Problem | null {
  if (session === null) return { field: 'session_id', problem: 'is no session of this school' }
  if (said.student_hash !== session.student_hash)
    return { field: 'student_hash', problem: 'is not the student of this session' }
  const times = said.covers.map((key) => session.messages.get(messageOf(key)))
  if (times.includes(undefined))
    return { field: 'covers', problem: 'names what was not told as the past of this session' }
  if (times.some((time) => time !== undefined && time > said.at))
    return { field: 'at', problem: 'is before what it covers was said' }
  return null
}

/** The message of which an event of this station's speaks, by the event's idempotency key; '' = of none. */
function messageOf(key: string): string {
  return /^(.+):(?:CRISIS_DETECTED|MESSAGE_ANALYZED)$/.exec(key)?.[1] ?? ''
}

function schoolOf({ caller }: FastifyRequest): string {
  if (!caller) throw new Error('a call without a caller')
  return normalSchoolId(caller.school_id)
}

const isSaid = (part: string | number | undefined): part is string | number => part !== undefined && part !== ''
