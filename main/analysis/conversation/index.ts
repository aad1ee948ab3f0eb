/**
 * Meaning from the conversation: the answer to a direct question, and fragments that mean nothing alone.
 *
 * How far it goes. Read are the assistant's last turn (its last question, and dangers named in it or before it in the
 * same turn; the last 1,000 characters) and the student's message before. A direct question is one whose words are in
 * `conversation.yaml`; its answer is read by how it begins, up to 14 tokens as a whole. Affirmed about suicide it is a
 * crisis, about self-harm, harm to others or abuse high; what is neither yes nor no is high, silence caution; “no” and
 * “I meant the game” are nothing. Any other message of up to 14 tokens in which nothing was found is joined to the
 * student's message before it, and listed words of the last three turns (means, heights, farewells) make it caution.
 *
 * It raises and never lowers. Not read: turns further back, a question asked without a question mark, irony, and what
 * an unlisted noun means (“hot cheetos”, “the overpass”): after a direct question that counts as another matter.
 */
export { createConversationReader, type ConversationReader } from './reader.ts'
