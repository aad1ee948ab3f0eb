import { z } from 'zod'
import { calls, errorSchema, type Call } from './calls.ts'

const meanings: Record<number, string> = {
  400: 'The request is not valid',
  401: 'No key, or an unknown one',
  403: 'The key lacks the scope',
  404: 'There is no such session',
  409: 'The session has ended, or the client_message_id was used for another message',
  413: 'The request is too large',
  429: 'Too many requests',
  500: 'Internal error; details.correlation_id is in the log',
  503: 'Not ready',
}

/** The OpenAPI 3.1 description of the intake, made from the schemas that parse its requests. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, call] of Object.entries(calls) as [string, Call][])
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operation(name, call)
  return {
    openapi: '3.1.0',
    info: { title: 'PsyFlo intake', version: '1' },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

function operation(name: string, call: Call): Record<string, unknown> {
  const parameters = [...pathParameters(call.path), ...queryParameters(call)]
  return {
    operationId: name,
    summary: call.summary,
    security: call.scope === null ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: json(call.body, 'input') } } : {}),
    responses: {
      [call.status]: { description: 'Done', content: json(call.answer, 'output') },
      ...Object.fromEntries(
        call.refusals.map((status) => [
          status,
          { description: meanings[status] ?? 'Refused', content: json(errorSchema, 'output') },
        ]),
      ),
    },
  }
}

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(call: Call): unknown[] {
  return Object.entries(call.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))
}

const json = (schema: z.ZodType, io: 'input' | 'output') => ({ 'application/json': { schema: schemaOf(schema, io) } })

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _dialect,
    '~standard': _standard,
    ...rest
  } = z.toJSONSchema(schema, { io }) as Record<string, unknown>
  return rest
}
