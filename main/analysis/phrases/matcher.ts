/** Compiles the phrases of all detection files into one automaton, so that a message is walked through once. */
import type { MarkerType } from '../../../shared/estimates.ts'
import { DetectionFileError, quoteValue, type CueName, type DetectionData, type PatternGroup } from '../data/index.ts'
import { createVocabulary, holdsSpanish, tokenize, type TokenizedMessage, type Vocabulary } from '../text/index.ts'
import { createAutomaton, wordsOf, type PhraseAutomaton, type PhraseHit } from './automaton.ts'
import { parsePhrase, type PhraseError, type PhrasePattern } from './notation.ts'

/** What a phrase is there for. */
type PhraseRole =
  | { kind: 'risk'; group: PatternGroup }
  | { kind: 'part'; part: string }
  | { kind: 'idiom' }
  | { kind: 'cue'; cue: CueName }
  | { kind: 'marker'; item: MarkerType }

export type PhraseMatcher = PhraseFinder<PhraseRole>

type PhraseData = Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers' | 'spanish'>

/** Compiles the phrases of both languages. Throws DetectionFileError naming the phrase that cannot be parsed. */
export function createMatcher(data: PhraseData): PhraseMatcher {
  const roles: PhraseRole[] = []
  const english = buildEnglish(data, roles)
  const spanish = buildSpanish(data, roles)
  const englishWords = english.vocabulary([])
  const bothWords = spanish.vocabulary(english.words)
  // The longer words of the Spanish phrases are as good a sign as any, where English ones do not have them.
  const ofPhrases = [...spanish.words].filter((word) => word.length >= telling && !english.words.has(word))
  const { certain, common, shared } = data.spanish.words
  const recognized = {
    certain: new Set([...certain, ...ofPhrases.filter((word) => !common.has(word) && !shared.has(word))]),
    common,
  }
  return {
    tokenize: (text) => {
      const isSpanish = (message: TokenizedMessage): boolean => holdsSpanish(message, recognized)
      const inBoth = (): TokenizedMessage => ({ ...tokenize(text, bothWords), bilingual: true })
      // Spanish mostly shows at once; then a long text need not be tokenized twice.
      if (text.length > shownAtOnce && isSpanish(tokenize(text.slice(0, shownAtOnce), englishWords))) return inBoth()
      const message = tokenize(text, englishWords)
      return isSpanish(message) ? inBoth() : message
    },
    find: (message) => {
      const hits = english.automaton.find(message.tokens)
      if (!message.bilingual) return hits
      return [...hits, ...spanish.automaton.find(message.tokens)].sort((a, b) => a.from - b.from)
    },
    roleOf: (hit) => roles[hit.label]!,
  }
}

/** Characters at the beginning of a long text by which its language is mostly known. */
const shownAtOnce = 600

/** Letters from which a word of a phrase tells its language. */
const telling = 6

function buildSpanish({ lexicon, spanish }: PhraseData, roles: PhraseRole[]): Builder<PhraseRole> {
  const both = {
    fillers: [...lexicon.fillers, ...spanish.lexicon.fillers],
    short_forms: { ...lexicon.short_forms, ...spanish.lexicon.short_forms },
    critical: [...lexicon.critical, ...spanish.lexicon.critical],
    correction_exceptions: [...lexicon.correction_exceptions, ...spanish.lexicon.correction_exceptions],
    lists: { ...lexicon.lists, ...spanish.lexicon.lists },
  }
  const builder = new Builder<PhraseRole>(both, roles)
  const file = 'spanish.yaml'
  for (const words of Object.values(spanish.words)) for (const word of words) builder.words.add(word)
  spanish.patterns.forEach((group, index) => {
    builder.add(file, `patterns.${index}.phrases`, group.phrases, { kind: 'risk', group })
  })
  builder.add(file, 'context.idioms', spanish.context.idioms, { kind: 'idiom' })
  for (const [cue, phrases] of Object.entries(spanish.context.cues))
    builder.add(file, `context.cues.${cue}`, phrases, { kind: 'cue', cue: cue as CueName })
  for (const [item, phrases] of Object.entries(spanish.markers))
    builder.add(file, `markers.${item}`, phrases, { kind: 'marker', item: item as MarkerType })
  return builder
}

function buildEnglish(data: PhraseData, roles: PhraseRole[]): Builder<PhraseRole> {
  const builder = new Builder<PhraseRole>(data.lexicon, roles)
  data.patterns.groups.forEach((group, index) => {
    builder.add('patterns.yaml', `groups.${index}.phrases`, group.phrases, { kind: 'risk', group })
  })
  for (const [part, phrases] of Object.entries(data.patterns.parts))
    builder.add('patterns.yaml', `parts.${part}`, phrases, { kind: 'part', part })
  builder.add('context.yaml', 'idioms', data.context.idioms, { kind: 'idiom' })
  for (const [cue, phrases] of Object.entries(data.context.cues))
    builder.add('context.yaml', `cues.${cue}`, phrases, { kind: 'cue', cue: cue as CueName })
  for (const [item, { phrases }] of Object.entries(data.markers.items))
    builder.add('markers.yaml', `items.${item}.phrases`, phrases, { kind: 'marker', item: item as MarkerType })
  return builder
}

/** Finds the phrases of one set in a message that it tokenizes towards the words of that set alone. */
export interface PhraseFinder<Role> {
  tokenize(text: string): TokenizedMessage
  find(message: TokenizedMessage): PhraseHit[]
  roleOf(hit: PhraseHit): Role
}

/**
 * Compiles a set of phrases of its own, which changes nothing for the others: `fillers` may stand inside its phrases,
 * `groups` are lists at a path of `file`. Throws DetectionFileError naming the phrase that cannot be parsed.
 */
export function createPhraseFinder<Role>(
  lexicon: Lexicon,
  file: string,
  groups: readonly { path: string; phrases: readonly string[]; role: Role }[],
): PhraseFinder<Role> {
  const roles: Role[] = []
  const builder = new Builder<Role>(lexicon, roles)
  for (const { path, phrases, role } of groups) builder.add(file, path, phrases, role)
  const vocabulary = builder.vocabulary([])
  return {
    tokenize: (text) => tokenize(text, vocabulary),
    find: (message) => builder.automaton.find(message.tokens),
    roleOf: (hit) => roles[hit.label]!,
  }
}

type Lexicon = Pick<
  DetectionData['lexicon'],
  'fillers' | 'short_forms' | 'critical' | 'correction_exceptions' | 'lists'
>

class Builder<Role> {
  /** Every word that a phrase can contain. */
  readonly words = new Set<string>()
  readonly automaton: PhraseAutomaton
  private readonly roles: Role[]
  private readonly lexicon: Lexicon
  /** Expands short forms, and corrects nothing: phrases are spelled as they are meant. */
  private readonly shortForms: Vocabulary

  /** `roles`: what each label stands for, shared by the builders of all languages. */
  constructor(lexicon: Lexicon, roles: Role[]) {
    const { fillers, short_forms } = lexicon
    this.lexicon = lexicon
    this.roles = roles
    for (const filler of fillers) this.words.add(filler)
    this.shortForms = createVocabulary({ words: [], shortForms: short_forms, critical: [], correctionExceptions: [] })
    this.automaton = createAutomaton(new Set(fillers), (word) => this.normalize(word))
  }

  add(file: string, path: string, phrases: readonly string[], role: Role): void {
    const label = this.roles.push(role) - 1
    phrases.forEach((phrase, index) => {
      const parsed = this.parse(file, `${path}.${index}`, phrase)
      for (const word of wordsOf(parsed)) for (const form of this.normalize(word)) this.words.add(form)
      this.automaton.add(parsed, label)
    })
  }

  /** What messages are normalized towards: the words of these phrases and `more`. */
  vocabulary(more: Iterable<string>): Vocabulary {
    const { short_forms, critical, correction_exceptions } = this.lexicon
    return createVocabulary({
      words: [...this.words, ...more],
      shortForms: short_forms,
      critical,
      correctionExceptions: correction_exceptions,
    })
  }

  private parse(file: string, path: string, phrase: string): PhrasePattern {
    try {
      return parsePhrase(phrase, this.lexicon.lists)
    } catch (error) {
      throw new DetectionFileError(file, path, quoteValue(phrase), (error as PhraseError).message)
    }
  }

  /** Phrases are expanded like messages are, so that both meet in the same form. */
  private normalize(word: string): readonly string[] {
    const bare = word.replace(/['’]/g, '')
    return this.shortForms.expand(word) ?? this.shortForms.expand(bare) ?? [bare]
  }
}
