/** Reading request bodies: bounded, and such that an oversized one can still be searched for danger. */
import type { Readable } from 'node:stream'
import type { MessageSender } from './intake.ts'

/** Bytes kept of one request; what follows is read and dropped. */
const largestRequest = 1024 * 1024
/** Bytes after which reading stops and the connection is given up. */
const mostDropped = 16 * 1024 * 1024

/** A body over `largestRequest`: its beginning, as text. */
export class OversizedBody {
  readonly beginning: string
  constructor(beginning: string) {
    this.beginning = beginning
  }
}

/** A body that is not JSON. Says nothing of what it was: parsers quote what they choke on. */
export class NotJson extends Error {
  constructor() {
    super('The body is not JSON.')
    this.name = 'NotJson'
  }
}

/** The parsed body, or an OversizedBody. Throws NotJson. */
export async function readBody(stream: Readable): Promise<unknown> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes < largestRequest) kept.push(chunk.subarray(0, largestRequest - bytes))
    bytes += chunk.length
    if (bytes > mostDropped) break
  }
  const text = Buffer.concat(kept).toString('utf8')
  if (bytes > largestRequest) return new OversizedBody(text)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new NotJson()
  }
}

/** What can be made out of the beginning of an oversized message; in doubt it is a student's. */
export function salvage({ beginning }: OversizedBody): {
  sender: MessageSender
  content: string
  client_message_id?: string
} {
  const sender = /"sender"\s*:\s*"(user|assistant|system)"/.exec(beginning)?.[1] as MessageSender | undefined
  const id = /"client_message_id"\s*:\s*"([^"\\]{1,200})"/.exec(beginning)?.[1]
  return {
    sender: sender ?? 'user',
    content: contentOf(beginning),
    ...(id === undefined ? {} : { client_message_id: id }),
  }
}

function contentOf(beginning: string): string {
  const opening = /"content"\s*:\s*"/.exec(beginning)
  if (!opening) return beginning
  const start = opening.index + opening[0].length
  const literal = beginning.slice(start, endOfString(beginning, start))
  // The cut may stand inside an escape: at most six characters (\uXXXX) are in doubt.
  for (let dropped = 0; dropped <= 6; dropped++) {
    try {
      return String(JSON.parse(`"${literal.slice(0, literal.length - dropped)}"`))
    } catch {
      continue
    }
  }
  return literal
}

/** Where the JSON string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return Math.min(index, text.length)
}
