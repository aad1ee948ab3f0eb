/** A station somewhere else, asked over REST with the sign-in token of whoever asks. */
import { z } from 'zod'
import { ConsoleError, type PersonalError } from '../../../shared/errors.ts'
import { wireTime } from '../../../shared/events.ts'
import { policySchema } from '../../../shared/policy.ts'
import { testAlertResultSchema } from '../../../shared/test-alert.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Caller, PolicyService } from './service.ts'

export interface StationAccess {
  /** Base address, https or on this machine. */
  url: string
  /** The token that a person signed in with; null = with none. It is sent to the station and kept nowhere. */
  tokenOf(person: Caller): string | null
  clock: Pick<Clock, 'after'>
  /** Ends what is under way where the console stops. */
  stopping: AbortSignal
}

/** How long one call may take, milliseconds. */
const patience = seconds(10)
/** Bytes of an answer: a directory of 2000 people and more. */
const largestAnswer = 4_000_000

const keptSchema = z.object({
  version: z.int().min(0),
  policy: policySchema,
  changed_at: wireTime.nullable(),
  changed_by: z.string().max(200).nullable(),
})
const staleSchema = z.object({ details: z.object({ current: keptSchema }) })
const gapsSchema = z.object({
  details: z.object({
    gaps: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), gap: z.string().max(500) })).min(1),
  }),
})

interface Call {
  method: 'GET' | 'PUT' | 'POST'
  path: '/policy' | '/assignments' | '/test-alert'
  headers?: Record<string, string>
  body?: unknown
}

/** Calls reject with ConsoleError `station_*`, whose sentences hold nothing of what was sent or answered. */
export function stationByRest({ url, tokenOf, clock, stopping }: StationAccess): PolicyService {
  const ask = async (as: Caller, { method, path, headers = {}, body }: Call): Promise<Answered> => {
    const token = tokenOf(as)
    if (token === null) throw failure('station_no_token', method)
    const address = new URL(url)
    address.pathname = `${address.pathname.replace(/\/+$/, '')}${path}`
    const given = new AbortController()
    const cancel = clock.after(patience, () => given.abort())
    try {
      const response = await fetch(address, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The token goes to the configured host and no other.
        redirect: 'manual',
        signal: AbortSignal.any([given.signal, stopping]),
      })
      return { status: response.status, body: await readJson(response) }
    } catch (cause) {
      if (cause instanceof TooLarge) throw failure('station_unreadable', method)
      // The cause may quote the address, never the token.
      throw failure('station_away', method, cause)
    } finally {
      cancel()
    }
  }

  return {
    async read(as) {
      const { status, body } = await ask(as, { method: 'GET', path: '/policy' })
      if (status !== 200) throw refused(status, 'GET')
      return read(keptSchema, body, 'GET')
    },
    async save(as, version, policy) {
      const { status, body } = await ask(as, {
        method: 'PUT',
        path: '/policy',
        headers: { 'if-match': `"${version}"` },
        body: policy,
      })
      if (status === 200) return { changed: read(keptSchema, body, 'PUT') }
      if (status === 412) return { stale: read(staleSchema, body, 'PUT').details.current }
      if (status === 422) return { gaps: read(gapsSchema, body, 'PUT').details.gaps }
      throw refused(status, 'PUT')
    },
    async assign(as, assignments) {
      const { status } = await ask(as, { method: 'PUT', path: '/assignments', body: { assignments } })
      if (status !== 204 && status !== 200) throw refused(status, 'PUT')
    },
    async testAlert(as) {
      const { status, body } = await ask(as, { method: 'POST', path: '/test-alert' })
      if (status === 200) return read(testAlertResultSchema, body, 'POST')
      if (status === 409) throw failure('test_alert_too_soon', 'POST')
      if (status === 404) throw failure('test_alert_unlisted', 'POST')
      throw refused(status, 'POST')
    },
  }
}

interface Answered {
  status: number
  /** Undefined where it is no JSON. */
  body: unknown
}

class TooLarge extends Error {}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (size > largestAnswer) throw new TooLarge()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown, method: Call['method']): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw failure('station_unreadable', method)
}

function refused(status: number, method: Call['method']): ConsoleError {
  if (status === 401) return failure('station_signed_out', method)
  if (status === 403) return failure('station_forbidden', method)
  if (status === 429) return failure('station_busy', method)
  if (status >= 500) return failure('station_not_ready', method)
  return failure(status === 404 || (status >= 300 && status < 400) ? 'station_unknown' : 'station_refused', method)
}

type Failure = keyof typeof failures

const failures = {
  station_no_token: {
    happened: 'You did not sign in with a token, and the station requires one.',
    todo: 'Start the console with your own token in PSYFLO_SIGN_IN_TOKEN.',
  },
  station_signed_out: {
    happened:
      'The school’s station no longer accepts the sign-in token: it has expired, or it was signed with another key.',
    todo: 'Restart the console with a new token in PSYFLO_SIGN_IN_TOKEN.',
  },
  station_forbidden: {
    happened: 'The school’s station does not allow you to do that.',
    todo: 'Ask an admin of the school.',
  },
  station_away: {
    happened: 'The school’s station does not answer.',
    todo: 'Check the network and PSYFLO_STATION_URL, then try again.',
  },
  station_busy: {
    happened: 'The school’s station has received too many requests.',
    todo: 'Wait a minute, then try again.',
  },
  station_not_ready: {
    happened: 'The school’s station could not answer: something it depends on is not working.',
    todo: 'Try again in a minute. The reason is in the station’s log.',
  },
  station_unknown: {
    happened: 'What answers at PSYFLO_STATION_URL does not have this school’s directory.',
    todo: 'Check the address with the people who run the station.',
  },
  station_refused: {
    happened: 'The school’s station did not accept that.',
    todo: 'Check that the console and the station are the same version.',
  },
  station_unreadable: {
    happened: 'The answer from the school’s station could not be read.',
    todo: 'Check that the console and the station are the same version.',
  },
  test_alert_too_soon: {
    happened: 'A test alert was sent to you less than a minute ago.',
    todo: 'Try again in a minute.',
  },
  test_alert_unlisted: {
    happened: 'The school’s station does not know how to reach you: you are not in its directory.',
    todo: 'Ask an admin to add you under Settings → Directory.',
  },
} as const satisfies Record<string, Pick<PersonalError, 'happened' | 'todo'>>

const unchanged = 'Nothing was changed, and what you typed is still here. Alerts still arrive.'
const safeAfter: Record<Call['method'], { settled: string; unsettled: string }> = {
  GET: { settled: unchanged, unsettled: unchanged },
  PUT: {
    settled: unchanged,
    unsettled: 'What you typed is still here; it is not known whether the station saved it. Alerts still arrive.',
  },
  POST: {
    settled: 'Nothing was sent. Alerts still arrive.',
    unsettled: 'It is not known whether anything was sent. Alerts still arrive.',
  },
}

/** After these nobody knows whether the station has done what it was told. */
const unsettled: readonly Failure[] = ['station_away', 'station_not_ready', 'station_unreadable']

function failure(code: Failure, method: Call['method'], cause?: unknown): ConsoleError {
  const safe = safeAfter[method][unsettled.includes(code) ? 'unsettled' : 'settled']
  return new ConsoleError({ code, ...failures[code], safe }, { cause })
}
