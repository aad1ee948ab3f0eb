/** Assessment with ports: a clinical service and risk adapters beside the local signals, all with deadlines. */
import type { Assessment } from '../../shared/assessment.ts'
import { tierRank, type RiskTier, type SignalName } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'
import type { AssessmentInput, Overrides } from './engine.ts'
import {
  clinicalAnswerSchema,
  withDeadline,
  type AdapterAnswer,
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
  const answer = clinicalAnswerSchema.safeParse(arrived.value)
  if (!answer.success)
    return { score: null, reason: 'The clinical service gave an unreadable answer.', notes: ['clinical service: unreadable answer'] } // prettier-ignore
  // The service's own words may quote the student: only the marker's name goes into the reason.
  const { score, detected, marker } = answer.data
  return { score, reason: detected ? `The clinical service sees ${marker ?? 'an indicator'}.` : 'The clinical service sees no clear indicator.', notes: [] } // prettier-ignore
}

type Answered = { name: string; answer: AdapterAnswer | null; problem: 'late' | 'failed' | null }

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

function apply(
  assessment: Assessment,
  { name, answer, problem }: Answered,
  { consensus: { thresholds } }: Detection,
): void {
  if (!answer) {
    assessment.notes.push(`risk adapter “${name}” ${problem === 'late' ? 'did not answer in time' : 'failed'}`)
    return
  }
  for (const note of answer.notes ?? []) assessment.notes.push(`${name}: ${note.slice(0, 400)}`)
  const rank = tierRank(answer.tier)
  if (!(rank > tierRank(assessment.tier))) return
  const tier: RiskTier = answer.tier
  assessment.tier = tier
  assessment.decided_by = 'adapter'
  assessment.level = tier === 'crisis' ? 'CRISIS' : 'CAUTION'
  assessment.score = Math.max(assessment.score, tier === 'crisis' ? thresholds.crisis : thresholds.caution)
  assessment.reasons.push({ signal: 'adapter', text: `Raised to tier ${tier} by the risk adapter “${name}”.` })
}
