import { z } from 'zod'

const arn = /^arn:[a-z-]+:sqs:[a-z0-9-]*:(\d*):([A-Za-z0-9_-]{1,80}(?:\.fifo)?)$/
const schema = z.object({
  deadLetterTargetArn: z.string().regex(arn),
  /** AWS answers with a number, and takes a text. */
  maxReceiveCount: z.coerce.number().int().min(1).nullable().catch(null),
})

/** Where SQS puts messages of a queue aside, and after how many receives. */
export interface RedrivePolicy {
  arn: string
  name: string
  /** Of the account that owns it; undefined where its ARN names none. */
  account: string | undefined
  maxReceives: number | null
}

/** Reads a queue's attribute `RedrivePolicy`; null where it has none, or it is none. */
export function redrivePolicyOf(attribute: string | undefined): RedrivePolicy | null {
  if (attribute === undefined || attribute === '') return null
  try {
    const { deadLetterTargetArn, maxReceiveCount } = schema.parse(JSON.parse(attribute))
    const [, account = '', name = ''] = arn.exec(deadLetterTargetArn) ?? []
    return {
      arn: deadLetterTargetArn,
      name,
      account: account === '' ? undefined : account,
      maxReceives: maxReceiveCount,
    }
  } catch {
    return null
  }
}
