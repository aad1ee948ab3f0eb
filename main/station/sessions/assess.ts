/** Asking the engine about one message, and what stands when it cannot answer. */
import type { Assessment } from '../../../shared/assessment.ts'
import { levelThresholds, signalNames, tierRank } from '../../../shared/risk.ts'
import type { AssessmentInput, AssessmentPorts, Engine } from '../../analysis/index.ts'
import type { Logger } from '../../platform/ports.ts'
import { nameOfError } from './error-name.ts'
import { windowsOf } from './windows.ts'

export interface Assessor {
  engine: Engine
  /** The clinical service and risk adapters of this message; null = local signals only. */
  services: AssessmentPorts | null
  logger: Logger
}

/**
 * The engine's assessment. Where the clinical service and the adapters bring it down, the local signals alone
 * decide; where those fail too, a degraded CAUTION stands, never nothing.
 */
export async function assessMessage(
  { engine, services, logger }: Assessor,
  input: AssessmentInput,
): Promise<Assessment> {
  if (services) {
    try {
      return await engine.assessWith(input, services)
    } catch (error) {
      logger.error({ error: nameOfError(error) }, 'assessment with its services failed, decided by the local signals')
    }
  }
  const local = assessLocally({ engine, logger }, input)
  if (services) local.notes.push('The clinical service and the risk adapters failed on this message.')
  return local
}

/** The assessment by the local signals alone, at once; a degraded CAUTION where they fail. */
export function assessLocally(
  { engine, logger }: Pick<Assessor, 'engine' | 'logger'>,
  input: AssessmentInput,
): Assessment {
  try {
    return engine.assess(input)
  } catch (error) {
    logger.error({ error: nameOfError(error) }, 'assessment failed, kept as degraded')
    return withoutEngine()
  }
}

/** The worst window of a text too long for one assessment, with its assessment. */
export async function assessLongText(
  assessor: Assessor,
  text: string,
  inputFor: (window: string) => AssessmentInput,
): Promise<{ text: string; assessment: Assessment }> {
  let worst: { text: string; assessment: Assessment } | null = null
  for (const window of windowsOf(text)) {
    const assessment = await assessMessage(assessor, inputFor(window))
    if (!worst || isWorse(assessment, worst.assessment)) worst = { text: window, assessment }
    if (assessment.level === 'CRISIS') break
    // Other sessions get their turn between two windows of a very long text.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return worst ?? { text: '', assessment: withoutEngine() }
}

function isWorse(a: Assessment, b: Assessment): boolean {
  return (tierRank(a.tier) - tierRank(b.tier) || a.score - b.score) > 0
}

/** What is said of a message that no signal has read: at least CAUTION, visibly degraded. */
export function withoutEngine(): Assessment {
  return {
    score: levelThresholds.CAUTION,
    level: 'CAUTION',
    tier: 'caution',
    decided_by: 'consensus',
    decided_on: 'missing',
    about_other: false,
    signals: { regex: null, semantic: null, clinical: null, history: null },
    degraded: [...signalNames],
    reasons: [{ signal: 'decision', text: 'No signal could read this message; it needs a person.' }],
    matches: [],
    categories: [],
    sentiment: 0,
    markers: [],
    notes: ['The risk engine failed on this message.'],
  }
}

/** What is recorded of a message that is not a student's: its sentiment, and no risk. */
export function notAssessed(sentiment: number): Assessment {
  return {
    ...withoutEngine(),
    score: 0,
    level: 'SAFE',
    tier: 'ok',
    decided_on: 'nothing',
    degraded: [],
    reasons: [],
    notes: [],
    sentiment,
  }
}
