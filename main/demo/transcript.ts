import { riskTierSchema, type RiskTier } from '../../shared/risk.ts'

/** One turn of a written conversation. */
export interface Turn {
  role: 'student' | 'assistant'
  text: string
  /** The tier this turn is meant to raise; null = none in particular (`ok` or `caution`). */
  expected: RiskTier | null
}

const turnLine = /^(student|assistant)(?: \[([a-z]+)\])?: (\S.*)$/

/**
 * Reads a transcript, one turn a line: `student: …`, `assistant: …`, and `student [crisis]: …` where
 * the author means the turn to raise a tier. Throws a RangeError that names the line.
 */
export function readTranscript(text: string): Turn[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const [, speaker, tier, text] = turnLine.exec(line.trim()) ?? []
    if (text === undefined) throw new RangeError(`turn ${index + 1} is not “student: …” or “assistant: …”`)
    const role = speaker === 'student' ? 'student' : 'assistant'
    if (tier === undefined) return { role, text, expected: null }
    const expected = riskTierSchema.safeParse(tier)
    if (!expected.success || role !== 'student') throw new RangeError(`turn ${index + 1} expects “${tier}”`)
    return { role, text, expected: expected.data }
  })
}

/** Whether a turn is meant to open an alert. */
export function isTrigger(turn: { expected: RiskTier | null }): boolean {
  return turn.expected === 'high' || turn.expected === 'crisis'
}
