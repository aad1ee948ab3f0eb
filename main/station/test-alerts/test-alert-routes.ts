import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import { roles } from '../../../shared/people.ts'
import { testAlertResultSchema } from '../../../shared/test-alert.ts'
import { callerIn, type Admitting } from '../administration/index.ts'
import { errorSchema, refusals, type ZodApp } from '../intake/index.ts'
import type { TestAlerts } from './test-alerts.ts'

const refusedSchema = z.object({ error: z.string(), details: z.object({ code: z.string() }) })

/** Adds the call by which somebody has a test alert sent to themselves. */
export function testAlertRoutes(
  app: ZodApp,
  { testAlerts, admit }: { testAlerts: TestAlerts; admit: Admitting },
): void {
  const anybody = admit({ roles, operator: false, others: 'Only the people of the school are sent test alerts.' })
  app.post(
    '/test-alert',
    {
      onRequest: anybody.onRequest,
      schema: {
        operationId: 'sendTestAlert',
        summary: 'Send the caller a test alert by each of their own ways, at most once a minute, and say what arrived.',
        security: [{ bearer: [] }],
        response: {
          200: testAlertResultSchema.describe('What became of it, by each way'),
          ...anybody.refused,
          404: errorSchema.describe('The caller is not in the directory, or the station does not serve their school'),
          409: refusedSchema.describe('The last one was sent less than a minute ago'),
          ...refusals(500, 503),
        },
      },
    },
    async (request, reply) => {
      const { by, school_id } = callerIn(request)
      if (school_id === null) throw new Error('a call for the people of one school')
      try {
        return await reply.send(await testAlerts.send({ school_id, person: by }))
      } catch (error) {
        if (!(error instanceof ConsoleError)) throw error
        const { happened, todo, code } = error
        if (code === 'test_alert_too_soon')
          return reply.code(409).send({ error: `${happened} ${todo}`, details: { code } })
        return reply.code(404).send({ error: happened })
      }
    },
  )
}
