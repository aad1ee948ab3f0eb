/** Calibration of the reader of item markers on texts of writers, and of groups of phrases, that were left out of the fit. */
import { markerTypes, type MarkerType } from '../../../shared/estimates.ts'
import type { MarkerCalibration } from '../../analysis/index.ts'
import { fitMarkerWeights, itemLogits, type MarkerExample } from './marker-train.ts'
import type { MarkerText } from './marker-texts.ts'

/** A text with its features. */
export type MarkerFitText = MarkerText & MarkerExample

/** A text read by a model that has seen nothing of its writer, and no phrase like it. */
export interface HeldOutMarkerText {
  text: MarkerFitText
  /** For each item the logit of the window that speaks most for it. */
  logits: readonly number[]
}

/** Parts in which writers, groups of phrases and public sets are held out. */
const folds = 5

/** Reads every text by a model fitted without its writer; the detection data's own phrases are always fitted on. */
export function readHeldOutMarkers(texts: readonly MarkerFitText[]): HeldOutMarkerText[] {
  const foldOf = foldsOf(texts)
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const weights = fitMarkerWeights(texts.filter((_, index) => foldOf[index] !== fold))
    return texts.flatMap((text, index): HeldOutMarkerText[] => {
      if (foldOf[index] !== fold || text.windows.length === 0) return []
      const found = text.windows.map((features) => itemLogits(weights, features))
      return [{ text, logits: markerTypes.map((_, each) => Math.max(...found.map((logits) => logits[each]!))) }]
    })
  })
}

/** The part in which each text is held out; −1 = never. */
function foldsOf(texts: readonly MarkerFitText[]): number[] {
  const isWritten = new Set(texts.filter(({ kind }) => kind === 'NONE').map(({ source }) => source))
  const writers = [...isWritten].sort()
  const groups = groupsOf(texts.map(({ source, text }) => (source === 'lexicon' ? text : '')))
  return texts.map(({ source }, index) => {
    if (source === 'phrases') return -1
    if (isWritten.has(source)) return writers.indexOf(source) % folds
    return (source === 'lexicon' ? groups[index]! : index) % folds
  })
}

/** Share of words in common from which two phrases are variants of each other. */
const alike = 0.6
const smallWords = new Set('i me my a an the to of in on be is am are was it that this and do not can have has will with for no at so you'.split(' ')) // prettier-ignore

/** For each phrase the first one that it is, through others, a variant of. */
function groupsOf(phrases: readonly string[]): number[] {
  const words = phrases.map(
    (phrase) =>
      new Set(
        (
          phrase
            .toLowerCase()
            .replaceAll("n't", ' not')
            .match(/[a-z]+/g) ?? []
        )
          .filter((word) => !smallWords.has(word))
          .map((word) => word.replace(/(ies|ing|ed|es|s|e|y)$/, '').slice(0, 6)),
      ),
  )
  const parents = phrases.map((_, index) => index)
  const rootOf = (index: number): number => (parents[index] === index ? index : rootOf(parents[index]!))
  const byWord = new Map<string, number[]>()
  words.forEach((own, index) => {
    for (const word of own) {
      const others = byWord.get(word) ?? []
      for (const other of others) {
        const common = [...own].filter((each) => words[other]!.has(each)).length
        if (common / (own.size + words[other]!.size - common) >= alike) parents[rootOf(index)] = rootOf(other)
      }
      byWord.set(word, [...others, index])
    }
  })
  return phrases.map((_, index) => rootOf(index))
}

/** Share of ordinary talk that may be marked with one item by the reader. */
const ordinaryShare = 0.0012
/** Added to a threshold, so that the text it was taken from lies below it. */
const aHair = 0.01
/** No item is marked below this, not even one of which nobody wrote. */
const leastThreshold = 0.1
/** Logit below which a phrase of the item is not believed inside a longer message. */
const doubtLogit = -4.5

/** Public sets of ordinary talk. */
export const ordinarySets: ReadonlySet<string> = new Set(['goemotions', 'isarcasm'])

/** What writers wrote for items, or to look like one, and ordinary talk. */
const isCalibratedOn = ({ source, kind }: MarkerFitText): boolean =>
  ordinarySets.has(source) || kind === 'NONE' || kind.startsWith('PHQ9') || kind.startsWith('GAD7')

/** Platt scaling and thresholds for every item. */
export function calibrateMarkers(heldOut: readonly HeldOutMarkerText[]): Record<MarkerType, MarkerCalibration> {
  const ordinary = heldOut.filter(({ text }) => ordinarySets.has(text.source))
  const entries = markerTypes.map((item, each) => {
    const points = heldOut.flatMap(({ text, logits }) =>
      text.targets[each]! >= 0 && isCalibratedOn(text)
        ? [{ logit: logits[each]!, present: text.targets[each] === 1 }]
        : [],
    )
    const { slope, offset } = plattScaling(points)
    const probability = (logit: number): number => fiveDigits(1 / (1 + Math.exp(-(slope * logit + offset))))
    const highest = ordinary.map(({ logits }) => logits[each]!).sort((a, b) => b - a)
    const threshold = highest[Math.floor(highest.length * ordinaryShare)] ?? Infinity
    return [
      item,
      {
        slope,
        offset,
        threshold: Math.max(leastThreshold, probability(threshold + aHair)),
        doubt: probability(doubtLogit),
      },
    ] as const
  })
  return Object.fromEntries(entries) as Record<MarkerType, MarkerCalibration>
}

const steps = 60

/**
 * How often a text is taken to speak of an item, all things equal. Nobody knows how often students do; at one in ten
 * what the reader marks is about as sure as what the published confidence of a phrase (0.7) says.
 */
const prior = 0.1

/** Logistic regression of the truth on the logit (Platt 1999), by Newton's method, at the prior. */
function plattScaling(points: readonly { logit: number; present: boolean }[]): { slope: number; offset: number } {
  const positive = points.filter(({ present }) => present).length
  const negative = points.length - positive
  let [slope, offset] = [1, 0]
  for (let step = 0; step < steps; step += 1) {
    let [gs, go, ss, so, oo] = [0, 0, 1e-6, 0, 1e-6]
    for (const { logit, present } of points) {
      const weight = present ? prior / positive : (1 - prior) / negative
      const found = 1 / (1 + Math.exp(-(slope * logit + offset)))
      // Targets are drawn in a little, so that few points do not make anything certain.
      const error = weight * (found - (present ? (positive + 1) / (positive + 2) : 1 / (negative + 2)))
      const spread = weight * found * (1 - found)
      gs += error * logit
      go += error
      ss += spread * logit * logit
      so += spread * logit
      oo += spread
    }
    const determinant = ss * oo - so * so
    // Half a step, so that it settles; never turned around.
    slope = Math.max(0.05, slope - (0.5 * (oo * gs - so * go)) / determinant)
    offset -= (0.5 * (ss * go - so * gs)) / determinant
  }
  return { slope: fiveDigits(Math.min(slope, 100)), offset: fiveDigits(Math.max(-100, Math.min(100, offset))) }
}

const fiveDigits = (value: number): number => Number(value.toPrecision(5))
