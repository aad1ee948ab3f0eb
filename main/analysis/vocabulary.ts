/** The words the patterns are made of, and how disguised or misspelt ones are led back to them. */

export interface Vocabulary {
  has(word: string): boolean
  /** One of the words a miss of which would cost most, or a short form of them. */
  isCritical(word: string): boolean
  /** A short form written out, or null: “kms” → kill myself. */
  expand(word: string): readonly string[] | null
  /** Words of the vocabulary that fit a masked one: “k*ll” → kill. */
  unmask(masked: string): string[]
  /** Words one slip of the pen away from an unknown one: “sucide” → suicide. */
  mend(word: string): string[]
  /** Letters written one by one, cut into words; null when no cut fits. */
  split(letters: string): string[] | null
  /** A word that is several run together (“killmyself”), or null. */
  splitWord(word: string): string[] | null
}

export interface VocabularySource {
  words: Iterable<string>
  shortForms: Readonly<Record<string, string>>
  /** Words worth mending towards: the ones a miss of which would cost most. */
  critical: readonly string[]
  /** Real words that look like critical ones and are not (“will” is not “kill”). */
  lookAlikes: Iterable<string>
}

const longestVocabularyWord = 16

/** Builds the vocabulary; the answers of its methods cost at most the square of a word's length. */
export function createVocabulary(source: VocabularySource): Vocabulary {
  const words = new Set(source.words)
  const short = new Map(Object.entries(source.shortForms).map(([key, value]) => [key, value.split(' ')]))
  for (const key of short.keys()) words.add(key)
  for (const parts of short.values()) for (const part of parts) words.add(part)
  for (const word of source.critical) words.add(word)
  const lookAlikes = new Set(source.lookAlikes)
  const bySlip = slips(source.critical)
  const critical = new Set(source.critical)

  const cut = (letters: string, shortest: number): string[] | null => {
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
    mend: (word) => {
      if (word.length < 4 || word.length > longestVocabularyWord || lookAlikes.has(word)) return []
      const found = new Set<string>()
      for (const key of [word, ...deletions(word)]) {
        for (const candidate of bySlip.get(key) ?? []) if (isSlip(word, candidate)) found.add(candidate)
      }
      return [...found]
    },
    split: (letters) => cut(letters, 1),
    splitWord: (word) => {
      if (word.length < 6 || word.length > 40 || lookAlikes.has(word)) return null
      const parts = cut(word, 2)
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

/** Index from every critical word and its deletions to the word itself. */
function slips(critical: readonly string[]): Map<string, string[]> {
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
function isSlip(word: string, target: string): boolean {
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
