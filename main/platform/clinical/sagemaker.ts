/** A model endpoint of SageMaker; credentials come from the standard AWS chain. */
import { pipeline, Transform, type Readable } from 'node:stream'
import {
  InvokeEndpointCommand,
  SageMakerRuntimeClient,
  SageMakerRuntimeServiceException,
} from '@aws-sdk/client-sagemaker-runtime'
import { seconds } from '../../../shared/time.ts'
import type { ClinicalPrompt } from '../../analysis/index.ts'
import { largestBody } from '../chat-completions.ts'
import { readInvocation } from './answer.ts'
import type { Ask } from './health.ts'
import { ServiceFailure, failureOfStatus } from '../service-failure.ts'
import { question } from './question.ts'

/** Asks `InvokeEndpoint`, once and without a second try: the deadline leaves no time for one. */
export function sageMakerService(
  access: { endpoint: string; model: string | null; region: string; address: string | null },
  prompt: () => ClinicalPrompt,
): { ask: Ask; stop(): void } {
  const client = new SageMakerRuntimeClient({
    region: access.region,
    ...(access.address !== null && { endpoint: access.address }),
    maxAttempts: 1,
    requestHandler: { requestTimeout: seconds(10), connectionTimeout: seconds(4), throwOnRequestTimeout: true },
  })
  // The client would read a body of any size into memory before anyone could look at it.
  client.middlewareStack.add(
    (next) => async (args) => {
      const answered = await next(args)
      limitBody(answered.response)
      return answered
    },
    { step: 'deserialize', priority: 'low', name: 'largestBody' },
  )
  const ask: Ask = async (message, recent, signal) => {
    const body = { ...(access.model !== null && { model: access.model }), ...question(prompt(), message, recent) }
    try {
      const { Body } = await client.send(
        new InvokeEndpointCommand({
          EndpointName: access.endpoint,
          ContentType: 'application/json',
          Accept: 'application/json',
          Body: JSON.stringify(body),
        }),
        { abortSignal: signal },
      )
      return readInvocation(Body)
    } catch (error) {
      throw failureOf(error)
    }
  }
  return { ask, stop: () => client.destroy() }
}

/** Puts a limit in the way of the body that the client is about to read. */
function limitBody(response: unknown): void {
  const http = response as { body?: Readable }
  if (!http.body) return
  const { body } = http
  let size = 0
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.byteLength
      done(size > largestBody ? new ServiceFailure('too large') : null, chunk)
    },
  })
  // The pipeline ends both, whichever breaks off; the client reads the error from the body it was given.
  http.body = pipeline(body, limit, () => undefined)
}

/** The SDK's own errors may quote the answer: of them only what is known to be harmless is kept. */
function failureOf(error: unknown): ServiceFailure {
  if (error instanceof ServiceFailure) return error
  if (!(error instanceof SageMakerRuntimeServiceException)) return new ServiceFailure('unreachable')
  return failureOfStatus(error.$metadata.httpStatusCode ?? null)
}
