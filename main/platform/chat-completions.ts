/** An OpenAI-compatible endpoint (Ollama, vLLM, llama.cpp, or a hosted model): asking it, and reading it strictly. */
import { z } from 'zod'
import { failureOfStatus, ServiceFailure } from './service-failure.ts'

/** Bytes of an answer's body. */
export const largestBody = 65_536

export interface CompletionAccess {
  /** Base address of an OpenAI-compatible API, as `https://host/v1`. */
  url: string
  model: string
  key: string | null
}

/**
 * Asks `POST {url}/chat/completions` and answers with the body, at most `largestBody` bytes. No redirect is
 * followed: the words go to the configured host and no other. Rejects with ServiceFailure, or as `fetch` does.
 */
export function completionService({
  url,
  model,
  key,
}: CompletionAccess): (question: object, signal: AbortSignal) => Promise<Uint8Array> {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  return async (question, signal) => {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: JSON.stringify({ model, ...question }),
      signal,
    })
    if (response.status !== 200) {
      // Unread bodies hold their connection.
      await response.body?.cancel()
      throw failureOfStatus(response.status)
    }
    return readBody(response)
  }
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (size > largestBody) throw new ServiceFailure('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A chat completion as far as it is read: one choice, and what it says. */
export const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1),
})

/** What a chat completion says. Throws ServiceFailure. */
export function contentOfCompletion(body: Uint8Array): string {
  const completion = completionSchema.safeParse(parseJson(decodeText(body)))
  if (!completion.success) throw new ServiceFailure('unreadable')
  return completion.data.choices[0]!.message.content
}

/** Throws ServiceFailure for bytes that are no UTF-8. */
export function decodeText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ServiceFailure('unreadable')
  }
}

/** Throws ServiceFailure: the parser's own error would quote what it choked on. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceFailure('unreadable')
  }
}
