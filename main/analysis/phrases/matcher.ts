/** Compiles the phrases of all detection files into one automaton, so that a message is walked through once. */
import type { MarkerType } from '../../../shared/estimates.ts'
import { DetectionFileError, quoteValue, type CueName, type DetectionData, type PatternGroup } from '../data/index.ts'
import { createVocabulary, tokenize, type TokenizedMessage, type Vocabulary } from '../text/index.ts'
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

type PhraseData = Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers'>

/** Compiles the phrases. Throws DetectionFileError naming the phrase that cannot be parsed. */
export function createMatcher(data: PhraseData): PhraseMatcher {
  const builder = new Builder<PhraseRole>(data.lexicon)
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
  return builder.finish()
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
  lexicon: DetectionData['lexicon'],
  file: string,
  groups: readonly { path: string; phrases: readonly string[]; role: Role }[],
): PhraseFinder<Role> {
  const builder = new Builder<Role>(lexicon)
  for (const { path, phrases, role } of groups) builder.add(file, path, phrases, role)
  return builder.finish()
}

class Builder<Role> {
  private readonly roles: Role[] = []
  private readonly words = new Set<string>()
  private readonly automaton: PhraseAutomaton
  private readonly lexicon: DetectionData['lexicon']
  /** Expands short forms, and corrects nothing: phrases are spelled as they are meant. */
  private readonly shortForms: Vocabulary

  constructor(lexicon: DetectionData['lexicon']) {
    const { fillers, short_forms } = lexicon
    this.lexicon = lexicon
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

  finish(): PhraseFinder<Role> {
    const { automaton, roles, lexicon } = this
    const vocabulary = createVocabulary({
      words: this.words,
      shortForms: lexicon.short_forms,
      critical: lexicon.critical,
      correctionExceptions: lexicon.correction_exceptions,
    })
    return {
      tokenize: (text) => tokenize(text, vocabulary),
      find: (message) => automaton.find(message.tokens),
      roleOf: (hit) => roles[hit.label]!,
    }
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
