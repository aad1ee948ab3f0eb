/** The risk patterns found in a message: phrases, combinations of parts, phrases of other scripts. */
import type { PatternMatch } from '../../../shared/assessment.ts'
import { patternCategories, type PatternCategory, type SignalName } from '../../../shared/risk.ts'
import { fullConfidence, interpret, type InterpretedMatch, type MessageContext } from '../context/index.ts'
import type { DetectionData } from '../data/index.ts'
import type { PhraseHit, PhraseMatcher } from '../phrases/index.ts'

/** A match with its confidence after the context rules, 0–1. */
export interface ScoredMatch {
  match: InterpretedMatch
  confidence: number
}

/** Whether an idiom covers a hit up to its end (“I could *die of boredom*”): then it means nothing of the kind. */
export function idiomMask(
  matcher: PhraseMatcher,
  hits: readonly PhraseHit[],
  tokens: number,
): (hit: PhraseHit) => boolean {
  // Furthest end of any idiom that begins at or before a token.
  const furthest = new Int32Array(tokens).fill(-1)
  for (const hit of hits)
    if (matcher.roleOf(hit).kind === 'idiom') furthest[hit.from] = Math.max(furthest[hit.from]!, hit.to)
  for (let i = 1; i < tokens; i += 1) furthest[i] = Math.max(furthest[i]!, furthest[i - 1]!)
  return ({ to }) => furthest[to]! >= to
}

/** The interpreted matches of the risk phrases. */
export function matchRiskPhrases(
  matcher: PhraseMatcher,
  context: MessageContext,
  hits: readonly PhraseHit[],
): InterpretedMatch[] {
  return hits.flatMap((hit) => {
    const role = matcher.roleOf(hit)
    const match = role.kind === 'risk' ? interpret(context, role.group, hit) : null
    return match ? [match] : []
  })
}

/** Leaves out a match that lies inside a longer one which says as much, or which says that it is another's. */
export function longestMatches(found: readonly InterpretedMatch[]): InterpretedMatch[] {
  const sorted = [...found].sort(
    (a, b) => a.from - b.from || b.to - a.to || fullConfidence(b.group) - fullConfidence(a.group),
  )
  const kept: InterpretedMatch[] = []
  /** Furthest end of a kept match by what it says. */
  const reached = new Map<string, number>()
  for (const item of sorted) {
    const { experiencer, category } = item.group
    const isOthers = experiencer === 'other' || experiencer === 'third_person'
    const key = isOthers ? 'other' : `${category} ${fullConfidence(item.group)}`
    const inside = (reached.get(key) ?? -1) >= item.to || (reached.get('other') ?? -1) >= item.to
    if (inside || (experiencer === 'topic' && (reached.get(category) ?? -1) >= item.to)) continue
    for (const each of [key, category]) reached.set(each, Math.max(reached.get(each) ?? -1, item.to))
    kept.push(item)
  }
  return kept
}

/** A match with the share of its confidence that its context leaves. */
export function scoreMatch({ context_factors: factors }: DetectionData['consensus'], match: InterpretedMatch): ScoredMatch {
  const { meaning, resolved } = match
  const factor =
    meaning === 'affirmed' ? 1
    : meaning === 'negated' ? factors.negated
    : meaning === 'about someone else' ? factors.about_other
    : meaning === 'past' ? (resolved ? factors.resolved : factors.past)
    : meaning === 'hypothetical' ? factors.hypothetical
    : meaning === 'quoted' ? factors.quoted
    : meaning === 'hyperbole' ? factors.hyperbole
    : factors.trivial_cause
  return { match, confidence: Math.round(fullConfidence(match.group) * factor * 10_000) / 10_000 }
} // prettier-ignore

/** The matches as the assessment shows them. */
export function toPatternMatches(
  matches: readonly ScoredMatch[],
  { message: { tokens } }: MessageContext,
  signal: SignalName,
): PatternMatch[] {
  return matches.map(({ match, confidence }) => ({
    category: match.group.category,
    confidence,
    start: tokens[match.from]!.start,
    end: tokens[match.to]!.end,
    meaning: match.meaning,
    signal,
  }))
}

/** Categories of the matches that count, most severe first. */
export function categoriesOf(matches: readonly ScoredMatch[]): PatternCategory[] {
  const counted = matches.filter(({ match }) => match.meaning !== 'negated' && match.meaning !== 'quoted')
  const found = new Set(counted.map(({ match }) => match.group.category))
  return (Object.keys(patternCategories) as PatternCategory[]).filter((category) => found.has(category))
}
