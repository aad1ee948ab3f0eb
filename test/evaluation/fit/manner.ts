/**
 * Fits resources/detection/manner.yaml, reproducibly: `node test/evaluation/fit/manner.ts [DATA_FOLDER]`.
 *
 * Fitted on the sentences under resources/training, written for this purpose by writers who had not seen the rules, and on
 * ordinary talk whose licence allows it: GoEmotions (Apache-2.0), iSarcasm (MIT), SAD stressors (MIT), CounselChat
 * questions (MIT), AnnoMI client turns (public domain). Thresholds come from leaving out one writer at a time.
 *
 * `--curves` prints what the thresholds were chosen from. `--without WRITER --out FILE` leaves a writer out and
 * writes the model elsewhere, so that the whole engine can be asked about sentences of a stranger.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from '../../../main/analysis/compile.ts'
import { sentenceBounds } from '../../../main/analysis/cues.ts'
import { readDetection } from '../../../main/analysis/detection.ts'
import {
  eachFeature,
  fewWords,
  manners,
  passageFeatures,
  passagesOf,
  soundsOf,
  type Manner,
  type MannerData,
} from '../../../main/analysis/manner.ts'
import { projectRoot, readDetectionFiles } from '../../../main/platform/detection-files.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { curves: { type: 'boolean' }, without: { type: 'string' }, out: { type: 'string' }, corpus: { type: 'string' } },
}) // prettier-ignore
const folder = positionals[0] ?? join(import.meta.dirname, '../../../../shared/data')
const corpus = options.corpus ?? join(import.meta.dirname, '../../../resources/training')

const kinds = manners.length
const buckets = 1 << 18
const epochs = 20
const rate = 0.5
const decay = 3e-5

/** How the passages of each file are meant. */
const mannerOf: Record<string, Manner> = {
  'crisis-explicit': 'danger', 'crisis-disguised': 'danger', 'crisis-indirect': 'danger', 'crisis-negation': 'danger', 'crisis-long': 'danger',
  concern: 'concern', selfharm: 'concern', jest: 'jest', quoted: 'quoted', denied: 'denied', other: 'other', threat: 'threat', abuse: 'abuse',
  idiom: 'plain', ordinary: 'plain', stress: 'plain',
} // prettier-ignore

interface Text {
  /** Writer, or the name of a public set. */
  source: string
  file: string
  manner: Manner
  weight: number
  /** Words of the longest passage. */
  words: number
  passages: number[][]
}

/** A model that says nothing, so that none is needed to fit the first. */
const silent = `version: 0.0.0
manners: [${manners.join(', ')}]
buckets: 1
bias: [${manners.map((name) => (name === 'plain' ? 9 : 0)).join(', ')}]
scale: 1
thresholds: { few: { crisis: 0.98, crisis_named: 0.9, high: 0.95, other: 0.9, jest: 0.9, caution: 0.85 }, more: { crisis: 0.94, crisis_named: 0.7, high: 0.78, other: 0.6, jest: 0.8, caution: 0.7 }, taken: { crisis: 0.99, caution: 0.9 }, milder: { jest: 1.5, denied: 2.3, quoted: 0.5, other: 1.8 } }
weights: ${Buffer.alloc(manners.length).toString('base64')}`
const detection = readDetection({ ...readDetectionFiles(), 'manner.yaml': silent })
const compiled = compile(detection)

/** The hashed features of every passage of a text. */
function featuresOf(text: string): Pick<Text, 'words' | 'passages'> {
  const reading = compiled.read(text)
  const sounds = soundsOf(reading.words, buckets)
  const spans = passagesOf(reading, sentenceBounds(reading))
  const passages = spans.map(({ from, to }) => {
    const found = passageFeatures(reading, { from, to }, buckets)
    for (let i = from; i <= to; i += 1)
      eachFeature(sounds, i, buckets, (reach, bucket) => {
        if (i - reach >= from) found.push(bucket)
      })
    return found
  })
  return { words: Math.max(0, ...spans.map(({ from, to }) => to - from + 1)), passages }
}

const lines = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Sentences that the golden set tests with: nothing may be fitted on one of them. */
const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const learned = ['later-second', 'later-third', 'later-fourth', 'later-fifth']
const tested = new Set(
  readdirSync(join(import.meta.dirname, '../golden'))
    .filter((file) => file.endsWith('.jsonl') && !learned.includes(file.replace('.jsonl', '')))
    .flatMap((file) => lines(join(import.meta.dirname, '../golden', file)))
    .map((line) => plainWords((JSON.parse(line) as { text: string }).text)),
)

const writers = readdirSync(corpus, { withFileTypes: true })
  .filter((entry) => !entry.isFile())
  .map(({ name }) => name)
  .sort()
const texts: Text[] = writers.flatMap((writer) =>
  Object.entries(mannerOf).flatMap(([file, manner]) => {
    const path = join(corpus, writer, `${file}.txt`)
    return existsSync(path) ? lines(path).filter((text) => !tested.has(plainWords(text))).map((text) => ({ source: writer, file, manner, weight: 1, ...featuresOf(text) })) : []
  }),
) // prettier-ignore

// Sentences that the rules were widened by; the golden test holds what was learned from them.
for (const name of learned)
  for (const { tier, text } of lines(join(import.meta.dirname, '../golden', `${name}.jsonl`)).map(
    (line) => JSON.parse(line) as { tier: string; text: string },
  ))
    if (tier === 'crisis' || tier === 'ok')
      texts.push({
        source: name,
        file: name,
        manner: tier === 'crisis' ? 'danger' : 'plain',
        weight: 1,
        ...featuresOf(text),
      })

const rows = (name: string): Record<string, unknown>[] =>
  lines(join(folder, name, 'dev.jsonl')).map((line) => JSON.parse(line) as Record<string, unknown>)
const addPlain = (source: string, text: unknown, weight: number): void => {
  texts.push({ source, file: source, manner: 'plain', weight, ...featuresOf(String(text)) })
}
// Presumed harmless by their makers, not read one by one.
const publicWeight = 0.8
for (const { subset, text } of rows('goemotions_ordinary'))
  if (subset === 'ordinary') addPlain('goemotions', text, publicWeight)
for (const { text } of rows('isarcasm_tweets')) addPlain('isarcasm', text, publicWeight)
for (const { text, avg_severity } of rows('sad_stressors'))
  if ((avg_severity as number) < 7) addPlain('sad', text, publicWeight)
for (const { turns } of rows('annomi_sessions'))
  for (const { speaker, text } of turns as { speaker: string; text: string }[])
    if (speaker === 'client' && text.length > 20) addPlain('annomi', text, 0.3)
const asked = new Set<unknown>()
for (const { question_id, topic, context, title } of rows('counselchat')) {
  if (asked.has(question_id) || /depress|suicid|self-harm|grief|trauma|abuse|violence/i.test(String(topic))) continue
  asked.add(question_id)
  addPlain('counselchat', context || title, 0.3)
}

/** Mulberry32, for the order of examples only. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Weights {
  table: Float32Array
  bias: Float64Array
}

function probabilities({ table, bias }: Weights, features: readonly number[]): number[] {
  const totals = Array.from({ length: kinds }, () => 0)
  for (const bucket of features)
    for (let kind = 0; kind < kinds; kind += 1) totals[kind]! += table[bucket * kinds + kind]!
  const root = Math.sqrt(features.length)
  const logits = totals.map((total, kind) => bias[kind]! + total / root)
  const highest = Math.max(...logits)
  const raised = logits.map((value) => Math.exp(value - highest))
  const sum = raised.reduce((total, value) => total + value, 0)
  return raised.map((value) => value / sum)
}

interface Sample {
  features: number[]
  kind: number
  weight: number
}

/** Multinomial logistic regression by AdaGrad with a little L2, in a seeded order. */
function train(samples: readonly Sample[], rounds: number): Weights {
  const weights: Weights = { table: new Float32Array(buckets * kinds), bias: new Float64Array(kinds) }
  const squares = new Float32Array(buckets * kinds).fill(1e-2)
  const random = seeded(20260120)
  const order = samples.map((_, index) => index)
  for (let round = 0; round < rounds; round += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1))
      ;[order[i], order[j]] = [order[j]!, order[i]!]
    }
    for (const index of order) {
      const { features, kind: truth, weight } = samples[index]!
      const found = probabilities(weights, features)
      const root = Math.sqrt(features.length)
      for (let kind = 0; kind < kinds; kind += 1) {
        const error = (found[kind]! - (kind === truth ? 1 : 0)) * weight
        if (Math.abs(error) < 1e-4) continue
        weights.bias[kind]! -= 0.02 * error
        const step = error / root
        for (const bucket of features) {
          const at = bucket * kinds + kind
          const gradient = step + decay * weights.table[at]!
          squares[at]! += gradient * gradient
          weights.table[at]! -= (rate * gradient) / Math.sqrt(squares[at]!)
        }
      }
    }
  }
  return weights
}

const danger = manners.indexOf('danger')

/** Fits on the texts given. Of a long text in danger only the most telling passage is taken as such. */
function fit(kept: readonly Text[]): Weights {
  const samplesOf = (known: Weights | null): Sample[] =>
    kept.flatMap(({ manner, weight, passages }): Sample[] => {
      const kind = manners.indexOf(manner)
      if (passages.length < 2 || manner === 'plain') return passages.map((features) => ({ features, kind, weight }))
      if (!known) return []
      const ranked = passages.toSorted((a, b) => probabilities(known, b)[kind]! - probabilities(known, a)[kind]!)
      return [{ features: ranked[0]!, kind, weight }]
    })
  return train(samplesOf(train(samplesOf(null), 4)), epochs)
}

/** Probabilities of the passage that is most of a danger. */
function judge(weights: Weights, { passages }: Text): number[] {
  const read = passages.map((features) => probabilities(weights, features))
  return read.reduce((worst, each) => (each[danger]! > worst[danger]! ? each : worst))
}

/** Parts in which writers are held out. */
const folds = 5

/** Every text judged by a model that has seen nothing of its writer; public sets are cut into as many parts. */
function heldOut(): { text: Text; found: number[] }[] {
  const groups = texts.map(({ source }, index) => (writers.includes(source) ? writers.indexOf(source) : index) % folds)
  return Array.from({ length: folds }, (_, group) => group).flatMap((group) => {
    const weights = fit(texts.filter((_, index) => groups[index] !== group))
    return texts.flatMap((text, index) => (groups[index] === group && text.passages.length > 0 ? [{ text, found: judge(weights, text) }] : []))
  })
} // prettier-ignore

const round = (value: number): number => Math.round(value * 1000) / 1000

/** The value that at most a share of the values lies above. */
function above(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => b - a)[Math.floor(values.length * share)]!
}

const harmless = (text: Text): boolean => writers.includes(text.source) && text.manner === 'plain'
const publicTalk = ({ source }: Text): boolean => ['goemotions', 'isarcasm', 'sad'].includes(source)
const of = (name: Manner): number => manners.indexOf(name)
type Band = MannerData['thresholds']['few']
/** Whatever may call for somebody. */
const concern = (found: readonly number[]): number =>
  found[danger]! + found[of('concern')]! + found[of('other')]! + found[of('threat')]! + found[of('abuse')]!
/** Logarithm of a manner's odds against danger and despair. */
const milder = (found: readonly number[], manner: Manner): number =>
  Math.log(found[of(manner)]! / (found[danger]! + found[of('concern')]!))

function write(weights: Weights, thresholds: MannerData['thresholds'], file: string): void {
  const largest = weights.table.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const scale = largest / 127
  const bytes = Uint8Array.from(weights.table, (value) => Math.round(value / scale) & 0xff)
  const short = (value: number): number => Number(value.toPrecision(8))
  const yaml = [
    '# Fitted by test/evaluation/fit/manner.ts; see resources/docs/model-card.md. Do not edit by hand.',
    'version: 1.0.0',
    `manners: [${manners.join(', ')}]`,
    `buckets: ${buckets}`,
    `bias: [${Array.from(weights.bias, short).join(', ')}]`,
    `scale: ${short(scale)}`,
    `thresholds: ${JSON.stringify(thresholds)}`,
    `weights: ${Buffer.from(bytes).toString('base64')}`,
  ]
  writeFileSync(file, yaml.join('\n') + '\n')
}

/** Shares found at equal false alarms, by file: what a change of the model is judged by. */
function printCurves(judged: readonly { text: Text; found: number[] }[]): void {
  const files = [...new Set(judged.map(({ text }) => text.file))]
  const print = (name: string, value: (found: number[]) => number, against: (text: Text) => boolean, shares: readonly number[]): void => {
    const values = judged.filter(({ text }) => against(text)).map(({ found }) => value(found))
    for (const share of shares) {
      const level = above(values, share)
      const found = files.map((file) => {
        const those = judged.filter(({ text }) => text.file === file)
        return `${file} ${((100 * those.filter((each) => value(each.found) > level).length) / those.length).toFixed(1)}`
      })
      process.stdout.write(`${name} > ${level.toFixed(3)} (${share * 100} %): ${found.join('  ')}\n`)
    }
  }
  print('danger against harmless', (found) => found[danger]!, harmless, [0.002, 0.005, 0.01, 0.02])
  print('danger against public talk', (found) => found[danger]!, publicTalk, [0.0003, 0.001, 0.003])
  print('any against harmless', concern, harmless, [0.02, 0.05])
  print('any against public talk', concern, publicTalk, [0.005, 0.01])
  for (const name of ['jest', 'denied', 'quoted', 'other'] as const)
    print(`${name} against danger`, (found) => milder(found, name), ({ manner }) => manner === 'danger', [0.0005, 0.001, 0.003])
} // prettier-ignore

const target = options.out ?? join(projectRoot(), 'resources', 'detection', 'manner.yaml')
if (options.curves) printCurves(heldOut())
else if (options.without !== undefined) {
  const kept = texts.filter(({ source }) => source !== options.without)
  write(fit(kept), detection.manner.thresholds, target)
} else {
  const judged = heldOut()
  const values = (wanted: (text: Text) => boolean, value: (found: number[]) => number): number[] =>
    judged.filter(({ text }) => wanted(text)).map(({ found }) => value(found))
  const dangerOf = (found: readonly number[]): number => found[danger]!
  const othersOf = (found: readonly number[]): number =>
    Math.max(found[of('other')]!, found[of('threat')]!, found[of('abuse')]!)
  /** Never on a draw, however seldom danger is taken for the manner. */
  const sure = (manner: Manner, share: number): number => {
    const odds = values(
      (text) => text.manner === 'danger',
      (found) => milder(found, manner),
    )
    return round(Math.max(0.5, above(odds, share)))
  }
  /** Thresholds at which at most so many of the harmless sentences, and of the public talk, are called more. */
  const band = (within: (text: Text) => boolean, shares: Record<keyof Band, readonly [number, number]>): Band => {
    const least = (value: (found: number[]) => number, [ours, talk]: readonly [number, number]): number =>
      round(
        Math.max(
          above(values((text) => harmless(text) && within(text), value), ours),
          above(values((text) => publicTalk(text) && within(text), value), talk),
        ),
      ) // prettier-ignore
    return {
      crisis: least(dangerOf, shares.crisis),
      crisis_named: least(dangerOf, shares.crisis_named),
      high: least(dangerOf, shares.high),
      // However seldom harmless talk is taken for them: one manner among nine must be likely in itself.
      other: Math.max(0.5, least(othersOf, shares.other)),
      jest: Math.max(
        shares.jest[0] < 0.002 ? 0.75 : 0.5,
        least((found) => found[of('jest')]!, shares.jest),
      ),
      caution: least(concern, shares.caution),
    }
  }
  const thresholds = {
    few: band(({ words }) => words < fewWords, { crisis: [0.001, 0.001], crisis_named: [0.006, 0.004], high: [0.003, 0.002], other: [0.003, 0.003], jest: [0.001, 0.001], caution: [0.02, 0.012] }),
    more: band(({ words }) => words >= fewWords, { crisis: [0.005, 0.0003], crisis_named: [0.025, 0.003], high: [0.012, 0.002], other: [0.006, 0.002], jest: [0.002, 0.001], caution: [0.045, 0.012] }),
    taken: { crisis: 0.99, caution: 0.9 },
    milder: { jest: sure('jest', 0.0008), denied: sure('denied', 0.001), quoted: sure('quoted', 0.001), other: sure('other', 0.001) },
  } // prettier-ignore
  write(fit(texts), thresholds, target)
  process.stdout.write(`fitted on ${texts.length} texts of ${writers.length} writers\n${JSON.stringify(thresholds)}\n`)
}
