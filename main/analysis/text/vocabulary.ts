/** The words that phrases are made of, and spelling correction, expansion and segmentation towards them. */

export interface Vocabulary {
  has(word: string): boolean
  /** One of the words a miss of which would cost most, or a short form of them. */
  isCritical(word: string): boolean
  /** The expansion of a short form, or null: “kms” → kill myself. */
  expand(word: string): readonly string[] | null
  /** Words of the vocabulary that fit a masked one: “k*ll” → kill. */
  unmask(masked: string): string[]
  /** Spelling correction: critical words at edit distance 1 from an unknown one: “sucide” → suicide. */
  correct(word: string): string[]
  /** Segments letters written one by one into words; null where that cannot be done. */
  segment(letters: string): string[] | null
  /** Segments a word that is several run together (“killmyself”), one of them critical; else null. */
  segmentCompound(word: string): string[] | null
}

export interface VocabularySource {
  words: Iterable<string>
  shortForms: Readonly<Record<string, string>>
  /** Words worth correcting towards: the ones a miss of which would cost most. */
  critical: readonly string[]
  /** Words of the language that are never corrected to a critical one (“will” is not “kill”). */
  correctionExceptions: Iterable<string>
}

const longestVocabularyWord = 16

/** Builds the vocabulary; the answers of its methods cost at most the square of a word's length. */
export function createVocabulary(source: VocabularySource): Vocabulary {
  const words = new Set(source.words)
  const short = new Map(Object.entries(source.shortForms).map(([key, value]) => [key, value.split(' ')]))
  for (const key of short.keys()) words.add(key)
  for (const parts of short.values()) for (const part of parts) words.add(part)
  for (const word of source.critical) words.add(word)
  const exceptions = new Set(source.correctionExceptions)
  const byDeletion = deletionIndex(source.critical)
  const critical = new Set(source.critical)

  const segment = (letters: string, shortest: number): string[] | null => {
    const best: (string[] | null)[] = [[]]
    for (let end = 1; end <= letters.length; end += 1) {
      best[end] = null
      for (let start = Math.max(0, end - longestVocabularyWord); start < end; start += 1) {
        const before = best[start]
        const part = letters.slice(start, end)
        if (!before || !words.has(part) || (part.length < shortest && part !== 'i' && part !== 'a')) continue
        const current = best[end]
        if (!current || before.length + 1 < current.length) best[end] = [...before, part]
      }
    }
    return best[letters.length] ?? null
  }

  return {
    has: (word) => words.has(word),
    isCritical: (word) => critical.has(word) || (short.get(word)?.some((part) => critical.has(part)) ?? false),
    expand: (word) => short.get(word) ?? null,
    unmask: (masked) =>
      masked.length < 3 || masked.length > longestVocabularyWord || /^\*|\*{3}/.test(masked)
        ? []
        : source.critical.filter((word) => fits(masked, word)),
    correct: (word) => {
      if (word.length < 4 || word.length > longestVocabularyWord || exceptions.has(word)) return []
      const found = new Set<string>()
      for (const key of [word, ...deletions(word)]) {
        for (const candidate of byDeletion.get(key) ?? []) if (isOneEditApart(word, candidate)) found.add(candidate)
      }
      return [...found]
    },
    segment: (letters) => segment(letters, 1),
    segmentCompound: (word) => {
      if (word.length < 6 || word.length > 40 || exceptions.has(word)) return null
      const parts = segment(word, 2)
      return parts && parts.length > 1 && parts.some((part) => critical.has(part)) ? parts : null
    },
  }
}

function fits(masked: string, word: string): boolean {
  if (masked.length !== word.length) return false
  for (let i = 0; i < word.length; i += 1) if (masked[i] !== '*' && masked[i] !== word[i]) return false
  return true
}

function deletions(word: string): string[] {
  return Array.from(word, (_, i) => word.slice(0, i) + word.slice(i + 1))
}

/** Index from every critical word and its single-letter deletions to the word itself (symmetric delete correction). */
function deletionIndex(critical: readonly string[]): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const word of critical) {
    if (word.length < 4) continue
    for (const key of new Set([word, ...deletions(word)])) index.set(key, [...(index.get(key) ?? []), word])
  }
  return index
}

/**
 * One letter missing, added, changed or two neighbours swapped; the first letter only by a swap. The index knows
 * only words whose length differs by one letter at most.
 */
function isOneEditApart(word: string, target: string): boolean {
  const difference = word.length - target.length
  let i = 0
  while (i < word.length && word[i] === target[i]) i += 1
  const rest = word.slice(i)
  const targetRest = target.slice(i)
  if (difference === 0) {
    const swapped = rest.length > 1 && rest[0] === targetRest[1] && rest[1] === targetRest[0]
    if (swapped) return rest.slice(2) === targetRest.slice(2)
    return i > 0 && rest.slice(1) === targetRest.slice(1)
  }
  return difference > 0 ? rest.slice(1) === targetRest : rest === targetRest.slice(1)
}
