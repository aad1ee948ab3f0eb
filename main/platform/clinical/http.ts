import type { ClinicalPrompt } from '../../analysis/index.ts'
import { completionService, type CompletionAccess } from '../chat-completions.ts'
import { readCompletion } from './answer.ts'
import type { Ask } from './health.ts'
import { question } from './question.ts'

/** Asks an OpenAI-compatible endpoint. */
export function httpService(access: CompletionAccess, prompt: () => ClinicalPrompt): Ask {
  const complete = completionService(access)
  return async (message, recent, signal) => readCompletion(await complete(question(prompt(), message, recent), signal))
}
