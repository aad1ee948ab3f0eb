import { SNSClient } from '@aws-sdk/client-sns'
import { SQSClient } from '@aws-sdk/client-sqs'

export interface AwsAccess {
  region: string
  /** SQS-compatible endpoint; null = AWS, or what AWS_ENDPOINT_URL_SQS says. */
  endpoint: string | null
  /** Null = the standard AWS chain (environment, profile, role). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

function options({ region, endpoint, credentials }: AwsAccess) {
  return {
    region,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
  }
}

/** An SQS client that always talks to its endpoint, never to the host of a queue URL. */
export function sqsClient(access: AwsAccess): SQSClient {
  return new SQSClient({
    ...options(access),
    useQueueUrlAsEndpoint: false,
    // A long poll answers within 20 s; what takes longer is a dead connection.
    requestHandler: { requestTimeout: 26_000, connectionTimeout: 4_000, throwOnRequestTimeout: true },
  })
}

/** `attempts`: how often the client itself tries; three times where nothing is said. */
export function snsClient(access: AwsAccess, { attempts }: { attempts?: number } = {}): SNSClient {
  return new SNSClient({
    ...options(access),
    ...(attempts !== undefined && { maxAttempts: attempts }),
    requestHandler: { requestTimeout: 10_000, connectionTimeout: 4_000, throwOnRequestTimeout: true },
  })
}
