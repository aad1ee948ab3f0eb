/**
 * Tokenization and normalization: every token with its normalized forms (as written, leetspeak decoded, repeated
 * letters collapsed, spelling corrected towards the vocabulary of the phrases) and its offsets into the original text.
 */
import { classifyCharacter } from './characters.ts'
import type { Span } from './spans.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Token {
  /** Normalized forms, the likeliest first; never empty. */
  forms: readonly string[]
  /** UTF-16 offsets into the original text, end exclusive. */
  start: number
  end: number
  /** Index of its sentence. */
  sentence: number
  /** A comma or the like stands before it. */
  afterBreak: boolean
  /** Stands between quotation marks. */
  quoted: boolean
}

export interface TokenizedMessage {
  tokens: readonly Token[]
  /** First and last token of every sentence; `to` < `from` where a sentence has none. */
  sentences: readonly Span[]
  /** Indexes of the sentences that end in a question mark. */
  questions: ReadonlySet<number>
  emoji: readonly string[]
  /** Letters in all, and letters of other scripts than Latin. */
  letters: number
  nonLatinLetters: number
  /** Read with the Spanish words beside the English ones. */
  bilingual: boolean
}

/** Longest run of characters kept as one token; a longer one becomes several. */
const longestToken = 48
/** Leetspeak by digit and sign; `1` and `|` stand for i and for l. */
const leet: Record<string, string> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', $: 's', '!': 'i', '|': 'i',
  '+': 't', '€': 'e', '£': 'l', '¡': 'i',
} // prettier-ignore

interface RawToken {
  /** Folded characters. */
  folded: string
  start: number
  end: number
  sentence: number
  afterBreak: boolean
  quoted: boolean
  mention: boolean
}

/** Tokenizes a message. Linear in the length of the text; never throws. */
export function tokenize(text: string, vocabulary: Vocabulary): TokenizedMessage {
  const scan = new Scanner(text)
  scan.run()
  const tokens: Token[] = []
  for (let i = 0; i < scan.raws.length;) {
    const spaced = spacedLetters(scan.raws, i, vocabulary)
    if (spaced > 0) {
      addSpacedLetters(tokens, scan.raws.slice(i, i + spaced), vocabulary)
      i += spaced
    } else {
      addToken(tokens, scan.raws[i]!, vocabulary)
      i += 1
    }
  }
  return {
    tokens,
    sentences: sentenceSpans(tokens, scan.sentence + 1),
    questions: scan.questions,
    emoji: scan.emoji,
    letters: scan.letters,
    nonLatinLetters: scan.nonLatinLetters,
    bilingual: false,
  }
}

function sentenceSpans(tokens: readonly Token[], count: number): Span[] {
  const spans = Array.from({ length: count }, () => ({ from: 0, to: -1 }))
  tokens.forEach(({ sentence }, index) => {
    const span = spans[sentence]!
    if (span.to < span.from) span.from = index
    span.to = index
  })
  return spans
}

class Scanner {
  readonly raws: RawToken[] = []
  readonly questions = new Set<number>()
  readonly emoji: string[] = []
  letters = 0
  nonLatinLetters = 0
  sentence = 0
  private readonly text: string
  private folded = ''
  private start = 0
  private end = 0
  private afterBreak = false
  private quoted = false
  private mention = false
  private hasTokenInSentence = false
  /** Where the last full stop ended. */
  private lastStop = -1
  /** The last token was one letter, as in “k.i.l.l.”, and not “I”. */
  private afterSingleLetter = false

  constructor(text: string) {
    this.text = text
  }

  run(): void {
    const { text } = this
    for (let i = 0; i < text.length;) {
      const code = text.codePointAt(i)!
      const next = i + (code > 0xffff ? 2 : 1)
      this.consume(code, i, next)
      i = next
    }
    this.close()
  }

  private consume(code: number, at: number, next: number): void {
    const { kind, folded, nonLatin } = classifyCharacter(code)
    switch (kind) {
      case 'word':
        this.letters += 1
        if (nonLatin) this.nonLatinLetters += 1
        this.extend(folded, at, next)
        return
      case 'mark':
        if (this.folded !== '') this.end = next
        return
      case 'apostrophe':
        if (this.folded !== '' && this.isWordAt(next)) this.extend("'", at, next)
        else this.close()
        return
      case 'symbol':
        this.consumeSymbol(folded, at, next)
        return
      case 'stop':
        this.consumeStop(folded, at, next)
        return
      case 'comma':
        this.close()
        this.afterBreak = true
        return
      case 'quote':
        this.close()
        this.quoted = !this.quoted
        return
      case 'emoji':
        this.close()
        if (this.emoji.length < 200) this.emoji.push(folded)
        return
      default:
        this.close()
    }
  }

  private consumeSymbol(folded: string, at: number, next: number): void {
    const inside = this.folded !== ''
    if (this.isWordAt(next) || (inside && this.isSymbolThenWord(next))) {
      if (folded === '@' && !inside) this.mention = true
      else if (inside || folded === '$' || folded === '|') this.extend(folded, at, next)
      return
    }
    if (inside && /[*$@|]/.test(folded)) this.extend(folded, at, next)
    else this.close()
  }

  private consumeStop(folded: string, at: number, next: number): void {
    const tight = this.folded !== '' && this.isWordAt(next)
    if ((tight || this.isMarkedLetter(next)) && folded === '!') {
      this.extend('!', at, next)
      return
    }
    this.close()
    // “kill.myself”, “kill... myself”, “k. i. l. l.” and line breaks do not end what is being said; “day. I” does.
    const ellipsis = folded === '.' && (this.lastStop === at || this.text[next] === '.')
    this.lastStop = next
    if (tight || ellipsis || folded === '\n' || (folded === '.' && this.afterSingleLetter)) {
      this.afterBreak = true
      if (folded !== '\n') return
    }
    if (folded === '?') this.questions.add(this.sentence)
    if (this.hasTokenInSentence) {
      this.sentence += 1
      this.hasTokenInSentence = false
      this.afterBreak = true
    }
  }

  /** “k!!l”: a second exclamation mark that a letter follows. */
  private isMarkedLetter(index: number): boolean {
    return this.folded !== '' && this.text[index] === '!' && this.isWordAt(index + 1)
  }

  private isWordAt(index: number): boolean {
    const code = this.text.codePointAt(index)
    return code !== undefined && classifyCharacter(code).kind === 'word'
  }

  private isSymbolThenWord(index: number): boolean {
    const code = this.text.codePointAt(index)
    return code !== undefined && classifyCharacter(code).kind === 'symbol' && this.isWordAt(index + 1)
  }

  private extend(folded: string, at: number, next: number): void {
    if (this.folded.length >= longestToken) this.close()
    if (this.folded === '') this.start = at
    this.folded += folded
    this.end = next
  }

  private close(): void {
    if (this.folded !== '') {
      const { folded, start, end, sentence, afterBreak, quoted, mention } = this
      this.raws.push({ folded, start, end, sentence, afterBreak, quoted, mention })
      this.folded = ''
      this.afterBreak = false
      this.hasTokenInSentence = true
      this.afterSingleLetter = folded.length === 1 && folded !== 'i'
    }
    this.mention = false
  }
}

/** Number of raw tokens from `from` that are letters written one by one (“k i l l”, “k m s”), 0 when there are none. */
function spacedLetters(raws: readonly RawToken[], from: number, vocabulary: Vocabulary): number {
  let letters = 0
  let i = from
  for (; i < raws.length && i - from < 64; i += 1) {
    const { folded, mention } = raws[i]!
    if (mention || folded.length !== 1) break
    if (folded >= 'a' && folded <= 'z') letters += 1
  }
  const length = i - from
  if (length === 3) return letters === 3 && vocabulary.isCritical(joined(raws, from, 3)) ? 3 : 0
  return length >= 4 && letters >= 3 ? length : 0
}

function joined(raws: readonly RawToken[], from: number, count: number): string {
  return raws
    .slice(from, from + count)
    .map(({ folded }) => leet[folded] ?? folded)
    .join('')
}

function addSpacedLetters(tokens: Token[], raws: readonly RawToken[], vocabulary: Vocabulary): void {
  const letters = joined(raws, 0, raws.length)
  let at = 0
  for (const part of vocabulary.segment(letters) ?? [letters]) {
    const first = raws[at]!
    const last = raws[at + part.length - 1]!
    push(tokens, { ...first, end: last.end }, [part], vocabulary)
    at += part.length
  }
}

function addToken(tokens: Token[], raw: RawToken, vocabulary: Vocabulary): void {
  if (raw.mention) {
    tokens.push({ ...place(raw), forms: ['@'] })
    return
  }
  const exclamation = raw.folded.indexOf('!')
  if (exclamation > 0 && !leetForms(raw.folded).some((form) => vocabulary.has(form))) {
    // “stop!now”: two tokens with a missing space, not leetspeak.
    splitAtExclamation(tokens, raw, vocabulary)
    return
  }
  const forms = normalizedForms(raw.folded, vocabulary)
  const parts = forms.length === 1 && !vocabulary.has(forms[0]!) ? vocabulary.segmentCompound(forms[0]!) : null
  if (parts) for (const part of parts) push(tokens, raw, [part], vocabulary)
  else push(tokens, raw, forms, vocabulary)
}

function splitAtExclamation(tokens: Token[], raw: RawToken, vocabulary: Vocabulary): void {
  for (const part of raw.folded.split('!')) {
    if (part !== '') addToken(tokens, { ...raw, folded: part, afterBreak: true }, vocabulary)
  }
}

function place({ start, end, sentence, afterBreak, quoted }: RawToken): Omit<Token, 'forms'> {
  return { start, end, sentence, afterBreak, quoted }
}

/** Adds a token, expanded where it is a short form (“kms”, “wanna”, “don't”). */
function push(tokens: Token[], raw: RawToken, forms: readonly string[], vocabulary: Vocabulary): void {
  for (const form of forms) {
    const expanded = vocabulary.expand(form)
    if (!expanded) continue
    expanded.forEach((part, index) => {
      tokens.push({ ...place(raw), afterBreak: raw.afterBreak && index === 0, forms: [part] })
    })
    return
  }
  tokens.push({ ...place(raw), forms })
}

/** What leetspeak may stand for (“qu1er0”); the word itself where it is none. */
export function leetForms(folded: string): string[] {
  const decode = (one: string): string =>
    folded.replace(/[^a-z]/g, (sign) => (sign === '1' || sign === '|' ? one : sign === "'" ? '' : (leet[sign] ?? sign)))
  const [asI, asL] = [decode('i'), decode('l')]
  return asI === asL ? [asI] : [asI, asL]
}

/** The normalized forms of a token; those in the vocabulary come first. */
function normalizedForms(folded: string, vocabulary: Vocabulary): string[] {
  if (vocabulary.has(folded)) return [folded]
  const written = folded.replaceAll("'", '')
  if (vocabulary.has(written)) return [written]
  const forms = [written]
  const add = (form: string): void => {
    if (vocabulary.has(form) && !forms.includes(form)) forms.push(form)
  }
  const isLeet = /[a-z]/.test(written) && /[^a-z]/.test(written)
  for (const form of isLeet ? leetForms(folded) : [written]) {
    add(form)
    add(form.replace(/(.)\1{2,}/g, '$1$1'))
    add(form.replace(/(.)\1+/g, '$1'))
    if (forms.length === 1 && form.includes('*')) for (const word of vocabulary.unmask(form)) add(word)
    if (forms.length === 1) for (const word of vocabulary.correct(form)) add(word)
  }
  return forms.length > 1 ? [...forms.slice(1), written].slice(0, 4) : forms
}
