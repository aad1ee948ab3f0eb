/** Assessment with ports: a clinical service and risk adapters beside the local signals, all with deadlines. */
import type { Assessment } from '../../shared/assessment.ts'
import { tierRank, type RiskTier, type SignalName } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'
import type { AssessmentInput, Overrides } from './engine.ts'
import {
  adapterNotesSchema,
  adapterTierSchema,
  clinicalAnswerSchema,
  readAnswer,
  withDeadline,
  type AssessmentPorts,
  type RiskAdapter,
} from './ports.ts'

/** Decides with what has arrived within the deadlines; never rejects. */
export async function assessWithPorts(
  detection: Detection,
  input: AssessmentInput,
  ports: AssessmentPorts,
  conclude: (overrides: Overrides) => Assessment,
): Promise<Assessment> {
  const { deadlines } = detection.consensus
  const local = conclude({})
  const adapters = (ports.adapters ?? []).map((adapter) => askAdapter(adapter, input, local, ports, deadlines.adapter))
  const clinical = ports.clinical
    ? await askClinical(input, ports, Math.min(deadlines.clinical, deadlines.all))
    : undefined
  const missing: SignalName[] = [...(ports.missing ?? [])]
  const overrides: Overrides = { missing }
  if (clinical !== undefined) overrides.clinical = clinical.score
  const assessment = conclude(overrides)
  if (clinical) {
    assessment.notes.push(...clinical.notes)
    assessment.reasons = assessment.reasons.map((reason) =>
      reason.signal === 'clinical' ? { signal: 'clinical', text: clinical.reason } : reason,
    )
  }
  for (const answered of await Promise.all(adapters)) apply(assessment, answered, detection)
  return assessment
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
): void {
  if (problem) {
    assessment.notes.push(`risk adapter “${name}” ${problem === 'late' ? 'did not answer in time' : 'failed'}`)
    return
  }
  const raised = readAnswer(adapterTierSchema, answer)
  const more = readAnswer(adapterNotesSchema, answer)
  for (const note of more?.notes ?? []) assessment.notes.push(`${name}: ${note.slice(0, 400)}`)
  if (!raised || !more) assessment.notes.push(`risk adapter “${name}”: unreadable answer`)
  if (raised) raise(assessment, raised.tier, name, thresholds)
}

function raise(
  assessment: Assessment,
  tier: RiskTier,
  name: string,
  thresholds: Detection['consensus']['thresholds'],
): void {
  if (tierRank(tier) <= tierRank(assessment.tier)) return
  assessment.tier = tier
  assessment.decided_by = 'adapter'
  assessment.level = tier === 'crisis' ? 'CRISIS' : 'CAUTION'
  assessment.score = Math.max(assessment.score, tier === 'crisis' ? thresholds.crisis : thresholds.caution)
  assessment.reasons.push({ signal: 'adapter', text: `Raised to tier ${tier} by the risk adapter “${name}”.` })
}
