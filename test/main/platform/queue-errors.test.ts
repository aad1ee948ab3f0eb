import { describe, expect, it } from 'vitest'
import { explainQueueError, isPermissionError } from '../../../main/platform/queue-errors.ts'
import { noon } from '../../support/wire.ts'

const refusal = (name: string, message = 'refused') => Object.assign(new Error(message), { name })
const explained = (name: string, message?: string) => explainQueueError(refusal(name, message), { since: noon })
const notAuthorized = (action: string) =>
  `User: arn:aws:iam::1:user/c is not authorized to perform: ${action} on resource: arn:aws:sqs:us-east-1:1:events`

describe('what a queue refuses is told apart', () => {
  it.each([
    ['CredentialsProviderError', 'queue_no_credentials', 'AWS_ACCESS_KEY_ID'],
    ['ExpiredToken', 'queue_token_expired', 'AWS_SESSION_TOKEN'],
    ['ExpiredTokenException', 'queue_token_expired', 'aws sso login'],
    ['InvalidClientTokenId', 'queue_key_unknown', 'AWS_ACCESS_KEY_ID'],
    ['UnrecognizedClientException', 'queue_key_unknown', 'AWS_SESSION_TOKEN'],
    ['SignatureDoesNotMatch', 'queue_secret_wrong', 'AWS_SECRET_ACCESS_KEY'],
    ['RequestExpired', 'queue_clock', 'clock'],
    ['AccessDeniedException', 'queue_permission', 'sqs:ReceiveMessage'],
    ['QueueDoesNotExist', 'queue_missing', 'PSYFLO_EVENTS_QUEUE_URL'],
    ['ECONNREFUSED', 'queue_unreachable', 'network'],
  ])('%s is %s', (name, code, todo) => {
    const error = explained(name)
    expect(error).toMatchObject({ code, todo: expect.stringContaining(todo) as string })
    if (/expired|clock/.test(code)) expect(error.todo + error.happened).not.toContain('access key')
  })

  it('wherever in the chain of causes it stands', () => {
    const wrapped = new Error('receiving failed', { cause: refusal('ExpiredToken') })
    expect(explainQueueError(wrapped).code).toBe('queue_token_expired')
  })

  it('for the queue it was asked of', () => {
    const { happened, todo } = explainQueueError(refusal('QueueDoesNotExist'), { what: 'acknowledgement queue' })
    expect(happened + todo).toMatch(/The acknowledgement queue does not exist.*PSYFLO_ACKS_QUEUE_URL/)
  })
})

describe('a missing permission', () => {
  it('is named where AWS names it', () => {
    expect(explained('AccessDenied', notAuthorized('sqs:receivemessage'))).toMatchObject({
      happened: 'This console is not permitted to use its queue: sqs:ReceiveMessage is missing.',
      todo: 'Ask for the permission sqs:ReceiveMessage on the queue.',
    })
    expect(explained('AccessDenied', notAuthorized('kms:Decrypt')).todo).toContain('the key that encrypts the queue')
  })

  it('is known from a refusal of another kind', () => {
    expect(isPermissionError(refusal('AccessDeniedException'))).toBe(true)
    expect(isPermissionError(refusal('ExpiredTokenException'))).toBe(false)
  })
})

describe('a clock that is wrong is said with the figure', () => {
  it.each([
    [
      'InvalidSignatureException',
      'Signature expired: 20260120T100000Z is now earlier than 20260120T101500Z (20260120T102000Z - 5 min.)',
      'its clock is 20 minutes behind AWS’s',
    ],
    [
      'SignatureDoesNotMatch',
      'Signature not yet current: 20260120T140000Z is still later than 20260120T102500Z (20260120T102000Z + 5 min.)',
      'its clock is 4 hours ahead of AWS’s',
    ],
    [
      'RequestExpired',
      'Request has expired. Timestamp date is 2026-01-20T10:00:00Z. Current date is 2026-01-20T10:16:00Z',
      'its clock is 16 minutes behind AWS’s',
    ],
    ['RequestTimeTooSkewed', 'The difference is too large.', 'its clock differs from AWS’s'],
  ])('%s', (name, message, happened) => {
    expect(explained(name, message)).toMatchObject({
      code: 'queue_clock',
      happened: expect.stringContaining(happened) as string,
    })
  })
})

describe('to whoever runs a station', () => {
  const told = (name: string) => explainQueueError(refusal(name), { what: 'topic', who: 'station' })

  it('a failure is that of a station and its topic', () => {
    expect(told('CredentialsProviderError').happened).toBe('This station has no credentials for its topic.')
    expect(told('ExpiredToken').happened).toBe('The session token in this station’s credentials has expired.')
  })

  it('a topic that was asked once does not answer, without a time, and is asked again from the terminal', () => {
    expect(told('TimeoutError')).toMatchObject({
      happened: 'The topic does not answer.',
      todo: 'Check the network, or run `npm run station -- --check` again.',
    })
  })

  it('a queue that is not there is looked for where the station looks', () => {
    const { todo } = explainQueueError(refusal('QueueDoesNotExist'), { what: 'acknowledgement queue', who: 'station' })
    expect(todo).toBe('Check PSYFLO_ACKS_QUEUE_URL and the region, then run `npm run station -- --check` again.')
  })
})
