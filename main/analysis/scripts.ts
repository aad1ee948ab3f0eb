/** Phrases of scripts that are not read word by word (Chinese, Arabic, Cyrillic and others), found as they stand. */
import type { Detection, PatternGroup } from './detection.ts'
import type { RuledMatch } from './meaning.ts'
import type { Word } from './words.ts'

/** Letters before a phrase in which something that takes it back is sought. */
const before = 4

/** The phrases of other scripts in a text, each at the words it touches. */
export function matchScripts({ patterns: { scripts } }: Detection, text: string, words: readonly Word[]): RuledMatch[] {
  if (!scripts) return []
  const lower = text.toLowerCase()
  // A few letters change their length in lower case; offsets would no longer fit.
  const read = lower.length === text.length ? lower : text
  const group: PatternGroup = { name: scripts.name, category: scripts.category, speaker: 'self', explicit: false, past: false, phrases: [] } // prettier-ignore
  return scripts.phrases.flatMap((phrase) => {
    const at = read.indexOf(phrase)
    if (at < 0) return []
    const from = words.findIndex(({ end }) => end > at)
    const to = words.findLastIndex(({ start }) => start < at + phrase.length)
    const lead = read.slice(Math.max(0, at - before), at).trim()
    const denied = scripts.negators.some((negator) => lead.endsWith(negator))
    return [{ group, from, to, meaning: denied ? 'negated' : 'affirmed', resolved: false } as const]
  })
}
