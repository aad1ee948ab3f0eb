/** The texts that the intent classifier is fitted on, with how each is meant. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { IntentClass } from '../../analysis/index.ts'

export interface TrainingText {
  /** Writer, or the name of a public set. */
  source: string
  /** Kind of a writer's sentence, or the name of the set again. */
  kind: string
  intent: IntentClass
  weight: number
  text: string
}

export interface TrainingFolders {
  /** `resources/training`. */
  training: string
  /** The golden set: nothing may be fitted on one of its texts, but for the files that hold what was learned. */
  golden: string
  /** The public sets, one folder each. */
  publicSets: string
}

/** How the sentences of each kind are meant. */
const intentOf: Record<string, IntentClass> = {
  'crisis-explicit': 'danger', 'crisis-disguised': 'danger', 'crisis-indirect': 'danger', 'crisis-negation': 'danger', 'crisis-long': 'danger',
  concern: 'distress', selfharm: 'distress', jest: 'joking', quoted: 'quotation', denied: 'denial', other: 'third_party', threat: 'threat', abuse: 'abuse',
  idiom: 'neutral', ordinary: 'neutral', stress: 'neutral',
  'wish-it-happened': 'danger', means: 'danger', 'giving-up': 'danger', 'asking-to-stay': 'danger', farewell: 'danger', swearing: 'danger', 'past-and-now': 'danger', 'not-here': 'danger', 'sincere-short': 'danger', 'passive-wish': 'danger',
  'trivial-cause': 'neutral', 'comic-conditional': 'neutral', wordplay: 'neutral', 'leaving-a-place': 'neutral', 'parting-words': 'neutral', titles: 'quotation', lyrics: 'quotation', news: 'quotation',
  fragments: 'neutral', 'mixed-crisis': 'danger', 'mixed-other': 'third_party', 'mixed-ok': 'neutral',
} // prettier-ignore

/** Golden files with sentences that the rules were widened by. */
const learned = ['later-second', 'later-third', 'later-fourth', 'later-fifth']

/** Golden files of writers who are fitted on, too: what is held there is what was learned from them. */
const held = ['spanish']

/** Public sets of everyday talk, against which false alarms are counted. */
export const everydaySets: readonly string[] = ['goemotions', 'isarcasm', 'sad']

/** Public sets of longer talk. */
export const talkSets: readonly string[] = ['annomi', 'counselchat']

/** The writers of the sentences, by name. */
export function writersOf({ training }: TrainingFolders): string[] {
  return readdirSync(training, { withFileTypes: true })
    .filter((entry) => !entry.isFile())
    .map(({ name }) => name)
    .sort()
}

/** All texts, always in the same order: a fit depends on it. */
export function readTrainingTexts(folders: TrainingFolders): TrainingText[] {
  return [...writtenTexts(folders), ...learnedTexts(folders), ...publicTexts(folders)]
}

function writtenTexts(folders: TrainingFolders): TrainingText[] {
  const tested = testedTexts(folders)
  return writersOf(folders).flatMap((source) =>
    Object.entries(intentOf).flatMap(([kind, intent]) => {
      const path = join(folders.training, source, `${kind}.txt`)
      const texts = existsSync(path) ? linesOf(path).filter((text) => !tested.has(bareWords(text))) : []
      return texts.map((text) => ({ source, kind, intent, weight: 1, text }))
    }),
  )
}

/** The golden file whose texts (“sometimes”) mean nothing alone: nothing is learned of them, and nothing is kept from them. */
const conversations = 'dialogues'

/** Golden files whose writers nobody had read: a short line of theirs that a writer has too was written twice. */
const isSealed = (file: string): boolean => file.startsWith('sealed')

/** Texts that the golden set tests with. */
function testedTexts({ golden }: TrainingFolders): ReadonlySet<string> {
  const files = readdirSync(golden).filter((file) => file.endsWith('.jsonl') && !isSealed(file) && ![...learned, ...held, conversations].includes(file.replace('.jsonl', ''))) // prettier-ignore
  return new Set(
    files.flatMap((file) => linesOf(join(golden, file)).map((line) => bareWords(goldenSchema.parse(JSON.parse(line)).text))),
  ) // prettier-ignore
}

function learnedTexts({ golden }: TrainingFolders): TrainingText[] {
  return learned.flatMap((source) =>
    linesOf(join(golden, `${source}.jsonl`)).flatMap((line): TrainingText[] => {
      const { tier, text } = goldenSchema.parse(JSON.parse(line))
      if (tier !== 'crisis' && tier !== 'ok') return []
      return [{ source, kind: source, intent: tier === 'crisis' ? 'danger' : 'neutral', weight: 1, text }]
    }),
  )
}

function publicTexts({ training, publicSets }: TrainingFolders): TrainingText[] {
  const take = sourcesSchema.parse(parse(readFileSync(join(training, 'sources.yaml'), 'utf8')))
  const rows = <T>(folder: string, schema: z.ZodType<T>): T[] =>
    linesOf(join(publicSets, folder, 'dev.jsonl')).map((line) => schema.parse(JSON.parse(line)))
  const neutral = (source: keyof typeof take, text: string): TrainingText => ({ source, kind: source, intent: 'neutral', weight: take[source].weight, text }) // prettier-ignore
  const asked = new Set<string>()
  const isExcluded = (topic: string): boolean =>
    take.counselchat.excluded_topics.some((part) => topic.toLowerCase().includes(part))
  return [
    ...rows('goemotions_ordinary', goemotionsSchema)
      .filter(({ subset }) => subset === 'ordinary')
      .map(({ text }) => neutral('goemotions', text)),
    ...rows('isarcasm_tweets', textSchema).map(({ text }) => neutral('isarcasm', text)),
    ...rows('sad_stressors', sadSchema)
      .filter(({ avg_severity }) => avg_severity < take.sad.below_severity)
      .map(({ text }) => neutral('sad', text)),
    ...rows('annomi_sessions', annomiSchema)
      .flatMap(({ turns }) => turns)
      .filter(({ speaker, text }) => speaker === 'client' && text.length > take.annomi.more_characters_than)
      .map(({ text }) => neutral('annomi', text)),
    ...rows('counselchat', counselchatSchema).flatMap(({ question_id, topic, context, title }) => {
      // Each question stands there once an answer.
      if (asked.has(question_id) || isExcluded(String(topic))) return []
      asked.add(question_id)
      return [neutral('counselchat', String(context || title))]
    }),
    ...rows('cssrs_reddit', cssrsSchema).flatMap(({ label, posts }) => {
      const intent = intentOfRisk[label]
      return intent ? posts.map((text): TrainingText => ({ ...neutral('cssrs', text), intent })) : []
    }),
  ]
}

/**
 * How posts of people are meant whose risk psychiatrists judged (Gaur et al. 2019). Few of their sentences speak of
 * dying: they teach despair. Those who support others speak of it all the time and are in no danger.
 */
const intentOfRisk: Record<string, IntentClass | undefined> = {
  Ideation: 'distress',
  Behavior: 'distress',
  Attempt: 'distress',
  Supportive: 'neutral',
}

const textSchema = z.object({ text: z.string() })
const goldenSchema = z.object({ tier: z.string(), text: z.string() })
const goemotionsSchema = z.object({ subset: z.string(), text: z.string() })
const sadSchema = z.object({ avg_severity: z.number(), text: z.string() })
const annomiSchema = z.object({ turns: z.array(z.object({ speaker: z.string(), text: z.string() })) })
const counselchatSchema = z.object({
  question_id: z.string(),
  topic: z.string().nullish(),
  context: z.string().nullish(),
  title: z.string().nullish(),
})
const cssrsSchema = z.object({ label: z.string(), posts: z.array(z.string()) })
const weight = z.number().min(0).max(1)
const sourcesSchema = z.strictObject({
  goemotions: z.strictObject({ weight }),
  isarcasm: z.strictObject({ weight }),
  sad: z.strictObject({ weight, below_severity: z.number() }),
  annomi: z.strictObject({ weight, more_characters_than: z.int() }),
  cssrs: z.strictObject({ weight }),
  counselchat: z.strictObject({ weight, excluded_topics: z.array(z.string().min(1)) }),
})

export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const bareWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
