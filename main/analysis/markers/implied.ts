/** Markers that follow from what a message was found to be, whichever reader found it. */
import type { Assessment, PatternMatch } from '../../../shared/assessment.ts'
import type { Marker, MarkerType } from '../../../shared/estimates.ts'

/** Categories that PHQ-9 item 9 asks for: “thoughts that you would be better off dead, or of hurting yourself”. */
const ownDeath: ReadonlySet<PatternMatch['category']> = new Set([
  'suicidal_intent',
  'suicidal_ideation',
  'coded_language',
  'self_harm',
])

/**
 * The markers with those that follow: a crisis for a category of the student's own death carries PHQ-9 item 9, and
 * hopelessness carries item 2, which asks “down, depressed, or hopeless”. They stand where the surest match stands,
 * with its confidence; markers that are there already stay as they are.
 */
export function withImpliedMarkers(
  markers: readonly Marker[],
  { tier, matches }: Pick<Assessment, 'tier' | 'matches'>,
): Marker[] {
  const implied = [
    tier === 'crisis' ? markerOf('PHQ9_ITEM_9', surest(matches, ({ category }) => ownDeath.has(category))) : null,
    markerOf('PHQ9_ITEM_2', surest(matches, ({ category, meaning }) => category === 'hopelessness' && own.has(meaning))),
  ]
  const added = implied.filter((marker) => marker !== null && !markers.some(({ marker_type }) => marker_type === marker.marker_type)) as Marker[]
  return [...markers, ...added].sort(byPlace)
} // prettier-ignore

/** The order in which markers are told: by place, then by item. */
export function byPlace(a: Marker, b: Marker): number {
  return a.start - b.start || (a.marker_type < b.marker_type ? -1 : 1)
}

/** Meanings under which a student's words speak of how it is with them. */
const own: ReadonlySet<PatternMatch['meaning']> = new Set(['affirmed', 'hypothetical'])

/** Of the matches that count the surest, one that is meant before one that is not. */
function surest(matches: readonly PatternMatch[], counts: (match: PatternMatch) => boolean): PatternMatch | null {
  const rank = ({ meaning, confidence }: PatternMatch): number => (own.has(meaning) ? 1 : 0) + confidence
  return matches
    .filter(counts)
    .reduce<PatternMatch | null>((best, match) => (best && rank(best) >= rank(match) ? best : match), null)
}

function markerOf(marker_type: MarkerType, match: PatternMatch | null): Marker | null {
  return match && { marker_type, confidence: match.confidence, start: match.start, end: match.end }
}
