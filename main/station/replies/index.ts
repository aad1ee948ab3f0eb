/** What a student is answered: asked for beside the decision about a message, never before it. */
export { createReplies, type Replies } from './replies.ts'
export { openReplies } from './open.ts'
export { readReplyWords } from './words.ts'
