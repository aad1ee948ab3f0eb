/** Assessment with services: a clinical service, an embedder and risk adapters beside the local signals, all with deadlines. */
import type { Assessment, PatternMatch } from '../../shared/assessment.ts'
import { levelRank, scoreBands, scoreWithin, tierRank, type RiskTier, type SignalName } from '../../shared/risk.ts'
import { recentMessages, type AssessmentInput } from './assessment-input.ts'
import { clinicalAnswerSchema, type DetectionData } from './data/index.ts'
import { semanticReason } from './decision/index.ts'
import {
  adapterFlaggedSchema,
  adapterNotesSchema,
  adapterTierSchema,
  readAnswer,
  withDeadline,
  type AssessmentPorts,
  type RiskAdapter,
} from './service-ports.ts'
import type { SignalReadings } from './signal-readings.ts'
import { type SemanticSignal } from './signals/index.ts'

/** Signals replaced or found missing after the local ones. */
export interface SignalOverrides {
  clinical?: number | null
  semantic?: number
  missing?: readonly SignalName[]
}

interface Rules {
  deadlines: DetectionData['consensus']['deadlines']
  semanticThreshold: number
  /** The assessment of the message under overridden signals. */
  decide(overrides: SignalOverrides): Assessment
}

/** Decides with what has arrived within the deadlines; never rejects. */
export async function assessWithServices(
  input: AssessmentInput,
  readings: SignalReadings,
  ports: AssessmentPorts,
  { deadlines, semanticThreshold, decide }: Rules,
): Promise<Assessment> {
  const missing: readonly SignalName[] = ports.missing ?? []
  const local = decide({ missing })
  const adapters = (ports.adapters ?? []).map((adapter) => askAdapter(adapter, input, local, ports, deadlines.adapter))
  const [clinical, semantic] = await Promise.all([
    ports.clinical ? askClinical(input, ports, Math.min(deadlines.clinical, deadlines.all)) : null,
    ports.similarity
      ? askEmbedder(readings, semanticThreshold, ports, Math.min(deadlines.semantic, deadlines.all))
      : null,
  ])
  const overrides: SignalOverrides = { missing }
  if (clinical) overrides.clinical = clinical.score
  if (semantic?.signal) overrides.semantic = semantic.signal.value
  const assessment = decide(overrides)
  if (clinical) {
    assessment.notes.push(...clinical.notes)
    replaceReason(assessment, 'clinical', clinical.reason)
  }
  if (semantic?.signal) replaceReason(assessment, 'semantic', semanticReason(semantic.signal))
  if (semantic?.note) assessment.notes.push(semantic.note)
  neverBelow(local, assessment)
  for (const answered of await Promise.all(adapters)) applyAdapter(assessment, answered, input.text.length)
  return assessment
}

/** A service may say more than the local signals do, never less: neither by a low score nor by failing. */
function neverBelow(local: Assessment, assessment: Assessment): void {
  const lower = tierRank(assessment.tier) < tierRank(local.tier) || levelRank(assessment.level) < levelRank(local.level)
  if (!lower) return
  const { tier, level, decided_by, decided_on } = local
  const score = scoreWithin(tier, level, Math.max(assessment.score, local.score))
  Object.assign(assessment, { tier, level, decided_by, decided_on, score })
  const isDecision = ({ signal }: Assessment['reasons'][number]): boolean => signal === 'decision'
  assessment.reasons = [...assessment.reasons.filter((reason) => !isDecision(reason)), ...local.reasons.filter(isDecision)] // prettier-ignore
  assessment.notes.push('The signals of this machine alone ask for more: they decide.')
}

function replaceReason(assessment: Assessment, signal: SignalName, text: string): void {
  assessment.reasons = assessment.reasons.map((reason) => (reason.signal === signal ? { signal, text } : reason))
}

/** The embedder's signal over the sentences to compare; without its answer the built-in one stands. */
async function askEmbedder(
  { sentences }: SignalReadings,
  threshold: number,
  { similarity, timer }: AssessmentPorts,
  limit: number,
): Promise<{ signal: SemanticSignal | null; note: string | null }> {
  const without = (why: string) => ({ signal: null, note: `embedder ${why}: the built-in comparison with known sentences stands` }) // prettier-ignore
  if (!similarity!.ready()) return without('is not ready')
  let best: SemanticSignal = { value: 0, category: null }
  if (sentences.length > 0) {
    const arrived = await withDeadline(timer, limit, (signal) => similarity!.compare(sentences, threshold, signal))
    if (!arrived.ok) return without(arrived.problem === 'late' ? 'did not answer in time' : 'failed')
    best = arrived.value
  }
  const value = Math.round(best.value * 10_000) / 10_000
  return { signal: { ...best, value }, note: null }
}

interface ClinicalOutcome {
  score: number | null
  reason: string
  notes: string[]
}

async function askClinical(
  input: AssessmentInput,
  { clinical, timer }: AssessmentPorts,
  limit: number,
): Promise<ClinicalOutcome> {
  const arrived = await withDeadline(timer, limit, (signal) =>
    clinical!.ask(input.text, input.recent.slice(-recentMessages), signal),
  )
  if (!arrived.ok) {
    const why = arrived.problem === 'late' ? 'did not answer in time' : 'failed'
    return { score: null, reason: `The clinical service ${why}.`, notes: [`clinical service ${why}`] }
  }
  const answer = readAnswer(clinicalAnswerSchema, arrived.value)
  if (!answer)
    return { score: null, reason: 'The clinical service gave an unreadable answer.', notes: ['clinical service: unreadable answer'] } // prettier-ignore
  // The service's own words may quote the student: only the marker's name goes into the reason.
  const { score, detected, marker } = answer
  return { score, reason: detected ? `The clinical service sees ${marker ?? 'an indicator'}.` : 'The clinical service sees no clear indicator.', notes: [] } // prettier-ignore
}

interface Answered {
  name: string
  answer: unknown
  problem: 'late' | 'failed' | null
}

async function askAdapter(
  adapter: RiskAdapter,
  input: AssessmentInput,
  local: Assessment,
  { timer }: AssessmentPorts,
  limit: number,
): Promise<Answered> {
  const arrived = await withDeadline(timer, limit, (signal) =>
    adapter.assess(input.text, structuredClone(local), signal, input.recent.slice(-recentMessages)),
  )
  return arrived.ok
    ? { name: adapter.name, answer: arrived.value, problem: null }
    : { name: adapter.name, answer: null, problem: arrived.problem }
}

/** Takes what can be parsed of an answer; whatever cannot becomes a note, and lowers nothing. */
function applyAdapter(assessment: Assessment, { name, answer, problem }: Answered, length: number): void {
  if (problem) {
    assessment.notes.push(`risk adapter “${name}” ${problem === 'late' ? 'did not answer in time' : 'failed'}`)
    return
  }
  const raised = readAnswer(adapterTierSchema, answer)
  const noted = readAnswer(adapterNotesSchema, answer)
  const seen = readAnswer(adapterFlaggedSchema, answer)
  for (const note of noted?.notes ?? []) assessment.notes.push(`${name}: ${note.slice(0, 400)}`)
  // An adapter names a tier and no probability: what it flags counts as much as that tier asks for.
  const confidence = raised ? leastScore(raised.tier) : 0
  assessment.matches = [...assessment.matches, ...flaggedBy(seen?.flagged ?? [], length, confidence)]
  if (!raised || !noted || !seen) assessment.notes.push(`risk adapter “${name}”: unreadable answer`)
  if (raised) raise(assessment, raised.tier, name)
}

/** The score below which a tier is never reported. */
function leastScore(tier: RiskTier): number {
  return scoreBands[tier]
}

/** What an adapter flagged, cut to the message; what lies outside it is left out. */
function flaggedBy(
  spans: readonly { start: number; end: number }[],
  length: number,
  confidence: number,
): PatternMatch[] {
  const within = (offset: number): number => Math.min(Math.max(Math.trunc(offset), 0), length)
  return spans
    .map(({ start, end }) => ({ start: within(start), end: within(end) }))
    .filter(({ start, end }) => start < end)
    .map((span) => ({ category: 'other', confidence, ...span, meaning: 'affirmed', signal: 'adapter' }))
}

function raise(assessment: Assessment, tier: RiskTier, name: string): void {
  if (tierRank(tier) <= tierRank(assessment.tier)) return
  assessment.tier = tier
  assessment.decided_by = 'adapter'
  assessment.decided_on = 'adapter'
  assessment.level = tier === 'crisis' ? 'CRISIS' : 'CAUTION'
  assessment.score = Math.max(assessment.score, leastScore(tier))
  assessment.reasons.push({ signal: 'adapter', text: `Raised to tier ${tier} by the risk adapter “${name}”.` })
}
