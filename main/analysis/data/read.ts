/** Reads the detection data from the bytes of their files, with a refusal that names file, path and value. */
import { parse } from 'yaml'
import type { z } from 'zod'
import { conversationSchema, type ConversationData } from './conversation.ts'
import { DetectionFileError, quoteValue } from './errors.ts'
import { intentManifestSchema, intentModelOf, intentWeightsFile, type IntentModel } from './intent-model.ts'
import { neighborManifestSchema, neighborModelOf, neighborsFile, type NeighborModel } from './neighbor-model.ts'
import { markerManifestSchema, markerModelOf, markerWeightsFile, type MarkerModel } from './marker-model.ts'
import {
  clinicalSchema,
  consensusSchema,
  contextSchema,
  grammarSchema,
  lexiconSchema,
  markersSchema,
  patternsSchema,
  resourcesSchema,
  sentimentSchema,
  type ClinicalPrompt,
} from './schema.ts'
import { bilingualGrammar, spanishSchema, type SpanishData } from './spanish.ts'

const schemas = {
  'lexicon.yaml': lexiconSchema,
  'grammar.yaml': grammarSchema,
  'patterns.yaml': patternsSchema,
  'context.yaml': contextSchema,
  'markers.yaml': markersSchema,
  'sentiment.yaml': sentimentSchema,
  'consensus.yaml': consensusSchema,
  'resources.yaml': resourcesSchema,
  'intent-model.yaml': intentManifestSchema,
  'neighbors.yaml': neighborManifestSchema,
  'marker-model.yaml': markerManifestSchema,
  'clinical.yaml': clinicalSchema,
  'conversation.yaml': conversationSchema,
  'spanish.yaml': spanishSchema,
} as const
type YamlFile = keyof typeof schemas

/** Names of the files that the detection data consist of. */
export const detectionFileNames: readonly string[] = [
  ...Object.keys(schemas),
  intentWeightsFile,
  neighborsFile,
  markerWeightsFile,
]

/** The files by name, as bytes. */
export type DetectionFiles = Readonly<Record<string, Uint8Array>>

/** All detection data, parsed; made only by readDetectionData. */
export interface DetectionData {
  lexicon: z.infer<typeof lexiconSchema>
  grammar: z.infer<typeof grammarSchema>
  /** The word classes where a message holds Spanish. */
  bilingualGrammar: Omit<z.infer<typeof grammarSchema>, 'version'>
  /** Words that the scope of a negation reaches over there. */
  bilingualTransparent: ReadonlySet<string>
  spanish: SpanishData
  patterns: z.infer<typeof patternsSchema>
  context: z.infer<typeof contextSchema>
  markers: z.infer<typeof markersSchema>
  sentiment: z.infer<typeof sentimentSchema>
  consensus: z.infer<typeof consensusSchema>
  resources: z.infer<typeof resourcesSchema>
  intentModel: IntentModel
  neighbors: NeighborModel
  markerModel: MarkerModel
  clinical: ClinicalPrompt
  conversation: ConversationData
  versions: { file: string; version: string }[]
}

/**
 * Reads detection data. Throws DetectionFileError where a file is missing, not of its form, or not the one that its
 * manifest describes; `sha256` answers in lower-case hex.
 */
export function readDetectionData(files: DetectionFiles, sha256: (bytes: Uint8Array) => string): DetectionData {
  const versions: DetectionData['versions'] = []
  const read = <F extends YamlFile>(file: F): z.infer<(typeof schemas)[F]> => {
    const data = readYaml(file, files[file])
    versions.push({ file, version: data.version })
    return data
  }
  const spanish = read('spanish.yaml')
  const lexicon = read('lexicon.yaml')
  const grammar = read('grammar.yaml')
  const context = read('context.yaml')
  const data = {
    // No word of these two is one of the other language with another meaning.
    lexicon: { ...lexicon, lethal_terms: new Set([...lexicon.lethal_terms, ...spanish.lexicon.lethal_terms]) },
    grammar,
    bilingualGrammar: bilingualGrammar(grammar, spanish.grammar),
    bilingualTransparent: new Set([...context.negation_transparent, ...spanish.context.negation_transparent]),
    spanish,
    patterns: read('patterns.yaml'),
    context,
    markers: read('markers.yaml'),
    sentiment: withSpanish(read('sentiment.yaml'), spanish.sentiment),
    consensus: read('consensus.yaml'),
    resources: read('resources.yaml'),
    intentModel: intentModelOf(read('intent-model.yaml'), files[intentWeightsFile], sha256),
    neighbors: neighborModelOf(read('neighbors.yaml'), files[neighborsFile], sha256),
    markerModel: markerModelOf(read('marker-model.yaml'), files[markerWeightsFile], sha256),
    clinical: read('clinical.yaml'),
    conversation: read('conversation.yaml'),
  }
  checkResources(data.resources)
  return { ...data, versions }
}

/** The sentiment of both languages together. */
function withSpanish(sentiment: DetectionData['sentiment'], spanish: SpanishData['sentiment']): DetectionData['sentiment'] {
  const words = Object.entries(sentiment.words).map(([valence, english]) => [valence, [...english, ...spanish.words[valence as '1']]] as const)
  return {
    ...sentiment,
    negators: new Set([...sentiment.negators, ...spanish.negators]),
    intensifiers: new Set([...sentiment.intensifiers, ...spanish.intensifiers]),
    words: Object.fromEntries(words) as typeof sentiment.words,
  }
} // prettier-ignore

function readYaml<F extends YamlFile>(file: F, bytes: Uint8Array | undefined): z.infer<(typeof schemas)[F]> {
  if (bytes === undefined) throw new DetectionFileError(file, '', 'missing', 'is missing')
  let data: unknown
  try {
    data = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { maxAliasCount: 0 })
  } catch (error) {
    throw new DetectionFileError(file, '', 'unreadable', `is not YAML: ${String(error).split('\n')[0]}`)
  }
  const result = schemas[file].safeParse(data)
  if (result.success) return result.data as z.infer<(typeof schemas)[F]>
  const issue = result.error.issues[0]!
  throw new DetectionFileError(file, issue.path.join('.'), quoteValue(valueAt(data, issue.path)), issue.message)
}

function checkResources({ resources, by_category, by_item }: DetectionData['resources']): void {
  for (const [map, entries] of Object.entries({ by_category, by_item })) {
    for (const [key, names] of Object.entries(entries)) {
      const unknown = names.find((name) => !Object.hasOwn(resources, name))
      if (unknown !== undefined)
        throw new DetectionFileError('resources.yaml', `${map}.${key}`, quoteValue(unknown), 'names an unknown resource') // prettier-ignore
    }
  }
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data)
}
