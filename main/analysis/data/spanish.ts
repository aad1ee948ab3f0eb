/** The form of the Spanish data: in one file what the other files hold for English. */
import { z } from 'zod'
import { markerTypeSchema } from '../../../shared/estimates.ts'
import { phrasesSchema, versionSchema, wordSetSchema } from './common.ts'
import { contextSchema, grammarSchema, lexiconSchema, patternsSchema, sentimentSchema } from './schema.ts'

const { fillers, short_forms, critical, correction_exceptions, lethal_terms, lists } = lexiconSchema.shape
const { version: _, ...wordClasses } = grammarSchema.shape
const { idioms, negation_transparent, cues } = contextSchema.shape
const { negators, intensifiers, words } = sentimentSchema.shape

export const spanishSchema = z.strictObject({
  version: versionSchema,
  /** How a message is recognized as one that holds Spanish. */
  words: z.strictObject({
    /** Words of no other language met here: one is enough. */
    certain: wordSetSchema,
    /** Words met elsewhere, too: three different ones are enough. */
    common: wordSetSchema,
    /** Words of both languages, which speak for neither. */
    shared: wordSetSchema,
  }),
  lexicon: z.strictObject({ fillers, short_forms, critical, correction_exceptions, lethal_terms, lists }),
  grammar: z.strictObject({
    ...z.object(wordClasses).partial().shape,
    /** English words that mean something else in a message that holds Spanish. */
    except: z.partialRecord(z.enum(Object.keys(wordClasses) as (keyof typeof wordClasses)[]), wordSetSchema),
  }),
  patterns: patternsSchema.shape.groups,
  context: z.strictObject({ idioms, negation_transparent, cues: z.partialRecord(cues.keyType, phrasesSchema) }),
  markers: z.partialRecord(markerTypeSchema, phrasesSchema),
  sentiment: z.strictObject({ negators, intensifiers, words }),
})
export type SpanishData = z.infer<typeof spanishSchema>

type Grammar = Omit<z.infer<typeof grammarSchema>, 'version'>

/** The word classes of a message that holds both languages. */
export function bilingualGrammar(english: Grammar, { except, ...spanish }: SpanishData['grammar']): Grammar {
  const classes = Object.keys(wordClasses) as (keyof Grammar)[]
  const merged = classes.map((name) => {
    const own = [...english[name]].filter((word) => !except[name]?.has(word))
    return [name, new Set([...own, ...(spanish[name] ?? [])])] as const
  })
  return Object.fromEntries(merged) as unknown as Grammar
}
