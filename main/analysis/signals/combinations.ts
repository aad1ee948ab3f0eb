/** Dangers made of parts: a means and a farewell, the brink and a deed. Each part alone says little. */
import { interpret, type InterpretedMatch, type MessageContext } from '../context/index.ts'
import type { DetectionData, PatternGroup } from '../data/index.ts'
import type { PhraseHit, PhraseMatcher } from '../phrases/index.ts'

/** Tokens between two parts at most, across the ends of sentences. */
const reach = 30

/** Meanings under which a part still counts. */
const counted: ReadonlySet<InterpretedMatch['meaning']> = new Set([
  'affirmed',
  'hypothetical',
  'hyperbole',
  'trivial cause',
])

/** One match per combination found, standing where its first part stands. */
export function matchCombinations(
  combinations: DetectionData['patterns']['combinations'],
  matcher: PhraseMatcher,
  context: MessageContext,
  hits: readonly PhraseHit[],
): InterpretedMatch[] {
  const byPart = new Map<string, PhraseHit[]>()
  for (const hit of hits) {
    const role = matcher.roleOf(hit)
    if (role.kind !== 'part') continue
    const list = byPart.get(role.part)
    if (list) list.push(hit)
    else byPart.set(role.part, [hit])
  }
  if (byPart.size < 2) return []
  return combinations.flatMap(({ needs, ...combination }) => {
    const group: PatternGroup = { ...combination, experiencer: 'subject', explicit: false, past: false, phrases: [] }
    const own = needs.map((part) => (byPart.get(part) ?? []).filter((hit) => isOwn(context, group, hit)))
    const match = nearby(own)
    return match ? [{ group, from: match.from, to: match.to, meaning: 'affirmed', resolved: false } as const] : []
  })
}

/** Parts looked at of one kind in a message, so that crafted text cannot make the search long. */
const mostHits = 60

function isOwn(context: MessageContext, group: PatternGroup, hit: PhraseHit): boolean {
  const match = interpret(context, group, hit)
  return match !== null && counted.has(match.meaning)
}

/** A hit of the first list with one of every other list near it and not overlapping it. */
function nearby([first, ...others]: readonly PhraseHit[][]): PhraseHit | null {
  return (
    first!
      .slice(0, mostHits)
      .find((hit) =>
        others.every((list) =>
          list
            .slice(0, mostHits)
            .some(
              ({ from, to }) => (from > hit.to && from - hit.to <= reach) || (to < hit.from && hit.from - to <= reach),
            ),
        ),
      ) ?? null
  )
}
