/**
 * Fits resources/detection/model.yaml, reproducibly: `node test/evaluation/fit/fit.ts DATA_FOLDER`.
 *
 * Fitted only on text whose licence allows it: C-SSRS Reddit posts (Gaur et al. 2019, CC BY, Zenodo 2667859),
 * Suicide Risk Lexicon phrases (Low et al., Apache-2.0), GoEmotions (Apache-2.0), iSarcasm (MIT), SAD stressors
 * (MIT), CounselChat (MIT), MentalChat synthetic (Apache-2.0), AnnoMI (public domain). The C-SSRS labels are of
 * users, not of posts, so the telling windows of a user are chosen by the model itself (multiple-instance learning).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from '../../../main/analysis/compile.ts'
import { sentenceBounds } from '../../../main/analysis/cues.ts'
import { readDetection } from '../../../main/analysis/detection.ts'
import { createEngine } from '../../../main/analysis/engine.ts'
import { featuresOf, readableWindows } from '../../../main/analysis/model.ts'
import { projectRoot, readDetectionFiles } from '../../../main/platform/detection-files.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '../../../../shared/data')
const holdOut = process.argv.includes('--cross-validate')
const buckets = 1 << 15
const rounds = 4
const epochs = 8

const rows = (name: string): Record<string, unknown>[] =>
  readFileSync(join(folder, name, 'dev.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const detection = readDetection(readDetectionFiles())
const compiled = compile(detection)
/** The engine without the model, to tell what the two find together. */
const rules = createEngine({ ...detection, model: { ...detection.model, threshold: 1 } })
const foundByRules = (text: string): boolean =>
  rules.assess({ text, at: 0, recent: [], history: [], previous: [] }).tier !== 'ok'
interface Example {
  /** Found by the rules alone; filled for people at risk when cross-validating. */
  rules: boolean
  features: number[][]
}
const example = (text: string): Example => {
  const reading = compiled.read(text)
  return {
    rules: holdOut && foundByRules(text),
    features: readableWindows(reading.words, sentenceBounds(reading)).map((window) =>
      featuresOf(reading.words, window, buckets),
    ),
  }
}

interface Person {
  id: string
  examples: Example[]
}
const atRisk: Person[] = []
const safe: { text: Example; weight: number; group: number }[] = []
const addSafe = (text: string, weight: number, group: number): void => {
  safe.push({ text: example(text), weight, group })
}

rows('cssrs_reddit').forEach((row, index) => {
  const posts = row['posts'] as string[]
  const label = row['label'] as string
  if (label === 'Supportive') for (const post of posts) addSafe(post, 0.95, index)
  else if (label === 'Indicator') for (const post of posts) addSafe(post, 0.3, index)
  else atRisk.push({ id: String(row['id']), examples: posts.map(example) })
})
rows('goemotions_ordinary').forEach((row, index) => addSafe(row['text'] as string, 1, index))
rows('isarcasm_tweets').forEach((row, index) => addSafe(row['text'] as string, 1, index))
rows('sad_stressors').forEach((row, index) => {
  if ((row['avg_severity'] as number) < 8) addSafe(row['text'] as string, 1, index)
})
// Long ordinary talk is scarce: neighbouring short texts are joined, so that length itself tells nothing.
const ordinaryTexts = [
  ...rows('goemotions_ordinary').filter(({ subset }) => subset === 'ordinary'),
  ...rows('isarcasm_tweets'),
  ...rows('sad_stressors').filter((row) => (row['avg_severity'] as number) < 8),
].map((row) => String(row['text']).replace(/([^.!?])$/, '$1.'))
for (let i = 0; i + 4 < ordinaryTexts.length; i += 3) addSafe(ordinaryTexts.slice(i, i + 4).join(' '), 0.9, i)
const seen = new Set<unknown>()
rows('counselchat').forEach((row, index) => {
  if (seen.has(row['question_id'])) return
  seen.add(row['question_id'])
  if (!/depress|suicid|self-harm|grief|trauma/i.test(String(row['topic'])))
    addSafe(String(row['context'] || row['title']), 0.95, index)
})
rows('mentalchat_synthetic').forEach((row, index) => addSafe(row['context'] as string, 0.8, index))
rows('annomi_sessions').forEach((row, index) => {
  const turns = row['turns'] as { speaker: string; text: string }[]
  const said = turns.filter(({ speaker }) => speaker === 'client').map(({ text }) => text)
  for (const text of said) addSafe(text, 1, index)
  for (let i = 0; i < said.length; i += 4) addSafe(said.slice(i, i + 4).join(' '), 0.9, index)
})

const tellingConstructs =
  /suicidal|Hopeless|Burdensome|Self-injury|worthless|Entrapment|Defeat|Emptiness|psychache|purposeless/i
const phrases = rows('suicide_risk_phrases')
  .filter((row) => (row['phrase'] as string).split(' ').length >= 3)
  // Phrases are shorter than what the model reads; a neutral first-person frame makes sentences of them.
  .map(
    (row) =>
      ({ ...row, phrase: `i do not know but right now it is like ${String(row['phrase'])}` }) as Record<
        string,
        unknown
      >,
  )
  .map((row) => ({
    text: example(row['phrase'] as string),
    telling: (row['constructs'] as string[]).some((name) => tellingConstructs.test(name)),
  }))

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
  values: Float64Array
  bias: number
}
const dot = ({ values, bias }: Weights, features: number[]): number => {
  let sum = 0
  for (const feature of features) sum += values[feature]!
  return bias + sum / Math.sqrt(features.length)
}
const probability = (weights: Weights, features: number[]): number => 1 / (1 + Math.exp(-dot(weights, features)))
const score = (weights: Weights, { features }: Example): number =>
  features.reduce((highest, window) => Math.max(highest, probability(weights, window)), 0)

type Sample = { features: number[]; label: 0 | 1; weight: number }

/** Logistic regression by AdaGrad with a little L2, in a seeded order. */
function train(samples: Sample[]): Weights {
  const weights: Weights = { values: new Float64Array(buckets), bias: -1 }
  const squares = new Float64Array(buckets).fill(1e-2)
  const random = seeded(20260120)
  const order = samples.map((_, index) => index)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1))
      ;[order[i], order[j]] = [order[j]!, order[i]!]
    }
    for (const index of order) {
      const { features, label, weight } = samples[index]!
      const error = (probability(weights, features) - label) * weight
      const step = error / Math.sqrt(features.length)
      for (const feature of features) {
        const gradient = step + 2e-5 * weights.values[feature]!
        squares[feature]! += gradient * gradient
        weights.values[feature]! -= (0.35 * gradient) / Math.sqrt(squares[feature]!)
      }
      weights.bias -= 0.01 * error
    }
  }
  return weights
}

/** Fits with the persons and safe texts that `keep` lets through. */
function fit(keepPerson: (index: number) => boolean, keepSafe: (index: number) => boolean): Weights {
  const negatives = safe
    .filter((_, index) => keepSafe(index))
    .flatMap(({ text, weight }) => text.features.map((features): Sample => ({ features, label: 0, weight })))
  const fixed = phrases.flatMap(({ text, telling }) =>
    text.features.map((features): Sample => ({ features, label: telling ? 1 : 0, weight: telling ? 1.5 : 0.5 })),
  )
  const persons = atRisk.filter((_, index) => keepPerson(index))
  // Round 0: every window of those at risk, at a low weight; then the telling ones only.
  let positives = persons.flatMap(({ examples }) =>
    examples.flatMap(({ features }) => features.map((window): Sample => ({ features: window, label: 1, weight: 0.3 }))),
  )
  let weights = train([...negatives, ...fixed, ...positives])
  for (let round = 0; round < rounds; round += 1) {
    positives = persons.flatMap(({ examples }) => {
      const windows = examples.flatMap(({ features }) => features)
      const ranked = windows.map((window) => ({ window, p: probability(weights, window) })).sort((a, b) => b.p - a.p)
      const most = Math.max(1, Math.ceil(ranked.length * 0.18))
      return ranked.slice(0, most).map(({ window }): Sample => ({ features: window, label: 1, weight: 1 }))
    })
    weights = train([...negatives, ...fixed, ...positives])
  }
  return weights
}

/** Shares of safe texts that may lie above the threshold: of short ordinary talk, and of long posts about troubles. */
const allowed = { ordinary: 0.008, troubled: 0.1 }

/** The lowest threshold that keeps both kinds of held-out safe text within their share. */
function thresholdOf(weights: Weights, keep: (index: number) => boolean): number {
  const above = (wanted: (weight: number) => boolean, share: number): number => {
    const scores = safe
      .filter(({ weight }, index) => wanted(weight) && keep(index))
      .map(({ text }) => score(weights, text))
      .sort((a, b) => b - a)
    return scores[Math.floor(scores.length * share)]!
  }
  return Math.max(
    above((weight) => weight === 1, allowed.ordinary),
    above((weight) => weight === 0.95, allowed.troubled),
  )
}

if (holdOut) {
  const folds = 4
  let [users, usersFound, posts, postsFound, together] = [0, 0, 0, 0, 0]
  for (let fold = 0; fold < folds; fold += 1) {
    const weights = fit(
      (index) => index % folds !== fold,
      (index) => index % folds !== fold,
    )
    const threshold = thresholdOf(weights, (index) => index % folds === fold)
    atRisk.forEach(({ examples }, index) => {
      if (index % folds !== fold) return
      const scores = examples.map((each) => score(weights, each))
      users += 1
      if (Math.max(...scores) >= threshold) usersFound += 1
      if (Math.max(...scores) >= threshold || examples.some(({ rules: found }) => found)) together += 1
      posts += scores.length
      postsFound += scores.filter((p) => p >= threshold).length
    })
  }
  process.stdout.write(
    `held out: ${usersFound}/${users} users by the model, ${together}/${users} with the rules, ${postsFound}/${posts} posts by the model\n`,
  )
} else {
  const weights = fit(
    () => true,
    () => true,
  )
  const largest = weights.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const scale = largest / 127
  const bytes = Uint8Array.from(weights.values, (value) => Math.round(value / scale) & 0xff)
  // Held out in quarters for the threshold, since the fitted texts themselves score too low.
  const thresholds = [0, 1, 2, 3].map((fold) => {
    const without = fit(
      () => true,
      (index) => index % 4 !== fold,
    )
    return thresholdOf(without, (index) => index % 4 === fold)
  })
  const threshold = thresholds.reduce((sum, value) => sum + value, 0) / thresholds.length
  const round = (value: number): number => Number(value.toPrecision(8))
  const yaml = [
    '# Fitted by test/evaluation/fit/fit.ts; see resources/docs/model-card.md. Do not edit by hand.',
    'version: 1.0.0',
    `buckets: ${buckets}`,
    `bias: ${round(weights.bias)}`,
    `scale: ${round(scale)}`,
    `threshold: ${round(threshold)}`,
    `weights: ${Buffer.from(bytes).toString('base64')}`,
  ]
  writeFileSync(join(projectRoot(), 'resources', 'detection', 'model.yaml'), yaml.join('\n') + '\n')
  process.stdout.write(
    `fitted on ${atRisk.length} people and ${safe.length} safe texts; thresholds ${thresholds.map((t) => t.toFixed(3)).join(' ')}\n`,
  )
}
