import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectRoot } from '../../platform/project-root.ts'
import type { ReplyPrompt } from '../../platform/reply/index.ts'

const wordsSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  late: z.string().trim().min(1).max(500),
  late_in_spanish: z.string().trim().min(1).max(500),
  temperature: z.number().min(0).max(2),
  max_tokens: z.int().min(1).max(4000),
  system: z.string().trim().min(1),
})

/** The sentence that stands where no answer came in time, by language, and how a reply service is asked: `resources/replies.yaml`. */
export function readReplyWords(): { late: string; lateInSpanish: string; prompt: ReplyPrompt } {
  const file = join(projectRoot(), 'resources', 'replies.yaml')
  const {
    late,
    late_in_spanish: lateInSpanish,
    system,
    temperature,
    max_tokens,
  } = wordsSchema.parse(parse(readFileSync(file, 'utf8')))
  return { late, lateInSpanish, prompt: { system, temperature, max_tokens } }
}
