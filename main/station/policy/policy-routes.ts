/** The calls about a school's directory and calendar, for the people of the school. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assignmentSchema, policySchema, type KeptPolicy } from '../../../shared/policy.ts'
import { roles } from '../../../shared/people.ts'
import { callerIn, type Admitting } from '../administration/index.ts'
import { errorSchema, refusals, type ZodApp } from '../intake/index.ts'
import { PeopleUnknown, SchoolNotServed, type Policies } from './policies.ts'

/** Most assignments that one call may hold. */
const mostAssignments = 5000

const keptSchema = z.object({
  version: z.int().min(0).describe('0 = nobody has saved one yet'),
  policy: policySchema,
  changed_at: z.iso.datetime().nullable(),
  changed_by: z.string().nullable().describe('Id of the person'),
})
const staleSchema = z.object({ error: z.string(), details: z.object({ current: keptSchema }) })
const gapsSchema = z.object({
  error: z.string(),
  details: z.object({
    gaps: z.array(
      z.object({ path: z.array(z.union([z.string(), z.int()])).describe('Into the policy'), gap: z.string() }),
    ),
  }),
})
const unknownSchema = z.object({
  error: z.string(),
  details: z.object({ people: z.array(z.string()).describe('Their ids') }),
})
const assignmentsSchema = z.object({ assignments: z.array(assignmentSchema).max(mostAssignments) })

const notServed = { 404: errorSchema.describe('This station does not serve the school of the token') }
const changesHere = 'Only an admin of the school changes its directory.'

/** Adds the calls to a server of this station. */
export function policyRoutes(app: ZodApp, { policies, admit }: { policies: Policies; admit: Admitting }): void {
  const readers = admit({ roles, operator: false, others: 'Only the people of the school read its directory.' })
  const admins = admit({ roles: ['ADMIN'], operator: false, others: changesHere })

  app.get(
    '/policy',
    {
      onRequest: readers.onRequest,
      schema: {
        operationId: 'readPolicy',
        summary: 'Directory, calendar and crisis numbers of the caller’s school. The ETag is their version.',
        security: [{ bearer: [] }],
        headers: z.looseObject({ 'if-none-match': z.string().optional() }),
        response: {
          200: keptSchema.describe('As they stand'),
          304: z.null().describe('Still of the version that If-None-Match names'),
          ...readers.refused,
          ...notServed,
          ...refusals(500, 503),
        },
      },
    },
    async (request, reply) => {
      const kept = await served(policies.read(schoolOf(request)))
      if (kept === 'not served') return refuse(reply)
      reply.header('etag', etagOf(kept)).header('cache-control', 'no-store')
      if (names(request.headers['if-none-match'], etagOf(kept))) return reply.code(304).send(null)
      return reply.send(bodyOf(kept))
    },
  )

  app.put(
    '/policy',
    {
      onRequest: admins.onRequest,
      // Its form is looked at where its gaps are: both are said in one way.
      validatorCompiler: () => (value: unknown) => ({ value }),
      schema: {
        operationId: 'savePolicy',
        summary: 'Keep them as the next version. If-Match names the version that was edited: "3".',
        security: [{ bearer: [] }],
        headers: z.looseObject({ 'if-match': z.string() }),
        body: policySchema,
        response: {
          200: keptSchema.describe('As they are kept'),
          ...admins.refused,
          ...notServed,
          412: staleSchema.describe('Somebody else has saved meanwhile: what stands now'),
          422: gapsSchema.describe('What is missing, contradictory, or of another form'),
          428: errorSchema.describe('If-Match names no version'),
          ...refusals(400, 413, 415, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const version = /^"(\d{1,15})"$/.exec(String(request.headers['if-match']).trim())?.[1]
      if (version === undefined)
        return reply.code(428).send({ error: 'Say which version was edited: If-Match: "3", as its ETag has it.' })
      const { by } = callerIn(request)
      const edited = { school_id: schoolOf(request), by, version: Number(version), policy: request.body as unknown }
      const change = await served(policies.save(edited))
      if (change === 'not served') return refuse(reply)
      if ('gaps' in change)
        return reply.code(422).send({ error: 'It cannot be saved as it is.', details: { gaps: change.gaps } })
      const kept = 'stale' in change ? change.stale : change.changed
      reply.header('etag', etagOf(kept)).header('cache-control', 'no-store')
      if ('changed' in change) return reply.send(bodyOf(kept))
      const error = 'Somebody else has saved meanwhile.'
      return reply.code(412).send({ error, details: { current: bodyOf(kept) } })
    },
  )

  app.put(
    '/assignments',
    {
      onRequest: admins.onRequest,
      schema: {
        operationId: 'assign',
        summary: 'Keep who looks after students; null = nobody any more. Students that are not named stay as they are.',
        security: [{ bearer: [] }],
        body: assignmentsSchema,
        response: {
          204: z.null().describe('Kept'),
          ...admins.refused,
          ...notServed,
          422: unknownSchema.describe('Somebody is not in the directory; nothing was kept'),
          ...refusals(400, 413, 415, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { by } = callerIn(request)
      const change = { school_id: schoolOf(request), by, assignments: request.body.assignments }
      const outcome = await served(policies.assign(change)).catch((error: unknown) => {
        if (error instanceof PeopleUnknown) return error
        throw error
      })
      if (outcome === 'not served') return refuse(reply)
      if (outcome instanceof PeopleUnknown)
        return reply.code(422).send({ error: outcome.happened, details: { people: [...outcome.people] } })
      return reply.code(204).send(null)
    },
  )
}

/** The school of the person who asks. */
function schoolOf(request: FastifyRequest): string {
  const { school_id } = callerIn(request)
  if (school_id === null) throw new Error('a call for the people of one school')
  return school_id
}

async function served<T>(answer: Promise<T>): Promise<T | 'not served'> {
  return answer.catch((error: unknown) => {
    if (error instanceof SchoolNotServed) return 'not served'
    throw error
  })
}

function refuse(reply: FastifyReply) {
  return reply.code(404).send({ error: 'This station does not serve your school.' })
}

const etagOf = ({ version }: KeptPolicy): string => `"${version}"`

/** Whether a list of ETags, or `*`, names this one; a weak one is as good here. */
function names(list: string | undefined, etag: string): boolean {
  const each = (list ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return each.includes(etag) || each.includes('*')
}

function bodyOf({ changed_at, ...kept }: KeptPolicy) {
  return { ...kept, changed_at: changed_at === null ? null : new Date(changed_at).toISOString() }
}
