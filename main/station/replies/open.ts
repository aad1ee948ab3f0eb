import { replyService, type AskReply, type ReplyAccess } from '../../platform/reply/index.ts'
import { readReplyWords } from './words.ts'

/** Who answers students, as desk and station are configured, and the sentence where no answer comes in time; null = nobody. */
export function openReplies(access: ReplyAccess | null): { ask: AskReply; late: string; lateInSpanish: string } | null {
  if (access === null) return null
  const { prompt, ...words } = readReplyWords()
  return { ask: replyService(access, prompt), ...words }
}
