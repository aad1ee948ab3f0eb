/** Reads what a service said, strictly: anything but the one object asked for is a failure. */
import { z } from 'zod'
import { clinicalAnswerSchema, readAnswer, type ClinicalAnswer } from '../../analysis/index.ts'
import { completionSchema, contentOfCompletion, decodeText, parseJson } from '../chat-completions.ts'
import { ServiceFailure } from '../service-failure.ts'

const generatedSchema = z.object({ generated_text: z.string() })

/** The answer within a chat completion. Throws ServiceFailure. */
export function readCompletion(body: Uint8Array): ClinicalAnswer {
  return readObject(parseJson(contentOfCompletion(body)))
}

/**
 * The answer of a SageMaker container: a chat completion (vLLM, LMI, TGI), generated text (older containers),
 * or the object itself (a school's own). Throws ServiceFailure.
 */
export function readInvocation(body: Uint8Array): ClinicalAnswer {
  const said = parseJson(decodeText(body))
  const completion = completionSchema.safeParse(said)
  if (completion.success) return readObject(parseJson(completion.data.choices[0]!.message.content))
  const generated = z.union([generatedSchema, z.tuple([generatedSchema]).transform(([only]) => only)]).safeParse(said)
  return readObject(generated.success ? parseJson(generated.data.generated_text) : said)
}

function readObject(said: unknown): ClinicalAnswer {
  const answer = readAnswer(clinicalAnswerSchema, said)
  if (!answer) throw new ServiceFailure('unreadable')
  return answer
}
