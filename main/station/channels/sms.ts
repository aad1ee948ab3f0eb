/** Text messages by Amazon SNS. */
import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns'
import type { Way } from './way.ts'
import { textOf } from './words.ts'

/** Sends one text to one telephone number, and answers what the provider calls it. Rejects as `Way` does. */
export type SendText = (number: string, text: string, signal: AbortSignal) => Promise<string | null>

/** Straight to telephone numbers. SNS knows no key by which one text is the same again. `sender`: null = a number. */
export function textsBySns(sns: Pick<SNSClient, 'send'>, sender: string | null): SendText {
  const attribute = (StringValue: string) => ({ DataType: 'String', StringValue })
  return async (number, text, signal) => {
    const { MessageId } = await sns.send(
      new PublishCommand({
        PhoneNumber: number,
        Message: text,
        MessageAttributes: {
          'AWS.SNS.SMS.SMSType': attribute('Transactional'),
          ...(sender !== null && { 'AWS.SNS.SMS.SenderID': attribute(sender) }),
        },
      }),
      { abortSignal: signal },
    )
    return MessageId ?? null
  }
}

/** Tells people by text. */
export function smsWay(send: SendText): Way {
  return async ({ sms }, message, _deliveryId, signal) =>
    sms === null
      ? { outcome: 'failed', code: 'no number' }
      : { outcome: 'delivered', reference: await send(sms, textOf(message), signal) }
}
