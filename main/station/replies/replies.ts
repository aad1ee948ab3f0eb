import { seconds } from '../../../shared/time.ts'
import { createCircuit } from '../../platform/circuit.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import type { AskReply, Turn } from '../../platform/reply/index.ts'
import type { AnswerLanguage } from '../../analysis/index.ts'
import type { SchoolIntake } from '../intake/index.ts'
import { Refusal, type BufferedMessage, type Receipt } from '../sessions/index.ts'

/** What the chat shows for the assistant. */
interface Assistant {
  text: string
  /** No answer came in time: this is the fixed sentence. What comes later is found with the session. */
  late: boolean
}

export interface Replies {
  /**
   * Receives a message and asks for its answer meanwhile. On a crisis the answer is null whatever a model said: the
   * protocol stands. Throws what the intake throws.
   */
  receive(
    intake: SchoolIntake,
    message: Parameters<SchoolIntake['receive']>[0],
  ): Promise<{ receipt: Receipt; assistant: Assistant | null }>
  /** Whether the service is left alone for a while, after failures in a row. */
  resting(): boolean
  /** Gives up what has not been answered yet. */
  stop(): Promise<void>
}

/** How long a student waits for an answer, and how long it may still come after that (milliseconds). */
const deadline = seconds(2)
const longestWait = seconds(30)
/** Answers that are remembered for senders that send a message again. */
const mostRemembered = 1000
/** Turns of a conversation that the service reads. */
const mostTurns = 20

interface Question {
  /** The answer, or null once it did not come in time or is none. */
  inTime: Promise<string | null>
  /** The answer whenever it comes; null where nobody was asked. */
  whenever(): Promise<string> | null
  /** Nobody needs the answer any more. Until the deadline it is heard all the same: it tells how the service fares. */
  drop(): void
  giveUp(): void
}

export function createReplies({
  ask,
  late,
  lateInSpanish = late,
  answerLanguage = () => 'english',
  clock,
  logger,
}: {
  ask: AskReply
  /** The fixed sentence where no answer came in time. */
  late: string
  /** The same in Spanish; without one it stands in English. */
  lateInSpanish?: string
  /** What somebody who writes so is answered in; English where nobody can tell. */
  answerLanguage?: (text: string) => AnswerLanguage
  clock: Clock
  logger: Logger
}): Replies {
  const circuit = createCircuit(clock)
  const open = new Set<Question>()
  const storing = new Set<Promise<void>>()
  const answered = new Map<string, Promise<Assistant>>()

  const lateWordsFor = (content: string): string => {
    const language = answerLanguage(content)
    return language === 'english' ? late : language === 'spanish' ? lateInSpanish : `${lateInSpanish}\n${late}`
  }

  function begin(turns: readonly Turn[]): Question {
    const late = new AbortController()
    const whole = new AbortController()
    const cancels = [clock.after(deadline, () => late.abort()), clock.after(longestWait, () => whole.abort())]
    let answer: Promise<string> | null = null
    const asking = (): Promise<string> => {
      answer = ask(turns, whole.signal)
      answer.catch(() => undefined).finally(end)
      return answer
    }
    const onFailed = (error: unknown, inARow: number): void => {
      const given = whole.signal.aborted && !late.signal.aborted
      const why = late.signal.aborted ? 'late' : ((error as { why?: unknown }).why ?? 'unreachable')
      if (inARow <= 3 && !given) logger.warn({ why, failures: inARow }, 'the reply service failed')
    }
    const question: Question = {
      inTime: circuit.call(late.signal, asking, onFailed).catch(() => {
        if (answer === null) end()
        return null
      }),
      whenever: () => answer,
      drop: () => void question.inTime.then(() => question.giveUp()),
      giveUp() {
        whole.abort()
        end()
      },
    }
    function end(): void {
      for (const cancel of cancels) cancel()
      open.delete(question)
    }
    open.add(question)
    return question
  }

  async function answerTo(
    asking: Promise<Question | null>,
    intake: SchoolIntake,
    receipt: Receipt,
    content: string,
  ): Promise<Assistant> {
    const question = await asking
    if (question === null) return { text: lateWordsFor(content), late: true }
    const text = await question.inTime
    if (text !== null) return { text: await store(intake, receipt, text), late: false }
    const storingLate = storeLate(question, intake, receipt).finally(() => void storing.delete(storingLate))
    storing.add(storingLate)
    return { text: lateWordsFor(content), late: true }
  }

  /** Keeps an answer as the assistant's message. Answers the words that stand: an earlier answer is not replaced. */
  async function store(
    intake: SchoolIntake,
    { session_id, message_id, sequence }: Receipt,
    content: string,
    more: { unless_crisis_after?: number } = {},
  ) {
    const id = { client_message_id: `reply:${message_id}` }
    try {
      await intake.receive({ session_id, sender: 'assistant', content, ...id, ...more })
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'overtaken') return content
      const kept = error instanceof Refusal && error.kind === 'reused'
      if (!kept) logger.error({ error }, 'an answer could not be stored')
      else return (await followersOf(intake, session_id, sequence)).find(isAnswer)?.content ?? content
    }
    return content
  }

  /**
   * What came too late is found with the session, unless a crisis came in between: then the protocol stands. What is
   * not decided yet may be one.
   */
  async function storeLate(question: Question, intake: SchoolIntake, receipt: Receipt): Promise<void> {
    try {
      const text = await question.whenever()
      if (text === null) return
      // Looked at and stored in one unit: nothing comes in between.
      await store(intake, receipt, text, { unless_crisis_after: receipt.sequence })
    } catch {
      // No answer at all: the fixed sentence was all there is. The circuit has said so.
    }
  }

  return {
    resting: () => circuit.resting(),
    async receive(intake, message) {
      if (message.sender !== 'user') return { receipt: await intake.receive(message), assistant: null }
      let isNeeded = true
      const asking = turnsUpTo(intake, message).then((turns) => (turns && isNeeded ? begin(turns) : null))
      const drop = (): void => {
        isNeeded = false
        void asking.then((question) => question?.drop())
      }
      let receipt: Receipt
      try {
        // Begun without waiting for the conversation: whether that can be read decides nothing about a crisis.
        receipt = await intake.receive(message)
      } catch (error) {
        drop()
        throw error
      }
      if (receipt.reply !== null) {
        drop()
        return { receipt, assistant: null }
      }
      const earlier = answered.get(receipt.message_id)
      if (earlier) drop()
      const assistant = earlier ?? answerTo(asking, intake, receipt, message.content)
      answered.set(receipt.message_id, assistant)
      const [oldest] = answered.size > mostRemembered ? answered.keys() : []
      if (oldest !== undefined) answered.delete(oldest)
      return { receipt, assistant: await assistant }
    },
    async stop() {
      for (const question of [...open]) question.giveUp()
      await Promise.all(storing)
    },
  }
}

/**
 * The conversation with its newest message, as far as the rolling buffer keeps it: the message alone where that cannot
 * be read, null where there is no such session.
 */
async function turnsUpTo(
  intake: SchoolIntake,
  { session_id, content }: { session_id: string; content: string },
): Promise<Turn[] | null> {
  const newest: Turn = { role: 'user', content }
  try {
    const { buffer } = await intake.session(session_id)
    const roles = { student: 'user', assistant: 'assistant', system: 'system' } as const
    const before = buffer.flatMap((message): Turn[] =>
      message.content === null ? [] : [{ role: roles[message.role], content: message.content }],
    )
    const last = before.at(-1)
    // It may have been stored while this was read.
    if (last?.role === newest.role && last.content === content) before.pop()
    return [...before.slice(1 - mostTurns), newest]
  } catch (error) {
    return error instanceof Refusal ? null : [newest]
  }
}

/** What was said in a session after a message, as far as the rolling buffer keeps it. */
async function followersOf(intake: SchoolIntake, sessionId: string, sequence: number): Promise<BufferedMessage[]> {
  const { buffer } = await intake.session(sessionId)
  return buffer.filter((message) => message.sequence > sequence)
}

const isAnswer = ({ role }: BufferedMessage): boolean => role === 'assistant'
