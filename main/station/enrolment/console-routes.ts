/** The calls about consoles, and what is typed into them, for an admin of their school or for whoever runs the station. */
import { z } from 'zod'
import { enrolmentStates } from '../../../shared/enrolment.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Logger } from '../../platform/ports.ts'
import type { AnnouncedConsole } from '../../store/station/index.ts'
import { callerIn, type Admitting, type SignedIn } from '../administration/index.ts'
import { errorSchema, idSchema, refusals, type ZodApp } from '../intake/index.ts'
import { decisions, type DecisionKind, type Enrolment, type NotDecided } from './enrolment.ts'

/** What the calls need. */
interface ConsoleRoutesOptions {
  enrolment: Enrolment
  admit: Admitting
  /** The salt of a school's pseudonyms, once it is written down who reads it; null where this station does not serve it. */
  readSalt(schoolId: string, by: SignedIn): Promise<string | null>
  logger: Logger
}

const schoolIdSchema = idSchema.transform(normalSchoolId)
const time = z.iso.datetime()
const consoleSchema = z.object({
  console_id: z.string(),
  school_id: z.string(),
  fingerprint: z.string(),
  state: z.enum(enrolmentStates),
  announced_at: time,
  decided_at: time.nullable(),
  decided_by: z.string().nullable(),
})
const consolesSchema = z.object({ consoles: z.array(consoleSchema) })
const saltSchema = z.object({ school_id: z.string(), salt: z.string() })
const decisionSchema = z.object({
  fingerprint: z.string().min(1).max(100),
  /** For the operator, who serves several schools; an admin's is known. */
  school_id: schoolIdSchema.optional(),
})

const summaries: Record<DecisionKind, string> = {
  approve: 'Approve the keys of this fingerprint: the school’s content key is sealed to them, older keys end.',
  refuse: 'Refuse keys that wait.',
  revoke: 'Revoke keys that were approved. They never come back; what they open already stays open.',
}
const notDecided: Record<NotDecided, { status: 404 | 409; error: string }> = {
  'unknown console': { status: 404, error: 'No console of this id has announced itself.' },
  'other fingerprint': { status: 409, error: 'The console did not announce keys of this fingerprint.' },
  'not possible': { status: 409, error: 'That cannot be decided about these keys as they stand now.' },
  'unusable key': { status: 409, error: 'Nothing can be sealed to these keys.' },
}

const notAllowed = 'Only an admin of the school may do this.'

/** Adds the calls to a server of this station. */
export function consoleRoutes(app: ZodApp, { enrolment, admit, readSalt, logger }: ConsoleRoutesOptions): void {
  const { onRequest, refused } = admit({ roles: ['ADMIN'], operator: true, others: notAllowed })
  app.get(
    '/consoles',
    {
      onRequest,
      schema: {
        operationId: 'listConsoles',
        summary:
          'Consoles that announced themselves, those that wait first. For an admin’s sign-in token: of their school.',
        querystring: z.object({ school_id: schoolIdSchema.optional() }),
        response: { 200: consolesSchema.describe('Consoles'), ...refused, ...refusals(400, 500, 503) },
      },
    },
    async (request, reply) => {
      const school = schoolFor(callerIn(request), request.query.school_id)
      if (school === 'another school') return reply.code(403).send({ error: notAllowed })
      return reply.send({ consoles: (await enrolment.list(school)).map(consoleBody) })
    },
  )

  for (const decision of decisions)
    app.post(
      `/consoles/:id/${decision}`,
      {
        onRequest,
        schema: {
          operationId: `${decision}Console`,
          summary: summaries[decision],
          params: z.object({ id: idSchema }),
          body: decisionSchema,
          response: {
            200: consoleSchema.describe('As it is now'),
            ...refused,
            404: errorSchema.describe('There is no such console'),
            409: errorSchema.describe('Not with this fingerprint, or not any more'),
            ...refusals(400, 413, 415, 500, 503),
          },
        },
      },
      async (request, reply) => {
        const caller = callerIn(request)
        const { fingerprint, school_id } = request.body
        const school = schoolFor(caller, school_id)
        if (school === 'another school') return reply.code(403).send({ error: notAllowed })
        if (school === null) return reply.code(400).send({ error: 'Say of which school: school_id.' })
        const of = { school_id: school, console_id: request.params.id, fingerprint, by: caller.by }
        const after = await enrolment.decide(decision, of)
        if (typeof after === 'object') return reply.send(consoleBody(after))
        const { status, error } = notDecided[after]
        return reply.code(status).send({ error })
      },
    )

  app.get(
    '/salt',
    {
      onRequest,
      schema: {
        operationId: 'readSalt',
        summary: 'The salt of the school’s pseudonyms, which the import of its roster at a console asks for. A secret.',
        querystring: z.object({ school_id: schoolIdSchema.optional() }),
        response: {
          200: saltSchema.describe('The salt, as the import takes it'),
          ...refused,
          404: errorSchema.describe('This station does not serve the school'),
          ...refusals(400, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const caller = callerIn(request)
      const school = schoolFor(caller, request.query.school_id)
      if (school === 'another school') return reply.code(403).send({ error: notAllowed })
      if (school === null) return reply.code(400).send({ error: 'Say of which school: school_id.' })
      const salt = await readSalt(school, caller)
      if (salt === null) return reply.code(404).send({ error: 'This station does not serve the school.' })
      logger.info({ by_operator: caller.school_id === null }, 'the salt of a school was read')
      return reply.header('cache-control', 'no-store').send({ school_id: school, salt })
    },
  )
}

/** The school that a caller speaks of; null = none in particular. */
function schoolFor(caller: SignedIn, asked: string | undefined): string | 'another school' | null {
  if (caller.school_id === null) return asked ?? null
  return asked === undefined || asked === caller.school_id ? caller.school_id : 'another school'
}

function consoleBody({
  console_id,
  school_id,
  fingerprint,
  state,
  announced_at,
  decided_at,
  decided_by,
}: AnnouncedConsole) {
  return {
    ...{ console_id, school_id, fingerprint, state, decided_by },
    announced_at: iso(announced_at),
    decided_at: decided_at === null ? null : iso(decided_at),
  }
}

const iso = (at: number): string => new Date(at).toISOString()
