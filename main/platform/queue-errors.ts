import type { PersonalError } from '../../shared/errors.ts'

/** Whether AWS understood who asks and refused what is asked. */
export function isPermissionError(error: unknown): boolean {
  return /AccessDenied|AuthorizationError|KmsAccessDenied/i.test(names(error))
}

/**
 * An SQS failure in words for people. `retentionDays` is how long the queue keeps messages, null = not known. `since` is when the queue last stopped answering, UTC ms; the
 * clock time is said in the machine's own zone.
 */
export function explainQueueError(error: unknown, since: number, retentionDays: number | null = null): PersonalError {
  const found = names(error)
  const wait =
    retentionDays === null
      ? 'while it keeps them'
      : `for ${Math.round(retentionDays)} ${Math.round(retentionDays) === 1 ? 'day' : 'days'}`
  const safe = `Nothing is lost: events wait there ${wait}.`
  if (/CredentialsProviderError|Could not load credentials/i.test(found)) {
    return {
      code: 'queue_no_credentials',
      happened: 'This console has no credentials for its queue.',
      safe,
      todo: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, and start again.',
    }
  }
  if (
    /InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidAccessKeyId|InvalidSignature|ExpiredToken|CredentialsProviderError|InvalidSecurity|MissingAuthenticationToken/i.test(
      found,
    )
  ) {
    return {
      code: 'queue_credentials',
      happened: 'The queue refuses the credentials of this console.',
      safe,
      todo: 'Check the access key of this console (AWS_ACCESS_KEY_ID and its secret), or ask whoever set it up for a new one.',
    }
  }
  if (isPermissionError(error)) {
    return {
      code: 'queue_permission',
      happened: 'This console is not permitted to read its queue.',
      safe,
      todo: 'Ask for the permissions sqs:ReceiveMessage, sqs:DeleteMessage and sqs:GetQueueAttributes on the events queue.',
    }
  }
  if (/NonExistentQueue|QueueDoesNotExist|InvalidAddress/i.test(found)) {
    return {
      code: 'queue_missing',
      happened: 'The events queue does not exist at its address.',
      safe: 'Nothing that was received is lost.',
      todo: 'Check PSYFLO_EVENTS_QUEUE_URL and the region, then run the connection test in Settings.',
    }
  }
  const time = new Date(since).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })
  return {
    code: 'queue_unreachable',
    happened: `The queue has not answered since ${time}.`,
    safe,
    todo: 'Check the network, or run the connection test in Settings.',
  }
}

/** Every name an AWS error goes by, with those of its causes. */
function names(error: unknown): string {
  const parts: string[] = []
  for (let current = error; current instanceof Error && parts.length < 20; current = current.cause) {
    const { name, code, Code } = current as Error & { code?: string; Code?: string }
    parts.push(name, String(code ?? ''), String(Code ?? ''), current.message)
  }
  return parts.join(' ')
}
