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

/** A body that cannot be read as what it should be: its text, in which a student may have said something. */
export class UnreadableText {
  readonly text: string
  /** Whether it is of another content type than JSON. */
  readonly isOtherType: boolean
  constructor(text: string, isOtherType: boolean) {
    this.text = text
    this.isOtherType = isOtherType
  }
}

/** A body of another content type than JSON. */
export class OtherType extends Error {
  readonly statusCode = 415
}

/** A body that is not JSON. Says nothing of what it was: parsers quote what they choke on. */
export class NotJson extends Error {
  constructor() {
    super('The body is not JSON.')
    this.name = 'NotJson'
  }
}

/** The parsed body, an OversizedBody, or an UnreadableText where it is no JSON, or `isOtherType`. */
export async function readBody(stream: Readable, isOtherType = false): Promise<unknown> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes < largestRequest) kept.push(chunk.subarray(0, largestRequest - bytes))
    bytes += chunk.length
    if (bytes > mostDropped) break
  }
  const all = Buffer.concat(kept)
  const text = all.toString('utf8')
  if (bytes > largestRequest) return new OversizedBody(text)
  if (isOtherType) return new UnreadableText(decoded(all), true)
  try {
    return JSON.parse(text) as unknown
  } catch {
    return new UnreadableText(decoded(all), false)
  }
}

/** Text as its bytes are: UTF-16 by its mark, or by the zeros between the letters; else UTF-8. */
function decoded(bytes: Buffer): string {
  const zeros = [0, 1].map((odd) => bytes.filter((byte, index) => byte === 0 && index % 2 === odd).length)
  const isBig = (bytes[0] === 0xfe && bytes[1] === 0xff) || (zeros[0] ?? 0) > bytes.length / 4
  const isLittle = (bytes[0] === 0xff && bytes[1] === 0xfe) || (zeros[1] ?? 0) > bytes.length / 4
  return new TextDecoder(isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'utf-8').decode(bytes)
}

interface Salvaged {
  sender: MessageSender
  content: string
  client_message_id?: string
}

/** What can be made out of a message that is refused, whatever its form; in doubt it is a student's. */
export function salvage(body: unknown): Salvaged {
  if (body instanceof OversizedBody) return salvageText(body.beginning)
  if (body instanceof UnreadableText) return salvageText(body.text)
  const { sender, content, client_message_id: id } = (body ?? {}) as Record<string, unknown>
  const named = typeof sender === 'string' ? sender.trim().toLowerCase() : ''
  return {
    sender: named === 'assistant' || named === 'system' ? named : 'user',
    content: textIn(content) || textIn(body),
    ...(typeof id === 'string' && /^[^\0]{1,200}$/.test(id) ? { client_message_id: id } : {}),
  }
}

/** All text in a value, one after the other: level by level, for the stack does not take every depth. */
function textIn(value: unknown): string {
  const texts: string[] = []
  for (let level: unknown[] = [value]; level.length > 0;) {
    const below: unknown[] = []
    for (const each of level) {
      if (typeof each === 'string') texts.push(each)
      else if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) below.push(inner)
    }
    level = below
  }
  return texts.join('\n')
}

function salvageText(beginning: string): Salvaged {
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
