/** Transcripts as files hold them: one JSON object a line. */
import { z } from 'zod'
import { parseUtc } from '../../shared/time.ts'
import type { MessageSender } from '../station/intake/index.ts'

export interface Turn {
  sender: MessageSender
  text: string
  /** UTC milliseconds. */
  at: number
}

export interface Transcript {
  session_id: string
  student: string
  turns: Turn[]
}

/** A line that is no transcript: its number and what is wrong, never what it holds. */
export interface BadLine {
  line: number
  problem: string
}

const senders = { student: 'user', user: 'user', assistant: 'assistant', system: 'system' } as const

const time = z.union([
  z.number().finite(),
  z.string().transform((text, context) => {
    const at = parseUtc(text)
    if (at !== null) return at
    context.addIssue({ code: 'custom', message: 'is not an ISO 8601 time' })
    return z.NEVER
  }),
])

const transcriptSchema = z.object({
  session_id: z.string().min(1),
  student: z.string().trim().min(1).max(200),
  turns: z
    .array(
      z
        .object({ role: z.enum(['student', 'user', 'assistant', 'system']), text: z.string().min(1), at: time })
        .transform(({ role, text, at }): Turn => ({ sender: senders[role], text, at })),
    )
    .min(1),
})

/**
 * Reads `{session_id, student, turns: [{role, text, at}]}`, one a line; `at` is an ISO 8601 time or
 * UTC milliseconds. Blank lines are passed over.
 */
export async function* readTranscripts(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<{ transcript: Transcript } | { bad: BadLine }> {
  let line = 0
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    yield readLine(text, line)
  }
}

function readLine(text: string, line: number): { transcript: Transcript } | { bad: BadLine } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { bad: { line, problem: 'is not JSON' } }
  }
  const parsed = transcriptSchema.safeParse(value)
  if (parsed.success) return { transcript: parsed.data }
  const issue = parsed.error.issues[0]
  // Paths are names of our own fields and positions, never values.
  return { bad: { line, problem: `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is not valid'}` } }
}
