/** A service that answers students, behind one function: an OpenAI-compatible endpoint and how it is asked. */
import { completionService, contentOfCompletion, type CompletionAccess } from '../chat-completions.ts'
import { ServiceFailure } from '../service-failure.ts'

/** Where replies are asked for; set by the environment, see main/configuration. */
export type ReplyAccess = CompletionAccess

/** One turn of a conversation, as chat completions name who speaks. */
export interface Turn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** How the service is asked. */
export interface ReplyPrompt {
  system: string
  temperature: number
  max_tokens: number
}

/** Asks for the next words of the assistant. Rejects with ServiceFailure, or as `fetch` does; never quotes a word. */
export type AskReply = (turns: readonly Turn[], signal: AbortSignal) => Promise<string>

/** Characters of a reply; a longer one is no answer to a student. */
const longestReply = 8_000

/** Reaches the service; nothing is asked of it yet. */
export function replyService(access: ReplyAccess, { system, temperature, max_tokens }: ReplyPrompt): AskReply {
  const complete = completionService(access)
  return async (turns, signal) => {
    const messages = [{ role: 'system', content: system }, ...turns]
    const said = contentOfCompletion(await complete({ messages, temperature, max_tokens, stream: false }, signal))
    const reply = said.trim()
    if (reply === '' || reply.length > longestReply) throw new ServiceFailure('unreadable')
    return reply
  }
}
