/**
 * From a message to words: every word in plain forms (as written, leetspeak read, letters squeezed,
 * spelling mended towards the vocabulary of the patterns), with offsets into the original text.
 */
import { readCharacter } from './characters.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Word {
  /** Plain forms, the likeliest first; never empty. */
  forms: readonly string[]
  /** UTF-16 offsets into the original text, end exclusive. */
  start: number
  end: number
  /** Number of the sentence the word stands in. */
  sentence: number
  /** A comma or the like stands before the word. */
  afterBreak: boolean
  /** Stands between quotation marks. */
  quoted: boolean
}

export interface Reading {
  words: Word[]
  sentences: number
  /** Sentences that end in a question mark. */
  questions: ReadonlySet<number>
  emoji: string[]
  /** Letters in all, and letters of scripts that the patterns do not cover. */
  letters: number
  foreignLetters: number
}

/** Longest run of characters read as one word; longer ones are cut and go on. */
const longestWord = 48
/** Leetspeak by digit and sign; `1` and `|` are read both as i and as l. */
const leet: Record<string, string> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', $: 's', '!': 'i', '|': 'i',
  '+': 't', '€': 'e', '£': 'l', '¡': 'i',
} // prettier-ignore

interface Raw {
  plain: string
  start: number
  end: number
  sentence: number
  afterBreak: boolean
  quoted: boolean
  mention: boolean
}

/** Reads a message into words. Linear in the length of the text; never throws. */
export function readWords(text: string, vocabulary: Vocabulary): Reading {
  const scan = new Scanner(text)
  scan.run()
  const words: Word[] = []
  for (let i = 0; i < scan.raws.length;) {
    const spelled = spelledOut(scan.raws, i, vocabulary)
    if (spelled > 0) {
      addSpelledOut(words, scan.raws.slice(i, i + spelled), vocabulary)
      i += spelled
    } else {
      addWord(words, scan.raws[i]!, vocabulary)
      i += 1
    }
  }
  return {
    words,
    sentences: scan.sentence + 1,
    questions: scan.questions,
    emoji: scan.emoji,
    letters: scan.letters,
    foreignLetters: scan.foreignLetters,
  }
}

class Scanner {
  readonly raws: Raw[] = []
  readonly questions = new Set<number>()
  readonly emoji: string[] = []
  letters = 0
  foreignLetters = 0
  sentence = 0
  private readonly text: string
  private plain = ''
  private start = 0
  private end = 0
  private afterBreak = false
  private quoted = false
  private mention = false
  private hasWordInSentence = false
  /** Where the last full stop ended. */
  private lastStop = -1
  /** The last word was one letter, as in “k.i.l.l.”, and not “I”. */
  private afterSingleLetter = false

  constructor(text: string) {
    this.text = text
  }

  run(): void {
    const { text } = this
    for (let i = 0; i < text.length;) {
      const code = text.codePointAt(i)!
      const next = i + (code > 0xffff ? 2 : 1)
      this.take(code, i, next)
      i = next
    }
    this.close()
  }

  private take(code: number, at: number, next: number): void {
    const { kind, plain, foreign } = readCharacter(code)
    switch (kind) {
      case 'word':
        this.letters += 1
        if (foreign) this.foreignLetters += 1
        this.extend(plain, at, next)
        return
      case 'mark':
        if (this.plain !== '') this.end = next
        return
      case 'apostrophe':
        if (this.plain !== '' && this.isWordAt(next)) this.extend("'", at, next)
        else this.close()
        return
      case 'symbol':
        this.takeSymbol(plain, at, next)
        return
      case 'stop':
        this.takeStop(plain, at, next)
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
        if (this.emoji.length < 200) this.emoji.push(plain)
        return
      default:
        this.close()
    }
  }

  private takeSymbol(plain: string, at: number, next: number): void {
    const inside = this.plain !== ''
    if (this.isWordAt(next) || (inside && this.isSymbolThenWord(next))) {
      if (plain === '@' && !inside) this.mention = true
      else if (inside || plain === '$' || plain === '|') this.extend(plain, at, next)
      return
    }
    if (inside && /[*$@|]/.test(plain)) this.extend(plain, at, next)
    else this.close()
  }

  private takeStop(plain: string, at: number, next: number): void {
    const tight = this.plain !== '' && this.isWordAt(next)
    if ((tight || this.isMarkedLetter(next)) && plain === '!') {
      this.extend('!', at, next)
      return
    }
    this.close()
    // “kill.myself”, “kill... myself”, “k. i. l. l.” and line breaks do not end what is being said; “day. I” does.
    const ellipsis = plain === '.' && (this.lastStop === at || this.text[next] === '.')
    this.lastStop = next
    if (tight || ellipsis || plain === '\n' || (plain === '.' && this.afterSingleLetter)) {
      this.afterBreak = true
      if (plain !== '\n') return
    }
    if (plain === '?') this.questions.add(this.sentence)
    if (this.hasWordInSentence) {
      this.sentence += 1
      this.hasWordInSentence = false
      this.afterBreak = true
    }
  }

  /** “k!!l”: a second exclamation mark that a letter follows. */
  private isMarkedLetter(index: number): boolean {
    return this.plain !== '' && this.text[index] === '!' && this.isWordAt(index + 1)
  }

  private isWordAt(index: number): boolean {
    const code = this.text.codePointAt(index)
    return code !== undefined && readCharacter(code).kind === 'word'
  }

  private isSymbolThenWord(index: number): boolean {
    const code = this.text.codePointAt(index)
    return code !== undefined && readCharacter(code).kind === 'symbol' && this.isWordAt(index + 1)
  }

  private extend(plain: string, at: number, next: number): void {
    if (this.plain.length >= longestWord) this.close()
    if (this.plain === '') this.start = at
    this.plain += plain
    this.end = next
  }

  private close(): void {
    if (this.plain !== '') {
      const { plain, start, end, sentence, afterBreak, quoted, mention } = this
      this.raws.push({ plain, start, end, sentence, afterBreak, quoted, mention })
      this.plain = ''
      this.afterBreak = false
      this.hasWordInSentence = true
      this.afterSingleLetter = plain.length === 1 && plain !== 'i'
    }
    this.mention = false
  }
}

/** Number of raws from `from` that are letters written one by one (“k i l l”, “k m s”), 0 when there are none. */
function spelledOut(raws: readonly Raw[], from: number, vocabulary: Vocabulary): number {
  let letters = 0
  let i = from
  for (; i < raws.length && i - from < 64; i += 1) {
    const { plain, mention } = raws[i]!
    if (mention || plain.length !== 1) break
    if (plain >= 'a' && plain <= 'z') letters += 1
  }
  const length = i - from
  if (length === 3) return letters === 3 && vocabulary.isCritical(joined(raws, from, 3)) ? 3 : 0
  return length >= 4 && letters >= 3 ? length : 0
}

function joined(raws: readonly Raw[], from: number, count: number): string {
  return raws
    .slice(from, from + count)
    .map(({ plain }) => leet[plain] ?? plain)
    .join('')
}

function addSpelledOut(words: Word[], raws: readonly Raw[], vocabulary: Vocabulary): void {
  const letters = joined(raws, 0, raws.length)
  let at = 0
  for (const part of vocabulary.split(letters) ?? [letters]) {
    const first = raws[at]!
    const last = raws[at + part.length - 1]!
    push(words, { ...first, end: last.end }, [part], vocabulary)
    at += part.length
  }
}

function addWord(words: Word[], raw: Raw, vocabulary: Vocabulary): void {
  if (raw.mention) {
    words.push({ ...place(raw), forms: ['@'] })
    return
  }
  const exclamation = raw.plain.indexOf('!')
  if (exclamation > 0 && !leetForms(raw.plain).some((form) => vocabulary.has(form))) {
    // “stop!now”: two words with a missing space, not leetspeak.
    splitAtExclamation(words, raw, vocabulary)
    return
  }
  const forms = formsOf(raw.plain, vocabulary)
  const parts = forms.length === 1 && !vocabulary.has(forms[0]!) ? vocabulary.splitWord(forms[0]!) : null
  if (parts) for (const part of parts) push(words, raw, [part], vocabulary)
  else push(words, raw, forms, vocabulary)
}

function splitAtExclamation(words: Word[], raw: Raw, vocabulary: Vocabulary): void {
  for (const part of raw.plain.split('!')) {
    if (part !== '') addWord(words, { ...raw, plain: part, afterBreak: true }, vocabulary)
  }
}

function place({ start, end, sentence, afterBreak, quoted }: Raw): Omit<Word, 'forms'> {
  return { start, end, sentence, afterBreak, quoted }
}

/** Adds a word, written out where it is a short form (“kms”, “wanna”, “don't”). */
function push(words: Word[], raw: Raw, forms: readonly string[], vocabulary: Vocabulary): void {
  for (const form of forms) {
    const expanded = vocabulary.expand(form)
    if (!expanded) continue
    expanded.forEach((part, index) => {
      words.push({ ...place(raw), afterBreak: raw.afterBreak && index === 0, forms: [part] })
    })
    return
  }
  words.push({ ...place(raw), forms })
}

function leetForms(plain: string): string[] {
  const read = (one: string): string =>
    plain.replace(/[^a-z]/g, (sign) => (sign === '1' || sign === '|' ? one : sign === "'" ? '' : (leet[sign] ?? sign)))
  const [asI, asL] = [read('i'), read('l')]
  return asI === asL ? [asI] : [asI, asL]
}

/** The plain forms of a word as written; those the vocabulary knows come first. */
function formsOf(plain: string, vocabulary: Vocabulary): string[] {
  if (vocabulary.has(plain)) return [plain]
  const written = plain.replaceAll("'", '')
  if (vocabulary.has(written)) return [written]
  const forms = [written]
  const add = (form: string): void => {
    if (vocabulary.has(form) && !forms.includes(form)) forms.push(form)
  }
  const isLeet = /[a-z]/.test(written) && /[^a-z]/.test(written)
  for (const form of isLeet ? leetForms(plain) : [written]) {
    add(form)
    add(form.replace(/(.)\1{2,}/g, '$1$1'))
    add(form.replace(/(.)\1+/g, '$1'))
    if (forms.length === 1 && form.includes('*')) for (const word of vocabulary.unmask(form)) add(word)
    if (forms.length === 1) for (const word of vocabulary.mend(form)) add(word)
  }
  return forms.length > 1 ? [...forms.slice(1), written].slice(0, 4) : forms
}
