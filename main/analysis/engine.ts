/** The engine: one message and what is known of the student in, one explained assessment out. */
import type { Assessment, PatternMatch } from '../../shared/assessment.ts'
import type { Instrument, MarkerType } from '../../shared/estimates.ts'
import type { SessionSummary } from '../../shared/events.ts'
import {
  patternCategories,
  worseTier,
  type PatternCategory,
  type RiskTier,
  type SignalName,
} from '../../shared/risk.ts'
import type { EstimateView } from '../../shared/views.ts'
import { assessWithPorts } from './assess-with.ts'
import { localClinical } from './clinical.ts'
import { combine } from './combinations.ts'
import { compile, type Compiled } from './compile.ts'
import { decide, type Decision, type Finding } from './decide.ts'
import type { ClinicalPrompt, Detection } from './detection.ts'
import { estimate, historySignal, type DatedMarker } from './estimates.ts'
import { isUncovered } from './language.ts'
import { findMarkers } from './markers.ts'
import { gatherCues, sentenceBounds, type MessageContext } from './cues.ts'
import { ruleOn, type RuledMatch } from './meaning.ts'
import type { Hit } from './automaton.ts'
import { createMannerModel, type MannerModel } from './manner.ts'
import type { AssessmentPorts, HeardMessage } from './ports.ts'
import { explain } from './reasons.ts'
import { matchScripts } from './scripts.ts'
import type { Phrase } from './nearness.ts'
import { createSemanticIndex, openSentences, orExact, samplePhrases, type SemanticIndex } from './semantic.ts'
import { hear, reread, type SecondReading } from './second-reader.ts'
import { createSentiment, rapidDrift, type SentimentLexicon } from './sentiment.ts'
import { summarise, type SummaryInput } from './summary.ts'

export interface AssessmentInput {
  text: string
  /** When it was said, UTC milliseconds. */
  at: number
  /** Up to the last three messages before it. */
  recent: readonly HeardMessage[]
  /** The student's markers of the last 30 days. */
  history: readonly DatedMarker[]
  /** Student messages of the rolling window, oldest first. */
  previous: readonly { tier: RiskTier; sentiment: number; categories: readonly PatternCategory[] }[]
}

export interface Engine {
  versions: { file: string; version: string }[]
  /** All local signals, synchronous and deterministic; never throws. */
  assess(input: AssessmentInput): Assessment
  /** With a clinical service and risk adapters, each with a deadline and 2.0 s in all; never rejects. */
  assessWith(input: AssessmentInput, ports: AssessmentPorts): Promise<Assessment>
  /** The fixed crisis reply. */
  protocolReply: string
  /** How a clinical service is asked, where there is one. */
  clinicalPrompt: ClinicalPrompt
  /** Phrases that an embedder compares messages with, where there is one. */
  phrases: readonly Phrase[]
  /** The estimate of an instrument over a window ending at `at` (UTC ms); `messageDays` are starts of days. */
  estimate(instrument: Instrument, markers: readonly { marker_type: MarkerType; confidence: number; at: number }[], messageDays: readonly number[], at: number, windowDays: 14 | 30): EstimateView['current'] // prettier-ignore
  summarise(session: SummaryInput): SessionSummary
}

/** Builds the engine from detection data. Throws DetectionFileError when a phrase in it cannot be read. */
export function createEngine(detection: Detection): Engine {
  const compiled = compile(detection)
  const parts: Parts = {
    detection,
    compiled,
    semantic: createSemanticIndex(detection),
    sentiment: createSentiment(detection),
    manner: createMannerModel(detection.manner),
    deadly: new Set(detection.words.deadly),
  }
  const assess = (input: AssessmentInput): Assessment => conclude(parts, examine(parts, input), {})
  return {
    versions: detection.versions,
    assess,
    assessWith: (input, ports) => {
      const examined = examine(parts, input)
      return assessWithPorts(detection, input, examined, ports, (overrides) => conclude(parts, examined, overrides))
    },
    protocolReply: detection.resources.protocol_reply.trim(),
    clinicalPrompt: detection.clinical,
    phrases: samplePhrases(detection, 3),
    estimate,
    summarise: (session) => summarise(detection, session),
  }
}

interface Parts {
  detection: Detection
  compiled: Compiled
  semantic: SemanticIndex
  sentiment: SentimentLexicon
  manner: MannerModel
  deadly: ReadonlySet<string>
}

interface Weighed {
  match: RuledMatch
  /** After the context rules, 0–1. */
  confidence: number
}

/** What reading the message gave, before any decision. */
export interface Examined {
  signals: Record<SignalName, number | null>
  blind: boolean
  finding: Finding
  about_other: boolean
  matches: PatternMatch[]
  categories: PatternCategory[]
  sentiment: number
  markers: Assessment['markers']
  reasons: Assessment['reasons']
  /** Sentences that the context rules did not take away. */
  open: string[]
  /** Affirmed phrases of the patterns, said word for word. */
  exact: { category: PatternCategory; confidence: number }[]
}

/** Signals replaced or found missing after the local ones. */
export interface Overrides {
  clinical?: number | null
  semantic?: number
  missing?: readonly SignalName[]
}

function examine(
  { detection, compiled, semantic, sentiment, manner, deadly }: Parts,
  input: AssessmentInput,
): Examined {
  const reading = compiled.read(input.text)
  const hits = compiled.find(reading)
  const masked = idiomMask(compiled, hits, reading.words.length)
  const bounds = sentenceBounds(reading)
  const humour = new Set(detection.affect.humour_emoji)
  const context: MessageContext = {
    reading,
    cues: gatherCues(
      compiled,
      hits.filter((hit) => !masked(hit)),
    ),
    bounds,
    humourEmoji: reading.emoji.some((sign) => humour.has(sign)),
    light: new Set(detection.context.light),
  }
  const found = [
    ...riskMatches(compiled, context, hits, masked),
    ...combine(
      detection,
      compiled,
      context,
      hits.filter((hit) => !masked(hit)),
    ),
    ...(reading.foreignLetters > 0 ? matchScripts(detection, input.text, reading.words) : []),
  ]
  const second: SecondReading = {
    context,
    passages: manner.read(reading, bounds),
    thresholds: manner.thresholds,
    deadly,
    idioms: hits.filter((hit) => compiled.meant(hit).kind === 'idiom'),
  }
  const withConfidence = (match: RuledMatch): Weighed => ({ match, confidence: confidenceOf(detection, match) })
  const matched = longestOnly(found).map((match) => reread(match, second))
  const ruled = matched.map(withConfidence)
  const heard = hear(second, matched).map(withConfidence)
  const muted = new Set<number>()
  for (const { match } of ruled) if (match.meaning !== 'affirmed') muted.add(reading.words[match.from]!.sentence)
  for (const hit of hits) if (masked(hit)) muted.add(reading.words[hit.from]!.sentence)
  const markers = findMarkers(compiled, detection, context, hits, masked)
  const exact = ruled
    .filter(({ match }) => match.meaning === 'affirmed')
    .map(({ match, confidence }) => ({ category: match.group.category, confidence }))
  const near = orExact(semantic.compare(reading, bounds, muted), exact)
  const clinical = localClinical({ ruled, heard, markers })
  const history = historySignal(input.history, input.at)
  const mood = sentiment.of(reading)
  const all = [...ruled, ...heard]
  const finding = find(detection, { ruled, heard }, input, mood)
  const matches = [...toMatches(heard, context, 'clinical'), ...toMatches(ruled, context, 'regex')]
  const blind = isUncovered(reading)
  const signals = {
    regex: ruled.reduce((highest, { confidence }) => Math.max(highest, confidence), 0),
    semantic: near.value,
    clinical: clinical.score,
    history: history.value,
  }
  return {
    signals: blind ? { ...signals, regex: signals.regex > 0 ? signals.regex : null } : signals,
    blind,
    finding,
    about_other: all.some(({ match }) => match.meaning === 'about someone else'),
    matches: matches.slice(0, mostMatches),
    categories: categoriesOf(all),
    sentiment: mood,
    markers,
    reasons: explain({ ruled, near, clinical, history, blind }),
    open: openSentences(input.text, reading, bounds, muted),
    exact,
  }
}

/** From what was examined to the assessment, with signals that ports replaced or lost. */
function conclude({ detection }: Parts, examined: Examined, overrides: Overrides): Assessment {
  const signals = { ...examined.signals }
  if (overrides.clinical !== undefined) signals.clinical = overrides.clinical
  if (overrides.semantic !== undefined) signals.semantic = overrides.semantic
  for (const name of overrides.missing ?? []) signals[name] = null
  const degraded = (Object.keys(signals) as SignalName[]).filter((name) => signals[name] === null)
  const blind = examined.blind || signals.regex === null
  if (examined.blind && !degraded.includes('regex')) degraded.push('regex')
  const decision = decide(detection.consensus, signals, examined.finding, blind)
  return {
    ...decision,
    about_other: examined.about_other,
    signals,
    degraded,
    reasons: [...examined.reasons, { signal: 'decision', text: decisionText(decision, examined.finding, degraded) }],
    matches: examined.matches,
    categories: examined.categories,
    sentiment: examined.sentiment,
    markers: examined.markers,
    notes: [],
  }
}

function decisionText(
  { tier, level, decided_by }: Decision,
  { read }: Finding,
  degraded: readonly SignalName[],
): string {
  const what = tier === 'ok' ? 'None seen' : `Tier ${tier}`
  const how =
    decided_by === 'floor'
      ? read
        ? 'set by the deterministic floor: read so as a whole'
        : 'set by the deterministic floor'
      : tier === 'caution' && level === 'SAFE'
        ? 'for concerning words; the weighted consensus alone asks for nothing'
        : 'by the weighted consensus'
  const missing = degraded.length > 0 ? `; without ${degraded.join(', ')}` : ''
  return `${what}, ${how}${missing}.`
}

/** Whether an idiom takes a hit away: it covers the end of the hit (“I could *die of boredom*”). */
function idiomMask(compiled: Compiled, hits: readonly Hit[], words: number): (hit: Hit) => boolean {
  // Furthest end of any idiom that begins at or before a word.
  const furthest = new Int32Array(words).fill(-1)
  for (const hit of hits)
    if (compiled.meant(hit).kind === 'idiom') furthest[hit.from] = Math.max(furthest[hit.from]!, hit.to)
  for (let i = 1; i < words; i += 1) furthest[i] = Math.max(furthest[i]!, furthest[i - 1]!)
  return ({ to }) => furthest[to]! >= to
}

function riskMatches(
  compiled: Compiled,
  context: MessageContext,
  hits: readonly Hit[],
  masked: (hit: Hit) => boolean,
): RuledMatch[] {
  return hits.flatMap((hit) => {
    const meant = compiled.meant(hit)
    const match = meant.kind === 'risk' && !masked(hit) ? ruleOn(context, meant.group, hit) : null
    return match ? [match] : []
  })
}

/** Leaves out a match that lies inside a longer one which says as much, or which says that it is another's. */
function longestOnly(found: readonly RuledMatch[]): RuledMatch[] {
  const worth = ({ group }: RuledMatch): number => group.confidence ?? patternCategories[group.category]
  const sorted = [...found].sort((a, b) => a.from - b.from || b.to - a.to || worth(b) - worth(a))
  const kept: RuledMatch[] = []
  /** Furthest end of a kept match by what it says. */
  const reached = new Map<string, number>()
  for (const item of sorted) {
    const { speaker, category } = item.group
    const key = speaker === 'other' || speaker === 'third' ? 'other' : `${category} ${worth(item)}`
    const inside = (reached.get(key) ?? -1) >= item.to || (reached.get('other') ?? -1) >= item.to
    if (inside || (speaker === 'topic' && (reached.get(category) ?? -1) >= item.to)) continue
    for (const each of [key, category]) reached.set(each, Math.max(reached.get(each) ?? -1, item.to))
    kept.push(item)
  }
  return kept
}

function confidenceOf({ consensus }: Detection, { group, meaning, resolved }: RuledMatch): number {
  const full = group.confidence ?? patternCategories[group.category]
  const { meanings } = consensus
  const share =
    meaning === 'affirmed' ? 1
    : meaning === 'negated' ? meanings.negated
    : meaning === 'about someone else' ? meanings.about_other
    : meaning === 'past' ? (resolved ? meanings.resolved : meanings.past)
    : meaning === 'hypothetical' ? meanings.hypothetical
    : meaning === 'quoted' ? meanings.quoted
    : meaning === 'hyperbole' ? meanings.hyperbole
    : meanings.trivial_cause // prettier-ignore
  return Math.round(full * share * 10_000) / 10_000
}

/** What the floor and the rules of affect demand of the phrases, and of the message read as a whole. */
function find(
  { consensus }: Detection,
  { ruled, heard }: { ruled: readonly Weighed[]; heard: readonly Weighed[] },
  input: AssessmentInput,
  mood: number,
): Finding {
  const all = [...ruled, ...heard]
  const demands = (weighed: readonly Weighed[]): RiskTier =>
    weighed.reduce<RiskTier>((most, { match, confidence }) => {
      const demanded = tierOf(consensus, match, confidence)
      return worseTier(most, match.doubtful ? worseTier('high', demanded) : demanded)
    }, 'ok')
  const listed = demands(ruled)
  const read = demands(heard)
  const repeated = repeats(all, input) ? 'high' : 'ok'
  const floor = worseTier(worseTier(listed, read), repeated)
  const counted = all.some(({ confidence }) => confidence >= 0.4)
  return {
    floor,
    floorScore: floor === 'crisis' ? all.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) : 0,
    affect: counted || rapidDrift(input.previous, mood) ? 'caution' : 'ok',
    read: floor === read && listed !== floor && repeated !== floor,
  }
}

const severe = 0.94

/** The tier one ruled match demands. */
function tierOf(
  { floor }: Detection['consensus'],
  { group, meaning, resolved }: RuledMatch,
  confidence: number,
): RiskTier {
  const full = group.confidence ?? patternCategories[group.category]
  const grave = full >= severe
  switch (meaning) {
    case 'affirmed':
      if (confidence >= floor.crisis) return 'crisis'
      return worseTier(group.tier === 'high' ? 'high' : 'ok', confidence >= floor.caution ? 'caution' : 'ok')
    case 'about someone else':
      return full >= floor.caution ? 'high' : 'ok'
    case 'hyperbole':
    case 'trivial cause':
    case 'hypothetical':
      return grave || group.tier === 'high' ? 'high' : full >= floor.caution ? 'caution' : 'ok'
    case 'past':
      if (!resolved && (grave || group.category === 'self_harm')) return 'high'
      return full >= floor.caution ? 'caution' : 'ok'
    case 'quoted':
    case 'negated':
      return grave ? 'caution' : 'ok'
  }
}

/** The same crisis category again within the rolling window, while below the floor. */
function repeats(ruled: readonly Weighed[], { previous }: AssessmentInput): boolean {
  const counts = (meaning: RuledMatch['meaning']): boolean =>
    meaning !== 'negated' && meaning !== 'quoted' && meaning !== 'about someone else'
  return ruled.some(
    ({ match }) =>
      counts(match.meaning) &&
      patternCategories[match.group.category] >= 0.8 &&
      previous.some(({ tier, categories }) => tier !== 'ok' && categories.includes(match.group.category)),
  )
}

function toMatches(
  ruled: readonly Weighed[],
  { reading: { words } }: MessageContext,
  signal: SignalName,
): PatternMatch[] {
  return ruled.map(({ match, confidence }) => ({
    category: match.group.category,
    confidence,
    start: words[match.from]!.start,
    end: words[match.to]!.end,
    meaning: match.meaning,
    signal,
  }))
}

/** A message of megabytes may hold any number; nobody reads more than these. */
const mostMatches = 200

/** Categories of the matches that count, most severe first. */
function categoriesOf(ruled: readonly Weighed[]): PatternCategory[] {
  const counted = ruled.filter(({ match }) => match.meaning !== 'negated' && match.meaning !== 'quoted')
  const found = new Set(counted.map(({ match }) => match.group.category))
  return (Object.keys(patternCategories) as PatternCategory[]).filter((category) => found.has(category))
}
