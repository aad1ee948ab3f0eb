/** The engine: one message and what is known of the student in, one explained assessment out. */
import type { Assessment } from '../../shared/assessment.ts'
import type { SessionSummary } from '../../shared/events.ts'
import { operatingPointNames, type OperatingPointName, type WeightSetName } from '../../shared/detection.ts'
import { signalNames, type SignalName } from '../../shared/risk.ts'
import { decidedOnSentences } from '../../shared/risk-words.ts'
import type { AssessmentInput } from './assessment-input.ts'
import type { ClinicalPrompt, DetectionData, IntentCalibration, OperatingPoint } from './data/index.ts'
import { decidedOn, reachConsensus, withOperatingPoint } from './decision/index.ts'
import { withImpliedMarkers } from './markers/index.ts'
import type { AssessmentPorts } from './service-ports.ts'
import { createSignalReader, type SignalReadings } from './signal-readings.ts'
import { referencePhrases, type ReferencePhrase } from './signals/index.ts'
import { summarize, type SummaryInput } from './summary.ts'
import { answerLanguage, type AnswerLanguage } from './text/index.ts'
import { assessWithServices, type SignalOverrides } from './with-services.ts'

export interface Engine {
  versions: { file: string; version: string }[]
  /** What a school can choose between, with what each costs and misses. */
  detection: Pick<DetectionData['consensus'], 'operating_points' | 'messages_per_1000_week' | 'weight_sets' | 'weights'>
  /** All local signals, synchronous and deterministic; never throws. */
  assess(input: AssessmentInput): Assessment
  /** With a clinical service and risk adapters, each with a deadline and 2.0 s in all; never rejects. */
  assessWith(input: AssessmentInput, ports: AssessmentPorts): Promise<Assessment>
  /** The fixed crisis reply, in English. */
  protocolReply: string
  /** The same in Spanish. */
  protocolReplyInSpanish: string
  /** What somebody who writes so is answered in. */
  answerLanguage(text: string): AnswerLanguage
  /** How a clinical service is asked, where there is one. */
  clinicalPrompt: ClinicalPrompt
  /** Phrases that an embedder compares messages with, where there is one. */
  referencePhrases: readonly ReferencePhrase[]
  summarize(session: SummaryInput): SessionSummary
}

/** Characters at the beginning of a text that its language is known by. */
const readForLanguage = 4000

/** Samples of each phrase that an embedder reads. */
const samplesForEmbedder = 3

/** What holds for messages whose school has chosen nothing. */
export interface EngineSettings {
  /** Absent = the balanced point. */
  operatingPoint?: OperatingPoint
  /** Absent = those that the detection files name. */
  weights?: WeightSetName
}

/** Builds the engine from detection data. Throws DetectionFileError where a phrase in them cannot be parsed. */
export function createEngine(data: DetectionData, settings: EngineSettings = {}): Engine {
  const { read, tokenize: tokenizeText } = createSignalReader(data)
  const { weight_sets: weightSets, operating_points: points, deadlines, semantic_threshold: semanticThreshold } = data.consensus // prettier-ignore
  const fitted = data.intentModel.calibration
  const usual = withOperatingPoint(fitted, settings.operatingPoint ?? points.balanced.shift)
  const chosen = Object.fromEntries(
    operatingPointNames.map((name) => [name, withOperatingPoint(fitted, points[name].shift)]),
  ) as Record<OperatingPointName, IntentCalibration>
  const readingsOf = (input: AssessmentInput): SignalReadings =>
    read(input, input.detection ? chosen[input.detection.operating_point] : usual)
  const decideOn = (
    { detection }: AssessmentInput,
    readings: SignalReadings,
    overrides: SignalOverrides,
  ): Assessment => {
    const { weights } = weightSets[detection?.weights ?? settings.weights ?? data.consensus.weights]
    const assessment = decide(weights, readings, overrides)
    return detection ? { ...assessment, operating_point: detection.operating_point } : assessment
  }
  return {
    versions: data.versions,
    detection: data.consensus,
    assess: (input) => decideOn(input, readingsOf(input), {}),
    assessWith: (input, ports) => {
      const readings = readingsOf(input)
      const decideWith = (overrides: SignalOverrides): Assessment => decideOn(input, readings, overrides)
      return assessWithServices(input, readings, ports, { deadlines, semanticThreshold, decide: decideWith })
    },
    protocolReply: data.resources.protocol_reply.trim(),
    protocolReplyInSpanish: data.resources.protocol_reply_in_spanish.trim(),
    answerLanguage: (text) =>
      answerLanguage(tokenizeText(text.slice(0, readForLanguage)), data.lexicon.languages, data.spanish.words),
    clinicalPrompt: data.clinical,
    referencePhrases: referencePhrases(data, samplesForEmbedder),
    summarize: (session) => summarize(data.resources, session),
  }
}

/** The crisis reply in a language; for a message of two languages in both, whichever is read faster. */
export function protocolReplyIn(
  engine: Pick<Engine, 'protocolReply' | 'protocolReplyInSpanish'>,
  language: AnswerLanguage,
): string {
  if (language === 'english') return engine.protocolReply
  const spanish = engine.protocolReplyInSpanish
  return language === 'spanish' ? spanish : `${spanish}\n\n${engine.protocolReply}`
}

/** From the readings to the assessment, with signals that services replaced or lost. */
function decide(
  weights: Readonly<Record<SignalName, number>>,
  readings: SignalReadings,
  overrides: SignalOverrides,
): Assessment {
  const signals = { ...readings.signals }
  if (overrides.clinical !== undefined) signals.clinical = overrides.clinical
  if (overrides.semantic !== undefined) signals.semantic = overrides.semantic
  for (const name of overrides.missing ?? []) signals[name] = null
  const degraded = signalNames.filter((name) => signals[name] === null)
  const uncovered = readings.uncovered || signals.regex === null
  if (readings.uncovered && !degraded.includes('regex')) degraded.push('regex')
  const decision = reachConsensus(weights, signals, readings.floor, uncovered)
  const unread = readings.uncovered ? 'uncovered' : signals.regex === null ? 'missing' : null
  const decided_on = decidedOn(decision, readings.floor, unread)
  return {
    ...decision,
    decided_on,
    about_other: readings.about_other,
    signals,
    degraded,
    reasons: [...readings.reasons, { signal: 'decision', text: decidedOnSentences[decided_on] }],
    matches: readings.matches,
    categories: readings.categories,
    sentiment: readings.sentiment,
    markers: withImpliedMarkers(readings.markers, { tier: decision.tier, matches: readings.matches }),
    notes: [],
  }
}
