/**
 * Signatures of Amazon SNS over what it posts to an address (RSA over the fields in their documented order). AWS's own
 * validator for Node gives a certificate as long as it likes to arrive and keeps whatever size it has; this one does not.
 */
import { createVerify, X509Certificate } from 'node:crypto'
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
/** SNS in a region, and not what customers of AWS name themselves, as buckets of S3 (`sns.s3-us-west-2.amazonaws.com`). */
const hosts = /^sns\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?$/
/** Where its certificates are: every other path answers with what somebody else may have written. */
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]+\.pem$/
const certificateStart = '-----BEGIN CERTIFICATE'
/** Certificates that are held: SNS changes its own about once a year. */
const mostCertificates = 8

/** Reads what SNS posts of one topic. A certificate is read once. */
export function snsReader({ topicArn, readText }: { topicArn: string; readText: ReadText }) {
  const certificates = new Map<string, Promise<string>>()
  const certificateAt = (url: string, mayAsk: () => boolean): Promise<string> => {
    const known = certificates.get(url)
    if (known) return known
    if (!mayAsk()) return Promise.reject(new Error('too many attempts'))
    const asked = readText(url)
    certificates.set(url, asked)
    asked.catch(() => certificates.delete(url))
    const [oldest] = certificates.size > mostCertificates ? certificates.keys() : []
    if (oldest !== undefined) certificates.delete(oldest)
    return asked
  }
  const isOfCertificate = (address: string): boolean => {
    const url = addressAtSns(address, topicArn)
    return url !== null && certificatePath.test(url.pathname) && url.search === ''
  }
  const isOfSubscription = (address: string): boolean => {
    const url = addressAtSns(address, topicArn)
    const asks = (name: string, value: string) => url?.searchParams.getAll(name).join('\n') === value
    return url?.pathname === '/' && asks('Action', 'ConfirmSubscription') && asks('TopicArn', topicArn)
  }
  return {
    /**
     * The message, if SNS signed it for this topic: anybody may have a topic of their own. `mayAsk` is asked before a
     * certificate is read that is not known yet: whoever posts names it.
     */
    async read(body: string, mayAsk: () => boolean): Promise<SnsMessage | null> {
      const message = snsMessageSchema.safeParse(parsed(body)).data
      if (!message || message.TopicArn !== topicArn || !isOfCertificate(message.SigningCertURL)) return null
      try {
        const certificate = await certificateAt(message.SigningCertURL, mayAsk)
        if (!certificate.startsWith(certificateStart)) return null
        const key = new X509Certificate(certificate).publicKey
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
      if (!isOfSubscription(message.SubscribeURL)) throw new Error('a subscription that is not of SNS')
      await readText(message.SubscribeURL)
    },
  }
}

/** An address at SNS in the region of a topic; null for every other. TLS proves who answers under it. */
function addressAtSns(address: string, topicArn: string): URL | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const [, , , region] = topicArn.split(':')
  const isThere = url.protocol === 'https:' && hosts.exec(url.hostname)?.[1] === region
  return isThere && [url.port, url.username, url.password, url.hash].every((part) => part === '') ? url : null
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
