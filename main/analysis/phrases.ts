/**
 * The small language of phrases.
 * `(a|b c)` alternatives · `[a]` optional · `{name}` a named list · `*` up to three words between.
 */
export class PhraseError extends Error {}

export type Phrase =
  | { kind: 'word'; word: string }
  | { kind: 'gap' }
  | { kind: 'sequence'; items: Phrase[] }
  | { kind: 'any'; of: Phrase[] }

const deepest = 12

/** Reads a phrase. Throws PhraseError when it cannot be read or says nothing. */
export function parsePhrase(text: string, lists: Readonly<Record<string, string>>, depth = 0): Phrase {
  if (depth > deepest) throw new PhraseError('nests too deep')
  const parts = text.toLowerCase().match(/[()[\]|]|\{[^}]*\}|[^\s()[\]|{}]+/g) ?? []
  let at = 0
  const alternatives = (close: string | null): Phrase => {
    const of: Phrase[] = []
    let items: Phrase[] = []
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
  const item = (part: string): Phrase => {
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
  if (canBeEmpty(phrase)) throw new PhraseError('says nothing')
  return phrase
}

/** Whether a phrase, or a part of one, can match nothing at all. */
export function canBeEmpty(phrase: Phrase): boolean {
  switch (phrase.kind) {
    case 'word':
      return false
    case 'gap':
      return true
    case 'sequence':
      return phrase.items.every(canBeEmpty)
    case 'any':
      return phrase.of.some(canBeEmpty)
  }
}

/** The `turn`-th way of saying a phrase, alternatives taken in rotation; a sample, not an enumeration. */
export function sayPhrase(phrase: Phrase, turn: number): string[] {
  switch (phrase.kind) {
    case 'word':
      return [phrase.word]
    case 'gap':
      return []
    case 'sequence':
      return phrase.items.flatMap((item, index) => sayPhrase(item, turn + index * 7))
    case 'any':
      return sayPhrase(phrase.of[turn % phrase.of.length]!, Math.floor(turn / phrase.of.length) + turn)
  }
}
