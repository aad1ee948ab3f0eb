/** The whole console in this process, district mode, on a real queue and a real encrypted file; schools A and B. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getErrorShape } from '@trpc/server/unstable-core-do-not-import'
import { TRPCError } from '@trpc/server'
import { vi } from 'vitest'
import { readConfiguration } from '../../main/configuration/index.ts'
import { startProgram } from '../../main/program.ts'
import { readBody } from '../../main/console/event-queue/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { PersonalError } from '../../shared/errors.ts'
import type { Person, Role } from '../../shared/people.ts'
import { recordingLogger } from './intake-school.ts'
import { openQueue } from './queue.ts'
import { signedInEnv, testSchool } from './sign-in.ts'

export const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
export const rosterSalt = 'salt of the school'
export const hashInRoster = (studentId: string): string =>
  createHmac('sha256', rosterSalt).update(studentId).digest('hex')

/** `settings` are added to the environment of a console that opens by itself. */
export async function openConsole(settings: Record<string, string> = {}) {
  const queue = await openQueue()
  const dataDir = mkdtempSync(join(tmpdir(), 'console-'))
  // The SDK takes its credentials from the environment, as in a district.
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  const acksQueueUrl = await queue.create('acks')
  const env = {
    ...(await signedInEnv()),
    PSYFLO_EVENTS_QUEUE_URL: queue.url,
    PSYFLO_ACKS_QUEUE_URL: acksQueueUrl,
    AWS_ENDPOINT_URL_SQS: queue.endpoint,
    AWS_REGION: 'us-east-1',
    ...settings,
  }
  const preferences = new Map<string, unknown>()
  const { logger, entries } = recordingLogger()
  const notified: string[] = []
  const running = startProgram(readConfiguration(env, ['--data-dir', dataDir]), {
    clock: systemClock,
    randomness: systemRandomness,
    logger,
    shell: {
      notify: ({ title, body }) => void notified.push(`${title} ${body}`),
      badge: () => undefined,
      openExternal: () => undefined,
    },
    preferences: { get: (name) => preferences.get(name), set: (name, value) => void preferences.set(name, value) },
  })
  await running.ready
  const parts = running.contextFor('').startup.parts()
  if (!parts) throw new Error('the console is ready without being open')

  const people = (['COUNSELOR', 'CLINICIAN', 'ADMIN'] as const).flatMap((role) =>
    [testSchool, otherSchool].map((school_id): Person => {
      const id = `${role} ${school_id}`
      return { id, name: role === 'COUNSELOR' && school_id === testSchool ? 'J. Marlow' : id, role, school_id }
    }),
  )
  for (const person of people) {
    parts.people.save(person, systemClock.now())
    parts.windows.seat(person.id, person.id)
  }
  return {
    router: running.router,
    running,
    parts,
    queue,
    acksQueueUrl,
    dataDir,
    entries,
    notified,
    /** The calls of somebody of this role. */
    as: (role: Role, school = testSchool) => running.router.createCaller(running.contextFor(`${role} ${school}`)),
    /** The calls of a window at which nobody known sits. */
    asNobody() {
      parts.windows.seat('nobody', 'gone')
      return running.router.createCaller(running.contextFor('nobody'))
    },
    /** Sends events and waits until all are committed. */
    async receive(...events: object[]) {
      const count = () => parts.db.prepare(`SELECT count(*) FROM events WHERE origin = 'queue'`).pluck().get() as number
      const before = count()
      for (const event of events) await queue.send(event)
      await vi.waitFor(() => {
        if (count() < before + events.length) throw new Error('still on the way')
      }, 10_000)
    },
    /**
     * Puts events into the log directly, in one commit: records of another school never come through this
     * console's queue. The answer says what changed; nobody is told of it.
     */
    keep(...events: object[]) {
      const received_at = systemClock.now()
      return parts.eventLog.append(
        events.map((event) => {
          const reading = readBody(JSON.stringify(event), received_at, parts.evidenceKey)
          if (reading.kind !== 'event') throw new Error(reading.detail)
          const school_id = reading.event.school_id ?? ''
          return { event: reading.event, school_id, identity: reading.identity, origin: 'queue', received_at }
        }),
      )
    },
    async stop() {
      await running.stop()
      await queue.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type OpenConsole = Awaited<ReturnType<typeof openConsole>>

/** What a person reads of a failed call, and the whole answer as it goes over the wire; null when it succeeded. */
export async function refusalOf(
  { router }: Pick<OpenConsole, 'router'>,
  call: () => Promise<unknown>,
): Promise<{ code: string; personal: PersonalError; wire: string } | null> {
  try {
    await call()
    return null
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error
    const shape = getErrorShape({
      config: router._def._config,
      error,
      type: 'query',
      path: 'p',
      input: {},
      ctx: undefined,
    })
    const { personal } = shape.data as unknown as { personal: PersonalError }
    return { code: error.code, personal, wire: JSON.stringify(shape) }
  }
}
