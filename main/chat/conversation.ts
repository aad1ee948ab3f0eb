/** One session from its start to its end: every line a person or a script says is sent, in order, each once. */
import type { SessionSummary } from '../../shared/events.ts'
import type { Clock, Randomness } from '../platform/ports.ts'
import { CallFailed } from './call-failed.ts'
import type { Answer, IntakeClient, Waiting } from './client.ts'
import { lateAnswers } from './late-answers.ts'

/** What was said: words to send; or something that is no line of a script, and why. */
export type Said = { content: string; problem?: never } | { problem: string; content?: never }

/** What a call was about, where it failed. */
export type Attempted = 'message' | 'kept reply' | 'end'

/** Where a chat is shown: a terminal for people, or lines of JSON for scripts. */
export interface Screen {
  opened(sessionId: string): void
  answered(answer: Answer): void
  /** The assistant's answer to an earlier message. */
  answeredLate(text: string): void
  /** No answer yet; the same call is made again. */
  waiting(waiting: Waiting): void
  failed(failure: CallFailed, attempted: Attempted): void
  misread(problem: string): void
  ended(summary: SessionSummary): void
}

interface ConversationOptions {
  client: IntakeClient
  /** Id of the student, as the school's chat would give it. */
  user_id: string
  screen: Screen
  clock: Clock
  randomness: Randomness
  /** Ends it early: nothing more is waited for, and the session is ended. */
  signal: AbortSignal
}

/**
 * Says everything and ends the session. False when something said was not delivered or could not be read.
 * Rejects with CallFailed where no session could be begun.
 */
export async function converse(said: AsyncIterable<Said>, options: ConversationOptions): Promise<boolean> {
  const { client, user_id, screen, clock, randomness, signal } = options
  const { session_id } = await orGivenUp(client.startSession({ user_id, metadata: { channel: 'terminal' } }), signal)
  screen.opened(session_id)
  const over = new AbortController()
  const late = lateAnswers({
    client,
    sessionId: session_id,
    clock,
    signal: AbortSignal.any([signal, over.signal]),
    hear: (text) => screen.answeredLate(text),
  })
  let whole = true
  const attempt = async <Result>(attempted: Attempted, call: Promise<Result>): Promise<Result | null> => {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      whole = false
      screen.failed(error, attempted)
      return null
    }
  }

  for await (const { content, problem } of said) {
    if (problem !== undefined) {
      whole = false
      screen.misread(problem)
      continue
    }
    const client_message_id = randomness.uuid()
    const sent = client.send(session_id, { sender: 'user', content, client_message_id })
    const answer = await attempt('message', orGivenUp(sent, signal))
    if (answer === null) continue
    screen.answered(answer)
    if (answer.assistant?.late) late.expect(answer.sequence)
    else if (answer.assistant) late.shown(answer.assistant.text)
    if (!isProtocolReply(answer)) continue
    late.shown(answer.reply)
    // What the chat has shown stands in the session, as the assistant's words.
    const shown = {
      sender: 'assistant',
      content: answer.reply,
      client_message_id: `${client_message_id}-reply`,
    } as const
    await attempt('kept reply', orGivenUp(client.send(session_id, shown), signal))
  }

  over.abort()
  const summary = await attempt('end', client.endSession(session_id))
  if (summary !== null) screen.ended(summary)
  return whole
}

/** Whether what is shown is the fixed text of a crisis, and not an assistant's answer. */
export function isProtocolReply(answer: Answer): answer is Answer & { reply: string } {
  return answer.reply !== null && answer.tier === 'crisis'
}

/** The call, or as soon as it is given up, a failure: a try under way may take long to fail by itself. */
async function orGivenUp<Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stop = new AbortController()
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new CallFailed('no answer'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { signal: stop.signal })
  })
  try {
    return await Promise.race([call, givenUp])
  } finally {
    stop.abort()
    // Whichever comes second is nobody's business any more.
    call.catch(() => undefined)
    givenUp.catch(() => undefined)
  }
}
