import { seconds } from '../../shared/time.ts'
import type { RiskTier } from '../../shared/risk.ts'
import type { Chance } from './chance.ts'
import type { SessionMetadata } from './ports.ts'
import type { Everyday } from './school.ts'
import type { Turn } from './transcript.ts'

/** One message of a conversation; `after` in milliseconds since the conversation began. */
export interface TimedTurn {
  after: number
  sender: 'user' | 'assistant'
  content: string
  expected: RiskTier | null
}

export type Pace = { student: readonly [number, number]; assistant: readonly [number, number] }

/** Seconds before a turn: how people type in life. */
export const livedPace: Pace = { student: [18, 75], assistant: [3, 6] }
/** Seconds before a turn in front of an audience: every conversation on screen keeps moving. */
export const livePace: Pace = { student: [9, 18], assistant: [3, 5] }

/** Gives each turn its moment. The first turn is at 0. */
export function timeTurns(turns: readonly Turn[], pace: Pace, chance: Chance): TimedTurn[] {
  let after = 0
  return turns.map((turn, index) => {
    if (index > 0) after += seconds(chance.between(...pace[turn.role]))
    return {
      after,
      sender: turn.role === 'student' ? 'user' : 'assistant',
      content: turn.text,
      expected: turn.expected,
    }
  })
}

/** The turns with every `{name}` replaced by one of its words, the same one throughout the conversation. */
export function fillWords(turns: readonly Turn[], words: Everyday['words'], chance: Chance): Turn[] {
  const drawn = new Map(Object.entries(words).map(([name, choices]) => [name, chance.pick(choices)]))
  return turns.map((turn) => ({
    ...turn,
    text: turn.text.replace(/\{(\w+)\}/g, (whole, name: string) => drawn.get(name) ?? whole),
  }))
}

export function drawMetadata(chance: Chance): SessionMetadata {
  const [channel, device] = chance.pick([
    ['web', 'school laptop'],
    ['web', 'school laptop'],
    ['web', 'library computer'],
    ['app', 'phone'],
    ['app', 'phone'],
    ['app', 'tablet'],
  ] as const)
  return { locale: 'en-US', channel, device }
}
