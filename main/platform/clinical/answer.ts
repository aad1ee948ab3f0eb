/** Reads what a service said, strictly: anything but the one object asked for is a failure. */
import { z } from 'zod'
import { clinicalAnswerSchema, readAnswer, type ClinicalAnswer } from '../../analysis/index.ts'
import { ClinicalFailure } from './failure.ts'

/** Bytes of an answer's body; the object asked for has some hundred. */
export const largestBody = 65_536

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1),
})
const generatedSchema = z.object({ generated_text: z.string() })

/** The answer within a chat completion. Throws ClinicalFailure. */
export function readCompletion(body: Uint8Array): ClinicalAnswer {
  const completion = completionSchema.safeParse(parse(decode(body)))
  if (!completion.success) throw new ClinicalFailure('unreadable')
  return readObject(parse(completion.data.choices[0]!.message.content))
}

/**
 * The answer of a SageMaker container: a chat completion (vLLM, LMI, TGI), generated text (older containers),
 * or the object itself (a school's own). Throws ClinicalFailure.
 */
export function readInvocation(body: Uint8Array): ClinicalAnswer {
  const said = parse(decode(body))
  const completion = completionSchema.safeParse(said)
  if (completion.success) return readObject(parse(completion.data.choices[0]!.message.content))
  const generated = z.union([generatedSchema, z.tuple([generatedSchema]).transform(([only]) => only)]).safeParse(said)
  return readObject(generated.success ? parse(generated.data.generated_text) : said)
}

function readObject(said: unknown): ClinicalAnswer {
  const answer = readAnswer(clinicalAnswerSchema, said)
  if (!answer) throw new ClinicalFailure('unreadable')
  return answer
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ClinicalFailure('unreadable')
  }
}

/** The parser's own error would quote what it choked on. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ClinicalFailure('unreadable')
  }
}
