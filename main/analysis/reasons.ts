/** One line per signal, made of categories and rulings only: a reason never quotes the student. */
import type { Assessment } from '../../shared/assessment.ts'
import type { historySignal } from './estimates.ts'
import type { RuledMatch } from './meaning.ts'
import type { ClinicalAnswer } from './ports.ts'
import type { SemanticSignal } from './semantic.ts'

const spoken = (category: string): string => category.replaceAll('_', ' ')

export interface Explained {
  ruled: readonly { match: RuledMatch; confidence: number }[]
  near: SemanticSignal
  clinical: ClinicalAnswer
  history: ReturnType<typeof historySignal>
  blind: boolean
}

export function explain({ ruled, near, clinical, history, blind }: Explained): Assessment['reasons'] {
  return [
    { signal: 'regex', text: blind ? 'The message is in a language the patterns do not cover.' : regexText(ruled) },
    { signal: 'semantic', text: semanticText(near) },
    { signal: 'clinical', text: clinical.reasoning },
    { signal: 'history', text: historyText(history) },
  ]
}

export function semanticText({ category }: SemanticSignal): string {
  return category ? `Close in wording to phrases of ${spoken(category)}.` : 'Close to no known phrase.'
}

function regexText(ruled: Explained['ruled']): string {
  const strongest = [...ruled].sort((a, b) => b.confidence - a.confidence).slice(0, 3)
  if (strongest.length === 0) return 'No pattern matched.'
  const parts = strongest.map(({ match }) => `${spoken(match.group.category)} (${match.group.name}), ${match.meaning}${match.resolved ? ' and resolved' : ''}`) // prettier-ignore
  return `Matched: ${[...new Set(parts)].join('; ')}.`
}

function historyText({ value, trend }: Explained['history']): string {
  if (value === 0) return 'No markers in the last 30 days.'
  return trend === 'unknown' ? 'Markers in the last 30 days; too few to see a trend.' : `Markers of the last 30 days: ${trend}.` // prettier-ignore
}
