/** The texts that the reader of item markers is fitted on, with the items that each speaks of. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { markerTypes, markerTypeSchema, type MarkerType } from '../../../shared/estimates.ts'
import type { DetectionData } from '../../analysis/index.ts'
import { linesOf, writersOf, type TrainingFolders, type TrainingText } from './texts.ts'

export interface MarkerText {
  /** Writer, `phrases` (of the detection data), `lexicon` (of clinicians), or the name of a public set. */
  source: string
  kind: string
  /** Items that the text speaks of. */
  items: readonly MarkerType[]
  /** Items of which nobody knows whether it does; the text is no example of them. */
  unknown: readonly MarkerType[]
  /** What an item it speaks of counts, and what one it does not. */
  weight: { present: number; absent: number }
  text: string
}

/** All texts, always in the same order: a fit depends on it. `written` are the texts of the intent classifier. */
export function readMarkerTexts(
  folders: TrainingFolders,
  written: readonly TrainingText[],
  markers: DetectionData['markers'],
): MarkerText[] {
  return [
    ...writersOf(folders).flatMap((writer) => itemTexts(folders, writer)),
    ...ownPhrases(markers),
    ...lexiconPhrases(folders),
    ...written.flatMap(otherText),
  ]
}

/** The sentences that writers wrote for an item, or to look like one and be none. */
function itemTexts({ training }: TrainingFolders, source: string): MarkerText[] {
  const path = join(training, source, 'markers.tsv')
  if (!existsSync(path)) return []
  return linesOf(path).map((line) => {
    const [name, text] = z.tuple([z.string(), z.string().min(1)]).parse(line.split('\t'))
    const items = name === 'NONE' ? [] : name.split(',').map((item) => markerTypeSchema.parse(item))
    const weight = items.length === 0 ? { present: 0, absent: 2 } : { present: 3, absent: 1 }
    return { source, kind: name, items, unknown: [], weight, text }
  })
}

/** The phrases of `markers.yaml`, each read once with the first of its alternatives. */
function ownPhrases({ items }: DetectionData['markers']): MarkerText[] {
  return markerTypes.flatMap((item) =>
    items[item].phrases.flatMap((phrase) =>
      samplesOf(phrase).map((text) => ({
        source: 'phrases',
        kind: item,
        items: [item],
        unknown: [],
        weight: { present: 1, absent: 0.3 },
        text,
      })),
    ),
  )
}

/** Most samples of one phrase, so that a phrase of many alternatives does not outweigh the others. */
const mostSamples = 6

/** Plain samples of a phrase in the notation of the detection data; none where it names a list. */
function samplesOf(phrase: string): string[] {
  if (phrase.includes('{')) return []
  return Array.from({ length: mostSamples }, (_, turn) =>
    phrase
      .replace(/\[([^\]]*)\]/g, '')
      .replace(/\(([^)]*)\)/g, (_all, choices: string) => choices.split('|')[turn % choices.split('|').length]!)
      .replace(/\*/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).filter((text, index, all) => all.indexOf(text) === index)
}

const lexiconSchema = z.object({ phrase: z.string(), constructs: z.array(z.string()) })
const constructsSchema = z.record(z.string(), z.strictObject({ items: z.array(markerTypeSchema), perhaps: z.array(markerTypeSchema) })) // prettier-ignore

/** The clinicians' phrases that may be fitted on. A word alone says less than a phrase of several. */
function lexiconPhrases({ training, publicSets }: TrainingFolders): MarkerText[] {
  const known = constructsOf(training)
  return linesOf(join(publicSets, 'suicide_risk_phrases', 'dev.jsonl')).map((line) => {
    const { phrase, constructs } = lexiconSchema.parse(JSON.parse(line))
    const found = itemsOfConstructs(known, constructs)
    const words = phrase.split(/\s+/).length
    const share = words >= 3 ? 1 : words === 2 ? 0.6 : 0.25
    const weight = { present: 2.5 * share, absent: (found.items.length > 0 ? 0.4 : 0.8) * share }
    return { source: 'lexicon', kind: 'lexicon', ...found, weight, text: phrase }
  })
}

export type Constructs = z.infer<typeof constructsSchema>

/** What is known of the constructs of the Suicide Risk Lexicon, from the folder of the training data. */
export function constructsOf(training: string): Constructs {
  return constructsSchema.parse(parse(readFileSync(join(training, 'constructs.yaml'), 'utf8')))
}

/** The items that a phrase filed under these constructs speaks of, and those it may speak of. */
export function itemsOfConstructs(
  known: Constructs,
  constructs: readonly string[],
): { items: MarkerType[]; unknown: MarkerType[] } {
  const of = (name: 'items' | 'perhaps'): Set<MarkerType> => new Set(constructs.flatMap((each) => known[each]?.[name] ?? []))
  const [items, perhaps] = [of('items'), of('perhaps')]
  return {
    items: markerTypes.filter((item) => items.has(item)),
    unknown: markerTypes.filter((item) => perhaps.has(item) && !items.has(item)),
  }
} // prettier-ignore

/** What the texts of the intent classifier say of items; the rest is unknown, as people in distress speak of symptoms. */
const otherKinds: Record<string, { items: MarkerType[]; unknown: readonly MarkerType[]; present: number; absent: number }> = {
  ...Object.fromEntries(
    ['crisis-explicit', 'crisis-indirect', 'wish-it-happened', 'means', 'not-here', 'selfharm'].map((kind) => [
      kind,
      { items: ['PHQ9_ITEM_9'], unknown: markerTypes.filter((item) => item !== 'PHQ9_ITEM_9'), present: 0.3, absent: 0 },
    ]),
  ),
  idiom: { items: [], unknown: [], present: 0, absent: 0.6 },
  ordinary: { items: [], unknown: [], present: 0, absent: 0.6 },
  // A student under stress may truly speak of worry or of sleep.
  stress: { items: [], unknown: [], present: 0, absent: 0.15 },
  sad: { items: [], unknown: [], present: 0, absent: 0.05 },
  goemotions: { items: [], unknown: [], present: 0, absent: 1.5 },
  isarcasm: { items: [], unknown: [], present: 0, absent: 1.5 },
  annomi: { items: [], unknown: [], present: 0, absent: 0.1 },
  'parting-words': { items: [], unknown: [], present: 0, absent: 0.6 },
  'leaving-a-place': { items: [], unknown: [], present: 0, absent: 0.6 },
  titles: { items: [], unknown: [], present: 0, absent: 0.6 },
  ...Object.fromEntries(
    ['jest', 'trivial-cause', 'comic-conditional', 'wordplay', 'quoted', 'denied'].map((kind) => [
      kind,
      { items: [], unknown: markerTypes.filter((item) => item !== 'PHQ9_ITEM_9'), present: 0, absent: 0.5 },
    ]),
  ),
  other: { items: [], unknown: [], present: 0, absent: 0.4 },
} // prettier-ignore

function otherText({ source, kind, text }: TrainingText): MarkerText[] {
  const known = otherKinds[kind]
  if (!known) return []
  const { items, unknown, present, absent } = known
  return [{ source, kind, items, unknown, weight: { present, absent }, text }]
}
