/** The call that brings in past actions: from another system, or from consoles that no longer exist. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { relayedId } from '../../../shared/action-message.ts'
import { alertActionSchema } from '../../../shared/events.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Clock } from '../../platform/ports.ts'
import type { StationStore } from '../../store/station/index.ts'
import { refusals, type ZodApp } from '../intake/index.ts'
import { relayAction, type RelayedAction } from './relay-action.ts'
import { keepAndQueue } from './relay.ts'

export interface RecordRoutesOptions {
  store: StationStore
  clock: Clock
  /** Whether a message of a console that was approved is not signed by it. */
  isForged(message: Record<string, unknown>): Promise<boolean>
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
          'Tell what people did in the past, as their console would have sent it. All of the records are taken, or with 400 none.',
        body: recordsSchema,
        response: { 200: takenSchema.describe('Taken'), ...refusals(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const school = schoolOf(request)
      const { records } = request.body
      const read = await Promise.all(records.map((record) => readRecord(record, school, options)))
      const details = read.flatMap((each, index) =>
        'problem' in each ? [{ path: ['records', index, each.field].filter(isSaid).join('.'), problem: each.problem }] : [],
      ) // prettier-ignore
      if (details.length > 0) {
        details.forEach(options.onRefused)
        return reply.code(400).send({ error: 'Nothing was taken: not every record can be.', details })
      }
      const actions = read.flatMap((each) => ('problem' in each ? [] : [each]))
      const kept = await keepAndQueue(options.store, actions, options.clock.now())
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
): Promise<RelayedAction | Problem> {
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
  return { ...action, event, school_id, id: relayedId({ school_id, ack_id: action.ack_id }) }
}

function schoolOf({ caller }: FastifyRequest): string {
  if (!caller) throw new Error('a call without a caller')
  return normalSchoolId(caller.school_id)
}

const isSaid = (part: string | number | undefined): part is string | number => part !== undefined && part !== ''
