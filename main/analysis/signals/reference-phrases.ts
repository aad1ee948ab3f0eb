/** The phrases of the patterns that a school's embedder compares messages with. */
import type { DetectionData } from '../data/index.ts'
import { parsePhrase, sampleWords } from '../phrases/index.ts'
import type { ReferencePhrase } from './semantic-signal.ts'

/** Phrases of the patterns that somebody says of themselves, at most `perPhrase` samples of each. */
export function referencePhrases(
  { patterns, lexicon }: Pick<DetectionData, 'patterns' | 'lexicon'>,
  perPhrase: number,
): ReferencePhrase[] {
  const samples: ReferencePhrase[] = []
  for (const { category, phrases, experiencer } of patterns.groups) {
    if (experiencer !== 'self' && experiencer !== 'subject') continue
    for (const phrase of phrases) {
      const parsed = parsePhrase(phrase, lexicon.lists)
      const texts = new Set<string>()
      for (let turn = 0; turn < perPhrase; turn += 1) texts.add(sampleWords(parsed, turn).join(' '))
      for (const text of texts) if (text.split(' ').length > 2) samples.push({ text, category })
    }
  }
  return samples
}
