/** Dangers made of parts: a means and a farewell, the brink and a deed. Each part alone says little. */
import type { Hit } from './automaton.ts'
import type { Compiled } from './compile.ts'
import type { MessageContext } from './cues.ts'
import type { Detection, PatternGroup } from './detection.ts'
import { ruleOn, type RuledMatch } from './meaning.ts'

/** Words between two parts at most, across the ends of sentences. */
const reach = 30

/** Meanings under which a part still counts. */
const counted: ReadonlySet<RuledMatch['meaning']> = new Set(['affirmed', 'hypothetical', 'hyperbole', 'trivial cause'])

/** One ruled match per combination found, standing where its first part stands. */
export function combine(
  { patterns: { combinations } }: Detection,
  compiled: Compiled,
  context: MessageContext,
  hits: readonly Hit[],
): RuledMatch[] {
  const byPart = new Map<string, Hit[]>()
  for (const hit of hits) {
    const meant = compiled.meant(hit)
    if (meant.kind !== 'part') continue
    const list = byPart.get(meant.part)
    if (list) list.push(hit)
    else byPart.set(meant.part, [hit])
  }
  if (byPart.size < 2) return []
  return combinations.flatMap(({ needs, ...combination }) => {
    const group: PatternGroup = { ...combination, speaker: 'subject', explicit: false, past: false, phrases: [] }
    const own = needs.map((part) => (byPart.get(part) ?? []).filter((hit) => isOwn(context, group, hit)))
    const match = nearby(own)
    return match ? [{ group, from: match.from, to: match.to, meaning: 'affirmed', resolved: false } as const] : []
  })
}

/** Parts looked at of one kind in a message, so that crafted text cannot make the search long. */
const mostHits = 60

function isOwn(context: MessageContext, group: PatternGroup, hit: Hit): boolean {
  const ruled = ruleOn(context, group, hit)
  return ruled !== null && counted.has(ruled.meaning)
}

/** A hit of the first list with one of every other list near it and not overlapping it. */
function nearby([first, ...others]: readonly Hit[][]): Hit | null {
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
