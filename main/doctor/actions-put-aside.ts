import type { SQSClient } from '@aws-sdk/client-sqs'
import { plural } from '../../shared/numbers.ts'
import { putAsideOf } from '../platform/put-aside.ts'
import { warning, type Check } from './report.ts'

/** What SQS put aside of the acknowledgement queue; null where that is nothing, or it may not be looked at from here. */
export async function checkActionsPutAside(
  sqs: SQSClient,
  queueUrl: string,
  timeout: { requestTimeout: number },
): Promise<Check | null> {
  const found = await putAsideOf(sqs, queueUrl, timeout).catch(() => null)
  if (found === null || found.waiting === 0) return null
  const { name, waiting } = found
  return warning(
    'Acknowledgement queue',
    `${plural(waiting, { one: '# message is', other: '# messages are' })} in its dead-letter queue ${name}: what people did that never reached the station. Their colleagues do not see it, and the ladder goes on.`,
    `Start the station: it takes them from there by itself. It needs sqs:GetQueueUrl, GetQueueAttributes, ReceiveMessage, ChangeMessageVisibility, and DeleteMessage on ${name}.`,
  )
}
