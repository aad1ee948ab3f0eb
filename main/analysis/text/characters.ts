/**
 * Code points as a student may write them, folded to lower-case Latin: compatibility forms and
 * accents through Unicode NFKD, homoglyphs of other alphabets through the table below (after the
 * confusables of Unicode TR 39, letters only).
 */

const homoglyphs: Record<string, string> = {
  а: 'a', в: 'b', е: 'e', ё: 'e', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x', і: 'i',
  ї: 'i', ј: 'j', ѕ: 's', ԁ: 'd', ɡ: 'g', һ: 'h', ԛ: 'q', ԝ: 'w', ѵ: 'v', ӏ: 'l', ь: 'b', п: 'n', г: 'r',
  α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ω: 'w', γ: 'y',
  ı: 'i', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ð: 'd', ɑ: 'a', ɩ: 'i', ʟ: 'l',
  ᴀ: 'a', ʙ: 'b', ᴄ: 'c', ᴅ: 'd', ᴇ: 'e', ꜰ: 'f', ɢ: 'g', ʜ: 'h', ɪ: 'i', ᴊ: 'j', ᴋ: 'k', ᴍ: 'm', ɴ: 'n', ᴏ: 'o',
  ᴘ: 'p', ʀ: 'r', ꜱ: 's', ᴛ: 't', ᴜ: 'u', ᴠ: 'v', ᴡ: 'w', ʏ: 'y', ᴢ: 'z', ⅼ: 'l', ⅰ: 'i', ո: 'n', ս: 'u', օ: 'o',
} // prettier-ignore

type CharacterKind = 'word' | 'mark' | 'apostrophe' | 'symbol' | 'space' | 'stop' | 'comma' | 'quote' | 'emoji' | 'other' // prettier-ignore

export interface Character {
  kind: CharacterKind
  /** Folded form: letters a–z and digits for `word`, else the character itself. */
  folded: string
  /** A letter of another script than Latin. */
  nonLatin: boolean
}

const cache = new Map<number, Character>()
/** Code points kept at most; all of Unicode would still be bounded, this keeps it small. */
const cacheLimit = 4096

/** Kind and folded form of one code point. */
export function classifyCharacter(code: number): Character {
  const cached = cache.get(code)
  if (cached) return cached
  const classified = classify(String.fromCodePoint(code))
  if (cache.size < cacheLimit) cache.set(code, classified)
  return classified
}

function classify(character: string): Character {
  const of = (kind: CharacterKind, folded = character): Character => ({ kind, folded, nonLatin: false })
  const lower = character.toLowerCase()
  if (/^[a-z0-9]$/.test(lower)) return of('word', lower)
  if (/['’‘`´ʼʹ′＇]/.test(character)) return of('apostrophe', "'")
  if (/["“”„«»]/.test(character)) return of('quote', '"')
  if (/[.!?。！？…\n\r\u2028\u2029]/.test(character)) return of('stop', stopOf(character))
  if (/[,;:()[\]{}–—،、]/.test(character)) return of('comma')
  if (/[@$|*#+€£¡]/.test(character)) return of('symbol')
  if (/\s|[_\-/\\~]/.test(character)) return of('space', ' ')
  // Joiners, variation selectors, direction marks and combining marks are skipped.
  if (/[\p{M}\p{Cf}]/u.test(character)) return of('mark', '')
  return classifyLetter(character, lower)
}

function stopOf(character: string): string {
  if (/[!！]/.test(character)) return '!'
  if (/[?？]/.test(character)) return '?'
  return /[\n\r\u2028\u2029]/.test(character) ? '\n' : '.'
}

function classifyLetter(character: string, lower: string): Character {
  const folded = homoglyphs[lower] ?? fold(lower)
  if (folded !== '') return { kind: 'word', folded, nonLatin: /[\u0370-\u058f]/.test(lower) }
  if (/[\p{L}\p{N}]/u.test(character)) return { kind: 'word', folded: lower, nonLatin: true }
  if (/\p{Extended_Pictographic}/u.test(character)) return { kind: 'emoji', folded: character, nonLatin: false }
  return { kind: 'other', folded: character, nonLatin: false }
}

/** Compatibility decomposition without marks; empty when nothing of the Latin alphabet is in it. */
function fold(character: string): string {
  const decomposed = character.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  const letters = [...decomposed].map((part) => homoglyphs[part] ?? part).join('')
  return /^[a-z0-9]+$/.test(letters) ? letters : ''
}
