/** From data to one automaton: every phrase of every file, so that a message is walked through once. */
import type { MarkerType } from '../../shared/estimates.ts'
import { DetectionFileError, show, type CueName, type Detection, type PatternGroup } from './detection.ts'
import { createAutomaton, wordsOf, type Automaton, type Hit } from './automaton.ts'
import { parsePhrase, type Phrase, type PhraseError } from './phrases.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'
import { readWords, type Reading } from './words.ts'

/** What a found phrase stands for. */
export type Meant =
  | { kind: 'risk'; group: PatternGroup }
  | { kind: 'part'; part: string }
  | { kind: 'idiom' }
  | { kind: 'cue'; cue: CueName }
  | { kind: 'marker'; item: MarkerType }

export interface Compiled {
  read(text: string): Reading
  find(reading: Reading): Hit[]
  meant(hit: Hit): Meant
}

/** Compiles detection data. Throws DetectionFileError naming the phrase that cannot be read. */
export function compile(detection: Detection): Compiled {
  const builder = new Builder(detection)
  detection.patterns.groups.forEach((group, index) => {
    builder.add('patterns.yaml', `groups.${index}.phrases`, group.phrases, { kind: 'risk', group })
  })
  for (const [part, phrases] of Object.entries(detection.patterns.parts))
    builder.add('patterns.yaml', `parts.${part}`, phrases, { kind: 'part', part })
  builder.add('context.yaml', 'idioms', detection.context.idioms, { kind: 'idiom' })
  for (const [cue, phrases] of Object.entries(detection.context.cues))
    builder.add('context.yaml', `cues.${cue}`, phrases, { kind: 'cue', cue: cue as CueName })
  for (const [item, { phrases }] of Object.entries(detection.markers.items))
    builder.add('markers.yaml', `items.${item}.phrases`, phrases, { kind: 'marker', item: item as MarkerType })
  return builder.finish()
}

class Builder {
  private readonly meant: Meant[] = []
  private readonly vocabularyWords = new Set<string>()
  private readonly automaton: Automaton
  private readonly detection: Detection
  private readonly bare: Vocabulary

  constructor(detection: Detection) {
    const { fillers, short_forms } = detection.words
    this.detection = detection
    for (const filler of fillers) this.vocabularyWords.add(filler)
    this.bare = createVocabulary({ words: [], shortForms: short_forms, critical: [], lookAlikes: [] })
    this.automaton = createAutomaton(new Set(fillers), (word) => this.writeOut(word))
  }

  add(file: string, path: string, phrases: readonly string[], meant: Meant): void {
    const number = this.meant.push(meant) - 1
    phrases.forEach((phrase, index) => {
      const parsed = this.parse(file, `${path}.${index}`, phrase)
      for (const word of wordsOf(parsed)) for (const plain of this.writeOut(word)) this.vocabularyWords.add(plain)
      this.automaton.add(parsed, number)
    })
  }

  finish(): Compiled {
    const { words } = this.detection
    const vocabulary = createVocabulary({
      words: this.vocabularyWords,
      shortForms: words.short_forms,
      critical: words.critical,
      lookAlikes: words.look_alikes,
    })
    const { automaton, meant } = this
    return {
      read: (text) => readWords(text, vocabulary),
      find: (reading) => automaton.find(reading.words),
      meant: (hit) => meant[hit.group]!,
    }
  }

  private parse(file: string, path: string, phrase: string): Phrase {
    try {
      return parsePhrase(phrase, this.detection.words.lists)
    } catch (error) {
      throw new DetectionFileError(file, path, show(phrase), (error as PhraseError).message)
    }
  }

  /** Phrases are written out like messages are, so that both meet in the same form. */
  private writeOut(word: string): readonly string[] {
    const plain = word.replace(/['’]/g, '')
    return this.bare.expand(word) ?? this.bare.expand(plain) ?? [plain]
  }
}
