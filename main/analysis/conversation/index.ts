/** Meaning from the conversation: the answer to a direct question, and fragments that mean nothing alone. */
export { createConversationReader, type ConversationReader } from './reader.ts'
