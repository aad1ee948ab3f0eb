/**
 * The notation in which the detection data write phrases.
 * `(a|b c)` alternatives · `[a]` optional · `{name}` a named list · `*` up to three words between.
 */
export class PhraseError extends Error {}

export type PhrasePattern =
  | { kind: 'word'; word: string }
  | { kind: 'gap' }
  | { kind: 'sequence'; items: PhrasePattern[] }
  | { kind: 'any'; of: PhrasePattern[] }

/** Depth to which lists may name each other. */
const deepest = 12

/** Parses a phrase. Throws PhraseError when it is malformed or matches the empty text. */
export function parsePhrase(text: string, lists: Readonly<Record<string, string>>, depth = 0): PhrasePattern {
  if (depth > deepest) throw new PhraseError('nests too deep')
  const parts = text.toLowerCase().match(/[()[\]|]|\{[^}]*\}|[^\s()[\]|{}]+/g) ?? []
  let at = 0
  const alternatives = (close: string | null): PhrasePattern => {
    const of: PhrasePattern[] = []
    let items: PhrasePattern[] = []
    for (; at < parts.length; at += 1) {
      const part = parts[at]!
      if (part === ')' || part === ']') {
        if (part !== close) throw new PhraseError(`has a “${part}” too many`)
        return { kind: 'any', of: [...of, { kind: 'sequence', items }] }
      }
      if (part === '|') {
        of.push({ kind: 'sequence', items })
        items = []
      } else items.push(item(part))
    }
    if (close !== null) throw new PhraseError('does not close a bracket')
    return { kind: 'any', of: [...of, { kind: 'sequence', items }] }
  }
  const item = (part: string): PhrasePattern => {
    if (part === '(' || part === '[') {
      at += 1
      const inner = alternatives(part === '(' ? ')' : ']')
      return part === '(' ? inner : { kind: 'any', of: [{ kind: 'sequence', items: [] }, inner] }
    }
    if (part === '*') return { kind: 'gap' }
    if (!part.startsWith('{')) return { kind: 'word', word: part }
    const list = lists[part.slice(1, -1)]
    if (list === undefined) throw new PhraseError(`names an unknown list ${part}`)
    return parsePhrase(list, lists, depth + 1)
  }
  const phrase = alternatives(null)
  if (isNullable(phrase)) throw new PhraseError('says nothing')
  return phrase
}

/** Whether a pattern, or a part of one, matches the empty sequence. */
export function isNullable(phrase: PhrasePattern): boolean {
  switch (phrase.kind) {
    case 'word':
      return false
    case 'gap':
      return true
    case 'sequence':
      return phrase.items.every(isNullable)
    case 'any':
      return phrase.of.some(isNullable)
  }
}

/** The `turn`-th sequence of words that a pattern matches, alternatives in rotation; a sample, not an enumeration. */
export function sampleWords(phrase: PhrasePattern, turn: number): string[] {
  switch (phrase.kind) {
    case 'word':
      return [phrase.word]
    case 'gap':
      return []
    case 'sequence':
      return phrase.items.flatMap((item, index) => sampleWords(item, turn + index * 7))
    case 'any':
      return sampleWords(phrase.of[turn % phrase.of.length]!, Math.floor(turn / phrase.of.length) + turn)
  }
}
