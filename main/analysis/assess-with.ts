/** Assessment with ports: a clinical service and risk adapters beside the local signals, all with deadlines. */
import type { Assessment, PatternMatch } from '../../shared/assessment.ts'
import { levelRank, tierRank, type RiskTier, type SignalName } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'
import type { AssessmentInput, Examined, Overrides } from './engine.ts'
import {
  adapterFlaggedSchema,
  adapterNotesSchema,
  adapterTierSchema,
  clinicalAnswerSchema,
  readAnswer,
  withDeadline,
  type AssessmentPorts,
  type RiskAdapter,
} from './ports.ts'
import { semanticText } from './reasons.ts'
import { orExact, type SemanticSignal } from './semantic.ts'

/** Decides with what has arrived within the deadlines; never rejects. */
export async function assessWithPorts(
  detection: Detection,
  input: AssessmentInput,
  examined: Examined,
  ports: AssessmentPorts,
  conclude: (overrides: Overrides) => Assessment,
): Promise<Assessment> {
  const { deadlines } = detection.consensus
  const missing: readonly SignalName[] = ports.missing ?? []
  const local = conclude({ missing })
  const adapters = (ports.adapters ?? []).map((adapter) => askAdapter(adapter, input, local, ports, deadlines.adapter))
  const [clinical, near] = await Promise.all([
    ports.clinical ? askClinical(input, ports, Math.min(deadlines.clinical, deadlines.all)) : null,
    ports.nearness ? askNearness(detection, examined, ports, Math.min(deadlines.semantic, deadlines.all)) : null,
  ])
  const overrides: Overrides = { missing }
  if (clinical) overrides.clinical = clinical.score
  if (near?.signal) overrides.semantic = near.signal.value
  const assessment = conclude(overrides)
  if (clinical) {
    assessment.notes.push(...clinical.notes)
    giveReason(assessment, 'clinical', clinical.reason)
  }
  if (near?.signal) giveReason(assessment, 'semantic', semanticText(near.signal))
  if (near?.note) assessment.notes.push(near.note)
  holdLocal(assessment, local)
  for (const answered of await Promise.all(adapters)) apply(assessment, answered, detection, input.text.length)
  return assessment
}

/** A service may say more than the local signals do, never less: neither by a low score nor by failing. */
function holdLocal(assessment: Assessment, local: Assessment): void {
  const lower = tierRank(assessment.tier) < tierRank(local.tier) || levelRank(assessment.level) < levelRank(local.level)
  if (!lower) return
  const { tier, level, decided_by } = local
  Object.assign(assessment, { tier, level, decided_by, score: Math.max(assessment.score, local.score) })
  const isDecision = ({ signal }: Assessment['reasons'][number]): boolean => signal === 'decision'
  assessment.reasons = [...assessment.reasons.filter((reason) => !isDecision(reason)), ...local.reasons.filter(isDecision)] // prettier-ignore
  assessment.notes.push('The signals of this machine alone ask for more: they decide.')
}

function giveReason(assessment: Assessment, signal: SignalName, text: string): void {
  assessment.reasons = assessment.reasons.map((reason) => (reason.signal === signal ? { signal, text } : reason))
}

/** What the embedder makes of the sentences that stand; without its answer the built-in value stands. */
async function askNearness(
  { consensus }: Detection,
  { open, exact }: Examined,
  { nearness, timer }: AssessmentPorts,
  limit: number,
): Promise<{ signal: SemanticSignal | null; note: string | null }> {
  const without = (why: string) => ({ signal: null, note: `embedder ${why}: the built-in comparison with known phrases stands` }) // prettier-ignore
  if (!nearness!.ready()) return without('is not ready')
  let near: SemanticSignal = { value: 0, category: null }
  if (open.length > 0) {
    const arrived = await withDeadline(timer, limit, (signal) =>
      nearness!.nearest(open, consensus.semantic_threshold, signal),
    )
    if (!arrived.ok) return without(arrived.problem === 'late' ? 'did not answer in time' : 'failed')
    near = arrived.value
  }
  const value = Math.round(near.value * 10_000) / 10_000
  return { signal: orExact({ ...near, value }, exact), note: null }
}

interface ClinicalHeard {
  score: number | null
  reason: string
  notes: string[]
}

async function askClinical(
  input: AssessmentInput,
  { clinical, timer }: AssessmentPorts,
  limit: number,
): Promise<ClinicalHeard> {
  const arrived = await withDeadline(timer, limit, (signal) =>
    clinical!.ask(input.text, input.recent.slice(-3), signal),
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
    adapter.assess(input.text, structuredClone(local), signal),
  )
  return arrived.ok
    ? { name: adapter.name, answer: arrived.value, problem: null }
    : { name: adapter.name, answer: null, problem: arrived.problem }
}

/** Takes what can be read of an answer; whatever cannot be read becomes a note, and lowers nothing. */
function apply(
  assessment: Assessment,
  { name, answer, problem }: Answered,
  { consensus: { thresholds } }: Detection,
  length: number,
): void {
  if (problem) {
    assessment.notes.push(`risk adapter “${name}” ${problem === 'late' ? 'did not answer in time' : 'failed'}`)
    return
  }
  const raised = readAnswer(adapterTierSchema, answer)
  const said = readAnswer(adapterNotesSchema, answer)
  const seen = readAnswer(adapterFlaggedSchema, answer)
  for (const note of said?.notes ?? []) assessment.notes.push(`${name}: ${note.slice(0, 400)}`)
  // An adapter names a tier and no probability: what it flags counts as much as that tier asks for.
  const confidence = raised ? leastScore(raised.tier, thresholds) : 0
  assessment.matches = [...assessment.matches, ...flaggedBy(seen?.flagged ?? [], length, confidence)]
  if (!raised || !said || !seen) assessment.notes.push(`risk adapter “${name}”: unreadable answer`)
  if (raised) raise(assessment, raised.tier, name, thresholds)
}

type Thresholds = Detection['consensus']['thresholds']

/** The score below which a tier is never reported. */
function leastScore(tier: RiskTier, thresholds: Thresholds): number {
  return tier === 'crisis' ? thresholds.crisis : tier === 'ok' ? 0 : thresholds.caution
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

function raise(assessment: Assessment, tier: RiskTier, name: string, thresholds: Thresholds): void {
  if (tierRank(tier) <= tierRank(assessment.tier)) return
  assessment.tier = tier
  assessment.decided_by = 'adapter'
  assessment.level = tier === 'crisis' ? 'CRISIS' : 'CAUTION'
  assessment.score = Math.max(assessment.score, leastScore(tier, thresholds))
  assessment.reasons.push({ signal: 'adapter', text: `Raised to tier ${tier} by the risk adapter “${name}”.` })
}
