/** The tunable data of the engine (`resources/detection/*.yaml`): its form, and reading it with a clear refusal. */
import { parse } from 'yaml'
import { z } from 'zod'
import { markerTypeSchema } from '../../shared/estimates.ts'
import { patternCategorySchema, probabilitySchema, riskTierSchema } from '../../shared/risk.ts'
import { mannerSchema } from './manner.ts'
import { clinicalAnswerSchema } from './ports.ts'

const version = z.string().regex(/^\d+\.\d+\.\d+$/, 'is not a version such as 1.0.0')
const phrases = z.array(z.string().min(1)).min(1)

const wordsSchema = z.strictObject({
  version,
  fillers: z.array(z.coerce.string()),
  short_forms: z.record(z.string(), z.string().min(1)),
  critical: z.array(z.string().min(1)),
  deadly: z.array(z.string().min(1)),
  look_alikes: z.array(z.coerce.string()),
  lists: z.record(z.string(), z.string().min(1)),
})

export const speakerSchema = z.enum([
  'self',
  'subject',
  'first',
  'topic',
  'other',
  'third',
  'address',
  'other_to_self',
  'taken_up',
])
/** Whose life a phrase speaks of, as far as the words themselves tell. */
export type Speaker = z.infer<typeof speakerSchema>

const groupSchema = z.strictObject({
  name: z.string().min(1).max(80),
  category: patternCategorySchema,
  confidence: probabilitySchema.optional(),
  tier: riskTierSchema.optional(),
  speaker: speakerSchema,
  explicit: z.boolean(),
  past: z.boolean().default(false),
  phrases,
})
export type PatternGroup = z.infer<typeof groupSchema>

/** Parts that say little alone and much together. */
const combinationSchema = z.strictObject({
  name: z.string().min(1).max(80),
  category: patternCategorySchema,
  confidence: probabilitySchema,
  needs: z.array(z.string()).min(2).max(4),
})

const patternsSchema = z
  .strictObject({
    version,
    groups: z.array(groupSchema).min(1),
    /** Phrases of scripts that are not read word by word, and what right before takes one back. */
    scripts: z.strictObject({
      category: patternCategorySchema,
      name: z.string().min(1).max(80),
      phrases,
      negators: z.array(z.string().min(1)),
    }).optional(),
    parts: z.record(z.string(), phrases).default({}),
    combinations: z.array(combinationSchema).default([]),
  })
  .refine(({ parts, combinations }) => combinations.every(({ needs }) => needs.every((part) => Object.hasOwn(parts, part))), {
    message: 'name an unknown part',
    path: ['combinations'],
  }) // prettier-ignore

export const cueNames = [
  'negation', 'light_phrase', 'undenied', 'double', 'reported', 'told_to', 'past', 'resolved', 'present', 'hypothetical', 'quotation',
  'recital', 'game', 'trivial', 'reaction', 'conditional', 'makes_me', 'humour', 'opener', 'serious', 'distress',
  'agreement', 'taken_up', 'said',
] as const // prettier-ignore
export type CueName = (typeof cueNames)[number]

const contextSchema = z.strictObject({
  version,
  idioms: phrases,
  light: z.array(z.string()),
  cues: z.record(z.enum(cueNames), phrases),
})

const markersSchema = z.strictObject({
  version,
  whole_message: probabilitySchema,
  within_message: probabilitySchema,
  items: z.record(markerTypeSchema, z.strictObject({ weight: z.number().min(0).max(2), phrases })),
})

const affectSchema = z.strictObject({
  version,
  negators: z.array(z.string()),
  intensifiers: z.array(z.string()),
  words: z.record(z.enum(['3', '2', '1', '-1', '-2', '-3']), z.array(z.string())),
  emoji: z.strictObject({ positive: z.array(z.string()), negative: z.array(z.string()) }),
  humour_emoji: z.array(z.string()),
})

export const rulings = [
  'negated', 'about_other', 'past', 'resolved', 'hypothetical', 'quoted', 'hyperbole', 'trivial_cause',
] as const // prettier-ignore

const consensusSchema = z.strictObject({
  version,
  weights: z
    .strictObject({
      regex: probabilitySchema,
      semantic: probabilitySchema,
      clinical: probabilitySchema,
      history: probabilitySchema,
    })
    .refine(({ regex, semantic, clinical, history }) => Math.abs(regex + semantic + clinical + history - 1) < 1e-9, {
      message: 'do not sum to 1',
    }),
  thresholds: z.strictObject({ crisis: probabilitySchema, caution: probabilitySchema }),
  floor: z.strictObject({ crisis: probabilitySchema, caution: probabilitySchema }),
  meanings: z.record(z.enum(rulings), probabilitySchema),
  semantic_threshold: probabilitySchema,
  window: z.int().min(1).max(100),
  deadlines: z.strictObject({
    all: z.int().min(1),
    clinical: z.int().min(1),
    semantic: z.int().min(1),
    adapter: z.int().min(1),
  }),
})

const resourceSchema = z.strictObject({ type: z.string(), label: z.string(), link: z.string().optional() })
const resourcesSchema = z.strictObject({
  version,
  protocol_reply: z.string().regex(/988/, 'must name 988').regex(/741741/, 'must name 741741').regex(/911/, 'must name 911'), // prettier-ignore
  late_reply: z.string().min(1),
  resources: z.record(z.string(), resourceSchema),
  by_category: z.partialRecord(patternCategorySchema, z.array(z.string())),
  by_item: z.partialRecord(markerTypeSchema, z.array(z.string())),
})

const clinicalSchema = z.strictObject({
  version,
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

const fileSchemas = {
  'words.yaml': wordsSchema,
  'patterns.yaml': patternsSchema,
  'context.yaml': contextSchema,
  'markers.yaml': markersSchema,
  'affect.yaml': affectSchema,
  'consensus.yaml': consensusSchema,
  'resources.yaml': resourcesSchema,
  'manner.yaml': mannerSchema,
  'clinical.yaml': clinicalSchema,
} as const
export type DetectionFile = keyof typeof fileSchemas
export const detectionFiles = Object.keys(fileSchemas) as DetectionFile[]

/** All detection data, parsed; made only by readDetection. */
export interface Detection {
  words: z.infer<typeof wordsSchema>
  patterns: z.infer<typeof patternsSchema>
  context: z.infer<typeof contextSchema>
  markers: z.infer<typeof markersSchema>
  affect: z.infer<typeof affectSchema>
  consensus: z.infer<typeof consensusSchema>
  resources: z.infer<typeof resourcesSchema>
  manner: z.infer<typeof mannerSchema>
  clinical: ClinicalPrompt
  versions: { file: string; version: string }[]
}

/** A detection file that cannot be used: which file, which path in it, which value. The last good data stay in force. */
export class DetectionFileError extends Error {
  readonly file: string
  readonly path: string
  readonly value: string

  constructor(file: string, path: string, value: string, problem: string) {
    super(`${file}: ${path === '' ? 'the file' : path} ${problem} (value: ${value})`)
    this.name = 'DetectionFileError'
    this.file = file
    this.path = path
    this.value = value
  }
}

/**
 * Reads detection data from the texts of its files. Throws DetectionFileError when one is missing,
 * not YAML, or not of its form.
 */
export function readDetection(files: Readonly<Record<string, string>>): Detection {
  const read = <F extends DetectionFile>(file: F): z.infer<(typeof fileSchemas)[F]> => readFile(file, files[file])
  const detection = {
    words: read('words.yaml'),
    patterns: read('patterns.yaml'),
    context: read('context.yaml'),
    markers: read('markers.yaml'),
    affect: read('affect.yaml'),
    consensus: read('consensus.yaml'),
    resources: read('resources.yaml'),
    manner: read('manner.yaml'),
    clinical: read('clinical.yaml'),
  }
  checkResources(detection.resources)
  const versions = detectionFiles.map((file) => ({
    file,
    version: detection[file.replace('.yaml', '') as keyof typeof detection].version,
  }))
  return { ...detection, versions }
}

function readFile<F extends DetectionFile>(file: F, text: string | undefined): z.infer<(typeof fileSchemas)[F]> {
  if (text === undefined) throw new DetectionFileError(file, '', 'missing', 'is missing')
  let data: unknown
  try {
    data = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new DetectionFileError(file, '', 'unreadable', `is not YAML: ${String(error).split('\n')[0]}`)
  }
  const result = fileSchemas[file].safeParse(data)
  if (result.success) return result.data as z.infer<(typeof fileSchemas)[F]>
  const issue = result.error.issues[0]!
  throw new DetectionFileError(file, issue.path.join('.'), show(valueAt(data, issue.path)), issue.message)
}

function checkResources({ resources, by_category, by_item }: z.infer<typeof resourcesSchema>): void {
  for (const [map, entries] of Object.entries({ by_category, by_item })) {
    for (const [key, names] of Object.entries(entries)) {
      const unknown = names.find((name) => !Object.hasOwn(resources, name))
      if (unknown !== undefined)
        throw new DetectionFileError('resources.yaml', `${map}.${key}`, show(unknown), 'names an unknown resource')
    }
  }
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data)
}

/** A value for an error message, cut to one short line. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
