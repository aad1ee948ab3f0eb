/** Phrases of scripts that are not tokenized into words (Chinese, Arabic, Cyrillic and others), found as substrings. */
import type { InterpretedMatch } from '../context/index.ts'
import type { DetectionData, PatternGroup } from '../data/index.ts'
import type { Token } from '../text/index.ts'

/** Letters before a phrase in which a negation is sought. */
const negationReach = 4

/** The phrases of other scripts in a text, each at the tokens it touches. */
export function matchOtherScripts(
  scripts: DetectionData['patterns']['other_scripts'],
  text: string,
  tokens: readonly Token[],
): InterpretedMatch[] {
  if (!scripts) return []
  const lower = text.toLowerCase()
  // A few letters change their length in lower case; offsets would no longer fit.
  const searched = lower.length === text.length ? lower : text
  const group: PatternGroup = { name: scripts.name, category: scripts.category, experiencer: 'self', explicit: false, past: false, phrases: [] } // prettier-ignore
  return scripts.phrases.flatMap((phrase) => {
    const at = searched.indexOf(phrase)
    if (at < 0) return []
    const from = tokens.findIndex(({ end }) => end > at)
    const to = tokens.findLastIndex(({ start }) => start < at + phrase.length)
    const lead = searched.slice(Math.max(0, at - negationReach), at).trim()
    const negated = scripts.negators.some((negator) => lead.endsWith(negator))
    return [{ group, from, to, meaning: negated ? 'negated' : 'affirmed', resolved: false } as const]
  })
}
