/** How a chat says its lines: on a crisis it shows, and keeps, the protocol reply and nothing else. */
import { seconds } from '../../shared/time.ts'
import type { Received } from './ports.ts'

export interface Said {
  sender: 'user' | 'assistant'
  content: string
  client_message_id: string
}

export interface Talk {
  /** The protocol reply has answered the student's last message. */
  answered: boolean
}

/**
 * Sends one line. Where the intake answers with the protocol reply, that is sent as the assistant's line
 * (`later` milliseconds after the student's), and a written answer to the same message is left out.
 */
export async function talk(
  state: Talk,
  send: (message: Said & { later: number }) => Promise<Received>,
  message: Said,
): Promise<void> {
  if (message.sender === 'assistant') {
    if (!state.answered) await send({ ...message, later: 0 })
    return
  }
  const { reply } = await send({ ...message, later: 0 })
  state.answered = reply !== null
  if (reply === null) return
  const client_message_id = `${message.client_message_id}-reply`
  await send({ sender: 'assistant', content: reply, client_message_id, later: seconds(1) })
}
