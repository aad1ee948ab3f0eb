/** An OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, or a hosted model. */
import type { ClinicalPrompt } from '../../analysis/index.ts'
import { largestBody, readCompletion } from './answer.ts'
import type { Ask } from './health.ts'
import { ClinicalFailure, failureOfStatus } from './failure.ts'
import { question } from './question.ts'

/** Asks `POST {url}/chat/completions`. No redirect is followed: the words go to the configured host and no other. */
export function httpService(
  { url, model, key }: { url: string; model: string; key: string | null },
  prompt: () => ClinicalPrompt,
): Ask {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  return async (message, recent, signal) => {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: JSON.stringify({ model, ...question(prompt(), message, recent) }),
      signal,
    })
    if (response.status !== 200) {
      // Unread bodies hold their connection.
      await response.body?.cancel()
      throw failureOfStatus(response.status)
    }
    return readCompletion(await readBody(response))
  }
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (size > largestBody) throw new ClinicalFailure('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
