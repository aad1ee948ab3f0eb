/** The known sentences that messages are compared with, chosen from the training texts. */
import { createNeighborIndex, createTextReader, type DetectionData, type IntentClass, type KnownSentence, type Platt } from '../../analysis/index.ts' // prettier-ignore
import { byFold, foldsOf } from './calibrate.ts'
import { fitPlatt } from './platt.ts'
import { seeded, shuffled } from './random.ts'
import type { TrainingText } from './texts.ts'

/** Sentences of each side at most. */
const mostSentences = 5_000
/** A longer text speaks of several things. */
const mostWords = 40
const leastWords = 2

const categories: Partial<Record<IntentClass, KnownSentence['category']>> = {
  danger: 'suicidal_ideation',
  distress: 'hopelessness',
  neutral: null,
}

/** Chooses sentences of danger and despair, and as many plain ones. How a sentence is meant the classifier tells. */
export function knownSentencesOf(texts: readonly TrainingText[], data: DetectionData): KnownSentence[] {
  const { words, features } = createTextReader(data)
  const order = shuffled(texts, seeded(20261123))
  const chosen: KnownSentence[] = []
  const counts = { danger: 0, plain: 0 }
  for (const { intent, text } of order) {
    const category = categories[intent]
    const side = category ? 'danger' : 'plain'
    if (category === undefined || counts[side] >= mostSentences) continue
    const read = words(text)
    if (read.length < leastWords || read.length > mostWords) continue
    counts[side] += 1
    chosen.push({ category, features: features(read) })
  }
  return chosen
}

export interface HeldOutMargin {
  text: TrainingText
  margin: number
}

/** The margin of every text among sentences of other writers, the parts one after another. */
export function marginsHeldOut(
  texts: readonly TrainingText[],
  writers: readonly string[],
  data: DetectionData,
): HeldOutMargin[] {
  const { tokenize } = createTextReader(data)
  return byFold(texts, foldsOf(texts, writers), (known, heldOut) => {
    const model = { ...data.neighbors, sentences: knownSentencesOf(known, data) }
    const index = createNeighborIndex(model, data)
    return heldOut.map((text) => ({ text, margin: index.marginOf(tokenize(text.text), new Set()).margin }))
  })
}

/** From a margin to the probability of danger or despair, on the writers' sentences. */
export function calibrateMargin(margins: readonly HeldOutMargin[], writers: readonly string[]): Platt {
  const written = margins.filter(({ text }) => writers.includes(text.source))
  return fitPlatt(written.map(({ text, margin }) => ({ number: margin, positive: isDanger(text) })))
}

const isDanger = ({ intent }: TrainingText): boolean => intent === 'danger' || intent === 'distress'
