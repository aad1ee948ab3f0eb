import { ConsoleError, type PersonalError } from '../../shared/errors.ts'

/** Why a call failed: the status of the refusal; or no answer came; or one that no station gives. */
export type CallFailure = number | 'no answer' | 'unreadable'

type Sentences = Omit<PersonalError, 'code'>

const notTaken = 'Nothing of this call was taken in.'
const read = 'Your words were still checked: danger in them raises an alert.'
const anotherKey = 'Pass a key that may write with --key, or set CONSULTX_API_KEYS.'

const refusals: Readonly<Record<number, Sentences>> = {
  401: { happened: 'The station does not recognize this API key.', safe: notTaken, todo: anotherKey },
  403: {
    happened: 'This API key may not write, or the station must be called over https.',
    safe: notTaken,
    todo: anotherKey,
  },
  404: {
    happened: 'The station does not know this session; the station may have been restarted.',
    safe: notTaken,
    todo: 'Start a new session and say it again. If that fails, --url is not the address of a station.',
  },
  409: { happened: 'The session has ended.', safe: read, todo: 'Start a new session.' },
  413: { happened: 'The message is too long.', safe: read, todo: 'Send it in parts.' },
  429: {
    happened: 'The station has received too many requests with this key.',
    safe: read,
    todo: 'Wait a minute and try again.',
  },
}

const noAnswer: Sentences = {
  happened: 'The station does not answer.',
  safe: 'What it has answered is kept. What it has not answered may or may not have reached it.',
  todo: 'Check whether it is running; `npm start` starts it.',
}
const unreadable: Sentences = {
  happened: 'What answers at this address is not a station this program recognizes.',
  safe: 'It is not known what happened to the request.',
  todo: 'Check that --url is the address of a station or desk.',
}
const notReady: Sentences = {
  happened: 'The station is not ready, or could not store what it was sent.',
  safe: 'It has not confirmed what it could not store.',
  todo: 'Check its log, then try again.',
}
const notUnderstood: Sentences = {
  happened: 'The station did not accept the request.',
  safe: notTaken,
  todo: 'Check that this program and the station are the same version.',
}

/** A call that brought nothing. Its sentences hold nothing of what was sent or answered. */
export class CallFailed extends ConsoleError {
  override readonly name = 'CallFailed'
  readonly failure: CallFailure
  /** The protocol reply that came with the refusal of a crisis; else null. */
  readonly reply: string | null

  constructor(failure: CallFailure, reply: string | null = null) {
    super({ code: codeOf(failure), ...sentencesOf(failure) })
    this.failure = failure
    this.reply = reply
  }
}

const codeOf = (failure: CallFailure): string =>
  typeof failure === 'number' ? `refused_${failure}` : failure.replace(' ', '_')

function sentencesOf(failure: CallFailure): Sentences {
  if (failure === 'no answer') return noAnswer
  if (failure === 'unreadable') return unreadable
  return refusals[failure] ?? (failure >= 500 ? notReady : notUnderstood)
}
