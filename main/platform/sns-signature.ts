/**
 * Signatures of Amazon SNS over what it posts to an address (RSA over the fields in their documented order). AWS's own
 * validator for Node gives a certificate as long as it likes to arrive and keeps whatever size it has; this one does not.
 */
import { createPublicKey, createVerify } from 'node:crypto'
import { z } from 'zod'

const common = {
  Message: z.string(),
  MessageId: z.string().min(1).max(200),
  Timestamp: z.iso.datetime(),
  TopicArn: z.string().max(500),
  Signature: z.base64(),
  SignatureVersion: z.enum(['1', '2']),
  SigningCertURL: z.string().max(500),
}
const snsMessageSchema = z.discriminatedUnion('Type', [
  z.object({ ...common, Type: z.literal('Notification'), Subject: z.string().optional() }),
  z.object({ ...common, Type: z.literal('SubscriptionConfirmation'), SubscribeURL: z.string().max(2000), Token: z.string() }), // prettier-ignore
])
export type SnsMessage = z.output<typeof snsMessageSchema>

/** Reads the text at an https address; rejects where there is none. */
export type ReadText = (url: string) => Promise<string>

const signed: Record<SnsMessage['Type'], readonly string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}
const algorithms = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' } as const
/** Nobody but AWS has names there, and TLS proves who answers under them. */
const hosts = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?$/

/** Reads what SNS posts of one topic. A certificate is read once. */
export function snsReader({ topicArn, readText }: { topicArn: string; readText: ReadText }) {
  const certificates = new Map<string, Promise<string>>()
  const certificateAt = (url: string): Promise<string> => {
    const known = certificates.get(url) ?? readText(url)
    certificates.set(url, known)
    known.catch(() => certificates.delete(url))
    return known
  }
  return {
    /** The message, if SNS signed it for this topic: anybody may have a topic of their own. */
    async read(body: string): Promise<SnsMessage | null> {
      const message = snsMessageSchema.safeParse(parsed(body)).data
      if (!message || message.TopicArn !== topicArn || !isOfSns(message.SigningCertURL)) return null
      try {
        const key = createPublicKey(await certificateAt(message.SigningCertURL))
        const fields = message as Record<string, string | undefined>
        const verify = createVerify(algorithms[message.SignatureVersion])
        for (const name of signed[message.Type])
          if (fields[name] !== undefined) verify.update(`${name}\n${fields[name]}\n`, 'utf8')
        return verify.verify(key, message.Signature, 'base64') ? message : null
      } catch {
        return null
      }
    },
    /** Agrees to be told of the topic. Rejects where SNS cannot be reached. */
    async confirm(message: Extract<SnsMessage, { Type: 'SubscriptionConfirmation' }>): Promise<void> {
      if (!isOfSns(message.SubscribeURL)) throw new Error('a subscription that is not of SNS')
      await readText(message.SubscribeURL)
    },
  }
}

function isOfSns(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  return protocol === 'https:' && hosts.test(hostname) && [port, username, password].every((part) => part === '')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
