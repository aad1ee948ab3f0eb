/** Calibration: thresholds from sentences of writers left out of the fit. */
import { calibrated, dangerToLife, intentClasses, leastProbability, leastTokens, lengthOf, logOdds, type IntentCalibration, type IntentClass, type IntentThresholds, type MessageLength } from '../../analysis/index.ts' // prettier-ignore
import { fitPlatt } from './platt.ts'
import { everydaySets, talkSets } from './texts.ts'
import { fit, probabilitiesOf, type Example } from './train.ts'

/** A text with everything that the calibration asks of it. */
export interface FitText extends Example {
  /** Writer, or the name of a public set. */
  source: string
  kind: string
  /** Tokens of the whole text. */
  tokens: number
  /** Whether a word of death or its means is in it. */
  lethal: boolean
}

/** A text classified by a model that has seen nothing of its writer. */
export interface HeldOutText {
  text: FitText
  /** For every passage the probability of every class. */
  found: number[][]
}

/** Parts in which writers are held out. */
const folds = 5

/** The part in which a text is held out; a writer's texts are together, public sets are cut into as many parts. */
export function foldsOf(texts: readonly Pick<FitText, 'source'>[], writers: readonly string[]): number[] {
  return texts.map(({ source }, index) => (writers.includes(source) ? writers.indexOf(source) : index) % folds)
}

/** Reads every text by what `read` makes of its part, having been given the other parts only; in the order of the texts. */
export function byFold<Text, Read>(
  texts: readonly Text[],
  foldOf: readonly number[],
  read: (known: Text[], heldOut: Text[]) => Read[],
): Read[] {
  const results = new Map<Text, Read>()
  for (let fold = 0; fold < folds; fold += 1) {
    const heldOut = texts.filter((_, index) => foldOf[index] === fold)
    const known = texts.filter((_, index) => foldOf[index] !== fold)
    read(known, heldOut).forEach((each, index) => results.set(heldOut[index]!, each))
  }
  return texts.map((text) => results.get(text)!)
}

/** Classifies every text by a model fitted without its writer. */
export function classifyHeldOut(texts: readonly FitText[], writers: readonly string[]): HeldOutText[] {
  return byFold(texts, foldsOf(texts, writers), (known, heldOut) => {
    const weights = fit(known)
    return heldOut.map((text) => ({ text, found: text.passages.map((features) => probabilitiesOf(weights, features)) }))
  })
}

const of = (name: IntentClass): number => intentClasses.indexOf(name)
const danger = of('danger')
/** A score of a text is the largest of its passages. */
type Score = (found: readonly number[][]) => number
const largest =
  (score: (passage: readonly number[]) => number): Score =>
  (found) =>
    found.reduce((most, passage) => Math.max(most, score(passage)), 0)
const dangerScore = largest((passage) => dangerToLife({ danger: passage[danger]!, distress: passage[of('distress')]! }))
const jokingScore = largest((passage) => passage[of('joking')]!)
const othersScore = largest((passage) => Math.max(passage[of('third_party')]!, passage[of('threat')]!, passage[of('abuse')]!)) // prettier-ignore
/** Whatever may call for somebody. */
const graveClasses = (['danger', 'distress', 'third_party', 'threat', 'abuse'] as const).map(of)
const anyScore = largest((passage) => graveClasses.reduce((sum, each) => sum + passage[each]!, 0))
/** Logarithm of a class's odds against danger and despair, of a text read as a whole. */
const classLogOdds =
  (name: IntentClass): Score =>
  ([whole]) =>
    whole ? Math.log(whole[of(name)]! / (whole[danger]! + whole[of('distress')]!)) : -Infinity

type Wanted = (text: FitText) => boolean
const isDanger: Wanted = ({ intent }) => intent === danger
const isEverydayTalk: Wanted = ({ source }) => everydaySets.includes(source)
/** Long talk is rare among everyday messages: questions to counselors and turns of sessions stand for it. */
const isLongTalk: Wanted = ({ source }) => talkSets.includes(source)
const isHarmless =
  (writers: readonly string[]): Wanted =>
  ({ source, intent }) =>
    writers.includes(source) && intent === of('neutral')

/** The value above which no more than a share of the values lies; the largest but so many. */
function valueAbove(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => b - a)[Math.floor(values.length * share)]!
}
const round = (value: number): number => Math.round(value * 1000) / 1000

/** Shares of harmless sentences, and of everyday talk, that may be called as much. */
type Shares = Record<keyof IntentThresholds, readonly [harmless: number, everyday: number]>

const shares: Record<MessageLength, Shares> = {
  short: {
    crisis: [0.007, 0.015],
    crisis_with_phrase: [0.012, 0.01],
    high: [0.015, 0.025],
    other: [0.006, 0.004],
    joking: [0.001, 0.001],
    caution: [0.03, 0.02],
  },
  medium: {
    crisis: [0.03, 0.003],
    crisis_with_phrase: [0.05, 0.008],
    high: [0.03, 0.0045],
    other: [0.02, 0.004],
    joking: [0.002, 0.001],
    caution: [0.12, 0.03],
  },
  long: {
    crisis: [0.02, 0.025],
    crisis_with_phrase: [0.06, 0.05],
    high: [0.035, 0.035],
    other: [0.01, 0.02],
    joking: [0.003, 0.003],
    caution: [0.09, 0.12],
  },
}
/** Lethal words in jest are at least so likely meant as one, by length. */
const leastJoking: Record<MessageLength, number> = { short: 0.75, medium: 0.5, long: 0.5 }

/** Chooses the thresholds at which no more is called too much than the shares allow, and fits the probabilities. */
export function calibrate(heldOut: readonly HeldOutText[], writers: readonly string[]): IntentCalibration {
  const values = (wanted: Wanted, score: Score): number[] =>
    heldOut.filter(({ text }) => wanted(text)).map(({ found }) => score(found))
  /** Never on a draw, however seldom danger is taken for the class. */
  const leastLogOdds = (name: IntentClass, share: number): number =>
    round(Math.max(0.5, valueAbove(values((text) => isDanger(text) && lengthOf(text.tokens) !== 'long', classLogOdds(name)), share))) // prettier-ignore
  const harmless = isHarmless(writers)
  const thresholds = (length: MessageLength): IntentThresholds => {
    const within: Wanted = ({ tokens }) => lengthOf(tokens) === length
    const isTalk = length === 'long' ? isLongTalk : isEverydayTalk
    const least = (score: Score, [ours, everyday]: readonly [number, number], among: Wanted = within): number => {
      const oursAbove = valueAbove(values((text) => harmless(text) && within(text) && among(text), score), ours) // prettier-ignore
      const talkAbove = valueAbove(values((text) => isTalk(text) && within(text) && among(text), score), everyday) // prettier-ignore
      return round(Math.max(oursAbove, talkAbove))
    }
    // A few words are an alarm only where one of them is lethal.
    const alarming: Wanted = length === 'short' ? ({ lethal }) => lethal : within
    const { crisis, crisis_with_phrase, high, other, joking, caution } = shares[length]
    return {
      crisis: Math.max(0.5, least(dangerScore, crisis, alarming)),
      crisis_with_phrase: Math.max(0.5, least(dangerScore, crisis_with_phrase)),
      high: Math.max(0.5, least(dangerScore, high, alarming)),
      // However seldom harmless talk is taken for them: one class among nine must be likely in itself.
      other: Math.max(0.4, least(othersScore, other)),
      joking: Math.max(leastJoking[length], least(jokingScore, joking)),
      caution: Math.max(0.5, least(anyScore, caution)),
    }
  }
  const probability = (length: MessageLength) => {
    const those = heldOut.filter(({ text }) => writers.includes(text.source) && lengthOf(text.tokens) === length)
    return fitPlatt(those.map(({ text, found }) => ({ number: logOdds(anyScore(found)), positive: graveClasses.includes(text.intent) }))) // prettier-ignore
  }
  return {
    short: thresholds('short'),
    medium: thresholds('medium'),
    long: thresholds('long'),
    probability: { short: probability('short'), medium: probability('medium'), long: probability('long') },
    discounted: { crisis: 0.995, caution: 0.9 },
    reinterpretation: {
      joking: leastLogOdds('joking', 0.0004),
      denial: leastLogOdds('denial', 0.001),
      quotation: leastLogOdds('quotation', 0.001),
      third_party: leastLogOdds('third_party', 0.001),
    },
  }
}

/** The probability that the classifier would give a text, by a model that has seen nothing of its writer. */
export function heldOutProbability({ text, found }: HeldOutText, { probability }: IntentCalibration): number {
  const value = calibrated(probability[lengthOf(text.tokens)], logOdds(anyScore(found)))
  return text.tokens < leastTokens || value < leastProbability ? 0 : value
}

/** Shares found at equal false alarms, by kind, a line a threshold: what a change of the model is judged by. */
export function curvesOf(heldOut: readonly HeldOutText[], writers: readonly string[]): string[] {
  const kinds = [...new Set(heldOut.map(({ text }) => text.kind))]
  const curve = (name: string, score: Score, against: Wanted, shares: readonly number[]): string[] => {
    const values = heldOut.filter(({ text }) => against(text)).map(({ found }) => score(found))
    return shares.map((share) => {
      const threshold = valueAbove(values, share)
      const found = kinds.map((kind) => {
        const those = heldOut.filter(({ text }) => text.kind === kind)
        return `${kind} ${((100 * those.filter((each) => score(each.found) > threshold).length) / those.length).toFixed(1)}`
      })
      return `${name} > ${threshold.toFixed(3)} (${share * 100} %): ${found.join('  ')}`
    })
  }
  return [
    ...curve('danger against harmless', dangerScore, isHarmless(writers), [0.002, 0.005, 0.01, 0.02]),
    ...curve('danger against everyday talk', dangerScore, isEverydayTalk, [0.0003, 0.001, 0.003]),
    ...curve('any against harmless', anyScore, isHarmless(writers), [0.02, 0.05]),
    ...curve('any against everyday talk', anyScore, isEverydayTalk, [0.005, 0.01]),
    ...(['joking', 'denial', 'quotation', 'third_party'] as const).flatMap((name) =>
      curve(`${name} against danger`, classLogOdds(name), isDanger, [0.0005, 0.001, 0.003]),
    ),
  ]
} // prettier-ignore
