/** Calibration: thresholds from sentences of writers left out of the fit. */
import { intentClasses, shortPassage, type IntentCalibration, type IntentClass, type IntentThresholds } from '../../analysis/index.ts' // prettier-ignore
import { everydaySets } from './texts.ts'
import { fit, probabilitiesOf, type Example, type Weights } from './train.ts'

/** A text with everything that the calibration asks of it. */
export interface FitText extends Example {
  /** Writer, or the name of a public set. */
  source: string
  kind: string
  /** Tokens of the longest passage. */
  tokens: number
}

/** A text classified by a model that has seen nothing of its writer. */
export interface HeldOutText {
  text: FitText
  /** Probability of every class, of its most dangerous passage. */
  found: number[]
}

/** Parts in which writers are held out. */
const folds = 5

/** Classifies every text by a model fitted without its writer; public sets are cut into as many parts. */
export function classifyHeldOut(texts: readonly FitText[], writers: readonly string[]): HeldOutText[] {
  const groups = texts.map(({ source }, index) => (writers.includes(source) ? writers.indexOf(source) : index) % folds)
  return Array.from({ length: folds }, (_, group) => group).flatMap((group) => {
    const weights = fit(texts.filter((_, index) => groups[index] !== group))
    const heldOut = texts.filter((text, index) => groups[index] === group && text.passages.length > 0)
    return heldOut.map((text) => ({ text, found: mostDangerous(weights, text) }))
  })
}

function mostDangerous(weights: Weights, { passages }: FitText): number[] {
  const found = passages.map((features) => probabilitiesOf(weights, features))
  return found.reduce((worst, each) => (each[danger]! > worst[danger]! ? each : worst))
}

const of = (name: IntentClass): number => intentClasses.indexOf(name)
const danger = of('danger')
type Score = (found: readonly number[]) => number
const dangerScore: Score = (found) => found[danger]!
const jokingScore: Score = (found) => found[of('joking')]!
const othersScore: Score = (found) => Math.max(found[of('third_party')]!, found[of('threat')]!, found[of('abuse')]!)
/** Whatever may call for somebody. */
const anyScore: Score = (found) =>
  found[danger]! + found[of('distress')]! + found[of('third_party')]! + found[of('threat')]! + found[of('abuse')]!
/** Logarithm of a class's odds against danger and despair. */
const logOdds =
  (name: IntentClass): Score =>
  (found) =>
    Math.log(found[of(name)]! / (found[danger]! + found[of('distress')]!))

type Wanted = (text: FitText) => boolean
const isDanger: Wanted = ({ intent }) => intent === danger
const isEverydayTalk: Wanted = ({ source }) => everydaySets.includes(source)
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

const sharesOfShort: Shares = {
  crisis: [0.001, 0.001],
  crisis_with_phrase: [0.006, 0.004],
  high: [0.003, 0.002],
  other: [0.003, 0.003],
  joking: [0.001, 0.001],
  caution: [0.02, 0.012],
}
const sharesOfLong: Shares = {
  crisis: [0.005, 0.0003],
  crisis_with_phrase: [0.025, 0.003],
  high: [0.012, 0.002],
  other: [0.006, 0.002],
  joking: [0.002, 0.001],
  caution: [0.045, 0.012],
}

/** Chooses the thresholds at which no more is called too much than the shares allow. */
export function calibrate(heldOut: readonly HeldOutText[], writers: readonly string[]): IntentCalibration {
  const values = (wanted: Wanted, score: Score): number[] =>
    heldOut.filter(({ text }) => wanted(text)).map(({ found }) => score(found))
  /** Never on a draw, however seldom danger is taken for the class. */
  const leastLogOdds = (name: IntentClass, share: number): number =>
    round(Math.max(0.5, valueAbove(values(isDanger, logOdds(name)), share)))
  const thresholds = (within: Wanted, shares: Shares, leastJoking: number): IntentThresholds => {
    const harmless = isHarmless(writers)
    const least = (score: Score, [ours, everyday]: readonly [number, number]): number =>
      round(
        Math.max(
          valueAbove(
            values((text) => harmless(text) && within(text), score),
            ours,
          ),
          valueAbove(
            values((text) => isEverydayTalk(text) && within(text), score),
            everyday,
          ),
        ),
      )
    return {
      crisis: least(dangerScore, shares.crisis),
      crisis_with_phrase: least(dangerScore, shares.crisis_with_phrase),
      high: least(dangerScore, shares.high),
      // However seldom harmless talk is taken for them: one class among nine must be likely in itself.
      other: Math.max(0.5, least(othersScore, shares.other)),
      joking: Math.max(leastJoking, least(jokingScore, shares.joking)),
      caution: least(anyScore, shares.caution),
    }
  }
  return {
    short: thresholds(({ tokens }) => tokens < shortPassage, sharesOfShort, 0.75),
    long: thresholds(({ tokens }) => tokens >= shortPassage, sharesOfLong, 0.5),
    discounted: { crisis: 0.99, caution: 0.9 },
    reinterpretation: {
      joking: leastLogOdds('joking', 0.0008),
      denial: leastLogOdds('denial', 0.001),
      quotation: leastLogOdds('quotation', 0.001),
      third_party: leastLogOdds('third_party', 0.001),
    },
  }
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
      curve(`${name} against danger`, logOdds(name), isDanger, [0.0005, 0.001, 0.003]),
    ),
  ]
} // prettier-ignore
