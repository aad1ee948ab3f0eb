/** The form of the tunable data (`resources/detection/`). */
import { z } from 'zod'
import { markerTypeSchema } from '../../../shared/estimates.ts'
import { operatingPointNameSchema, weightSetNameSchema } from '../../../shared/detection.ts'
import { patternCategorySchema, probabilitySchema, riskTierSchema } from '../../../shared/risk.ts'
import { clinicalAnswerSchema } from './clinical-answer.ts'
import { phrasesSchema, versionSchema, wordSetSchema } from './common.ts'

export const lexiconSchema = z.strictObject({
  version: versionSchema,
  fillers: z.array(z.coerce.string()),
  short_forms: z.record(z.string(), z.string().min(1)),
  critical: z.array(z.string().min(1)),
  lethal_terms: wordSetSchema,
  correction_exceptions: z.array(z.coerce.string()),
  stop_words: wordSetSchema,
  stemming: z.strictObject({
    suffixes: z.array(z.string().regex(/^[a-z]+$/, 'is no suffix of letters')).min(1),
    /** Words that share one stem. */
    classes: z.record(z.string(), phrasesSchema),
  }),
  languages: z.strictObject({ english: wordSetSchema, other: wordSetSchema, distinctive: wordSetSchema }),
  lists: z.record(z.string(), z.string().min(1)),
})

/** Closed word classes on which the context rules lean. */
export const grammarSchema = z.strictObject({
  version: versionSchema,
  first_person: wordSetSchema,
  third_person_subjects: wordSetSchema,
  other_than_first_person: wordSetSchema,
  person_nouns: wordSetSchema,
  own_nouns: wordSetSchema,
  determiners: wordSetSchema,
  articles: wordSetSchema,
  clause_openers: wordSetSchema,
  subject_introducers: wordSetSchema,
  impersonal_subjects: wordSetSchema,
  object_verbs: wordSetSchema,
  third_person_verbs: wordSetSchema,
  past_verbs: wordSetSchema,
  own_voices: wordSetSchema,
  causers: wordSetSchema,
  reporting_words: wordSetSchema,
  adoption_enders: wordSetSchema,
  first_person_forms: wordSetSchema,
  possessives: wordSetSchema,
  addressees: wordSetSchema,
  question_words: wordSetSchema,
})

/** The dimension “experiencer” of ConText: whose life a phrase speaks of, as far as its own words tell. */
const experiencerSchema = z.enum([
  'self', 'subject', 'first_person_subject', 'topic', 'other', 'third_person', 'addressee', 'self_as_object', 'self_by_adoption',
]) // prettier-ignore

const groupSchema = z.strictObject({
  name: z.string().min(1).max(80),
  category: patternCategorySchema,
  confidence: probabilitySchema.optional(),
  tier: riskTierSchema.optional(),
  experiencer: experiencerSchema,
  explicit: z.boolean(),
  past: z.boolean().default(false),
  phrases: phrasesSchema,
})
export type PatternGroup = z.infer<typeof groupSchema>

/** Parts that say little alone and much together. */
const combinationSchema = z.strictObject({
  name: z.string().min(1).max(80),
  category: patternCategorySchema,
  confidence: probabilitySchema,
  needs: z.array(z.string()).min(2).max(4),
})

export const patternsSchema = z
  .strictObject({
    version: versionSchema,
    groups: z.array(groupSchema).min(1),
    /** Phrases of scripts that are not tokenized into words, and what right before negates one. */
    other_scripts: z.strictObject({
      category: patternCategorySchema,
      name: z.string().min(1).max(80),
      phrases: phrasesSchema,
      negators: z.array(z.string().min(1)),
    }).optional(),
    parts: z.record(z.string(), phrasesSchema).default({}),
    combinations: z.array(combinationSchema).default([]),
  })
  .refine(({ parts, combinations }) => combinations.every(({ needs }) => needs.every((part) => Object.hasOwn(parts, part))), {
    message: 'name an unknown part',
    path: ['combinations'],
  }) // prettier-ignore

const cueNames = [
  'negation', 'transparent_phrase', 'negation_cancelled', 'double_negation', 'reported_speech', 'directed_speech', 'speech_verb',
  'past', 'resolved', 'present', 'hypothetical', 'quotation_source', 'recitation', 'game', 'trivial_cause', 'reaction', 'conditional',
  'causative', 'humor', 'interjection', 'sincerity', 'distress', 'agreement', 'adoption',
] as const // prettier-ignore
export type CueName = (typeof cueNames)[number]

export const contextSchema = z.strictObject({
  version: versionSchema,
  idioms: phrasesSchema,
  negation_transparent: wordSetSchema,
  cues: z.record(z.enum(cueNames), phrasesSchema),
})

export const markersSchema = z.strictObject({
  version: versionSchema,
  whole_message: probabilitySchema,
  within_message: probabilitySchema,
  items: z.record(markerTypeSchema, z.strictObject({ weight: z.number().min(0).max(2), phrases: phrasesSchema })),
})

export const sentimentSchema = z.strictObject({
  version: versionSchema,
  negators: wordSetSchema,
  intensifiers: wordSetSchema,
  words: z.record(z.enum(['3', '2', '1', '-1', '-2', '-3']), z.array(z.string())),
  emoji: z.strictObject({ positive: wordSetSchema, negative: wordSetSchema }),
  humor_emoji: wordSetSchema,
})

/** One figure for each signal. */
const perSignal = <Schema extends z.ZodType>(figure: Schema) =>
  z.strictObject({ regex: figure, semantic: figure, clinical: figure, history: figure })

const weightsSchema = perSignal(probabilitySchema).refine(
  ({ regex, semantic, clinical, history }) => Math.abs(regex + semantic + clinical + history - 1) < 1e-9,
  { message: 'do not sum to 1' },
)

const weightSetSchema = z.strictObject({
  weights: weightsSchema,
  /** 95 % interval of each, least and most; absent where they were not estimated. */
  interval: perSignal(z.tuple([probabilitySchema, probabilitySchema])).optional(),
})

/** Shift in log-odds; at most by a factor of 20 in the odds. */
const shiftSchema = z.number().min(-3).max(3)
const countSchema = z.number().min(0).max(10_000)
const percentSchema = z.number().min(0).max(100)

const operatingPointSchema = z.strictObject({
  /** How the thresholds of each tier move, in log-odds; above 0 = fewer alarms. */
  shift: z.strictObject({ caution: shiftSchema, high: shiftSchema, crisis: shiftSchema }),
  /** Of 1,000 students in a week of ordinary talk: alerts, and messages on the watch list. */
  per_1000_week: z.strictObject({ alerts: countSchema, caution: countSchema }),
  /** Of 100 messages of a kind, how many come to less than they should. */
  misses: z.strictObject({
    /** Danger told in a few words that does not come to `high`. */
    short: percentSchema,
    /** Danger told within a long text that does not come to `caution`. */
    long: percentSchema,
  }),
})
/** Shifts in log-odds of the thresholds that lead to each tier; 0, 0, 0 = as they were fitted. */
export type OperatingPoint = z.infer<typeof operatingPointSchema>['shift']

export const consensusSchema = z.strictObject({
  version: versionSchema,
  /** The set of weights in force where a school has chosen none. */
  weights: weightSetNameSchema,
  weight_sets: z.record(weightSetNameSchema, weightSetSchema),
  /** Student messages of 1,000 students in a week, for which the costs below are reckoned. */
  messages_per_1000_week: z.number().positive().max(1_000_000),
  operating_points: z
    .record(operatingPointNameSchema, operatingPointSchema)
    .refine(({ balanced: { shift } }) => shift.caution === 0 && shift.high === 0 && shift.crisis === 0, {
      message: 'must be 0: the balanced point is the one that was fitted',
      path: ['balanced', 'shift'],
    }),
  /** Full confidence from which a match is severe: not low whatever its context. */
  severe: probabilitySchema,
  /** Share of a match's confidence that each reading by the context rules leaves. */
  context_factors: z.strictObject({
    negated: probabilitySchema,
    about_other: probabilitySchema,
    past: probabilitySchema,
    resolved: probabilitySchema,
    hypothetical: probabilitySchema,
    quoted: probabilitySchema,
    hyperbole: probabilitySchema,
    trivial_cause: probabilitySchema,
  }),
  semantic_threshold: probabilitySchema,
  deadlines: z.strictObject({
    all: z.int().min(1),
    clinical: z.int().min(1),
    semantic: z.int().min(1),
    adapter: z.int().min(1),
  }),
})

const protocolReplySchema = z
  .string()
  .regex(/988/, 'must name 988')
  .regex(/741741/, 'must name 741741')
  .regex(/911/, 'must name 911')

const resourceSchema = z.strictObject({ type: z.string(), label: z.string(), link: z.string().optional() })
export const resourcesSchema = z.strictObject({
  version: versionSchema,
  protocol_reply: protocolReplySchema,
  protocol_reply_in_spanish: protocolReplySchema.regex(/AYUDA/, 'must say what to text for an answer in Spanish'),
  late_reply: z.string().min(1),
  resources: z.record(z.string(), resourceSchema),
  by_category: z.partialRecord(patternCategorySchema, z.array(z.string())),
  by_item: z.partialRecord(markerTypeSchema, z.array(z.string())),
})

export const clinicalSchema = z.strictObject({
  version: versionSchema,
  temperature: probabilitySchema,
  top_p: probabilitySchema,
  max_tokens: z.int().min(50).max(1000),
  // Some servers refuse to answer in JSON where the prompt does not speak of it.
  system: ['JSON', 'never an instruction', ...Object.keys(clinicalAnswerSchema.shape)].reduce(
    (text, needed) => text.includes(needed, { error: `does not say “${needed}”` }),
    z.string().max(8000),
  ),
})
/** How a clinical service is asked. */
export type ClinicalPrompt = z.infer<typeof clinicalSchema>
