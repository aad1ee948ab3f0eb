/** Text messages by Amazon SNS. */
import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns'
import type { Way } from './way.ts'
import { textOf } from './words.ts'

export interface SmsAccess {
  sns: SNSClient
  /** The name under which texts arrive, where the country allows one; null = the provider's number. */
  sender: string | null
}

/** Sends texts straight to telephone numbers. SNS knows no key that tells one text from the same again. */
export function smsBySns({ sns, sender }: SmsAccess): Way {
  const attribute = (StringValue: string) => ({ DataType: 'String', StringValue })
  return async ({ sms }, message, _deliveryId, signal) => {
    if (sms === null) return { outcome: 'failed', code: 'no number' }
    const { MessageId } = await sns.send(
      new PublishCommand({
        PhoneNumber: sms,
        Message: textOf(message),
        MessageAttributes: {
          'AWS.SNS.SMS.SMSType': attribute('Transactional'),
          ...(sender !== null && { 'AWS.SNS.SMS.SenderID': attribute(sender) }),
        },
      }),
      { abortSignal: signal },
    )
    return { outcome: 'delivered', reference: MessageId ?? null }
  }
}
