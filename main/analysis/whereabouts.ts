/**
 * Finds what a student says about where they are and who is with them, for the person who answers an alert. It quotes
 * and concludes nothing; what is said of another time, of a wish or of somebody else's place is left out.
 */
import { z } from 'zod'
import type { Whereabouts } from '../../shared/views.ts'

const phrases = z.array(z.string().regex(/^[a-z][a-z' ]*$/)).min(1)
const whereaboutsSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  short_forms: z.record(z.string(), z.string()),
  leads: phrases,
  not_after: phrases,
  fillers: phrases,
  tails: phrases,
  openings: phrases,
  prepositions: phrases,
  determiners: phrases,
  places: phrases,
  wordless: phrases,
  homes: phrases,
  people: phrases,
  everybody: phrases,
  states: phrases,
  alone: phrases,
})

interface Word {
  text: string
  start: number
  end: number
}

/** Longest run of fillers, places and company after a lead, in steps. */
const mostSteps = 8

/** Makes the finder of the phrases in `resources/whereabouts.yaml`, parsed. Throws ZodError. */
export function createWhereaboutsFinder(data: unknown): (text: string) => Whereabouts[] {
  const read = whereaboutsSchema.parse(data)
  const expand = new Map(Object.entries(read.short_forms))
  const people = new Set(read.people)
  const [leads, notAfter, fillers, tails] = [read.leads, read.not_after, read.fillers, read.tails].map(
    lengthsOf,
  ) as Four
  const [prepositions, determiners, places, wordless] = [
    read.prepositions,
    read.determiners,
    read.places,
    read.wordless,
  ].map(lengthsOf) as Four
  const [homes, persons, everybody, states] = [read.homes, read.people, read.everybody, read.states].map(
    lengthsOf,
  ) as Four
  const [alone, openings] = [lengthsOf(read.alone), lengthsOf(read.openings)]

  /** “in the school bathroom”, “at my friend's house”, “home”: how many words from `at` on are a place. */
  const placeAt = (words: readonly Word[], at: number): number => {
    const preposition = prepositions(words, at)
    const after = preposition === 0 ? 0 : placeAfter(words, at + preposition)
    // “outside” is a place of its own, and stands before one.
    return after === 0 ? wordless(words, at) : preposition + after
  }

  /** What follows a preposition: “the school bathroom”, “my friend's house”. */
  const placeAfter = (words: readonly Word[], at: number): number => {
    const determiner = determiners(words, at)
    const somebody = persons(words, at + determiner)
    if (somebody > 0) {
      const whose = at + determiner + somebody
      const possessive = words[whose]?.text === 'is' ? 1 : 0
      const owned = possessive + homes(words, whose + possessive)
      return owned === 0 ? 0 : whose + owned - at
    }
    const place = places(words, at + determiner)
    return place === 0 ? 0 : determiner + place
  }

  /** “alone”, “with my friend and my sister”: how many words from `at` on are company, or that there is none. */
  const companyAt = (words: readonly Word[], at: number): number => {
    const none = alone(words, at)
    if (none > 0 || words[at]?.text !== 'with') return none
    const them = peopleAt(words, at + 1)
    // “with my dad's keys” is no company.
    return them === 0 || words[at + 1 + them]?.text === 'is' ? 0 : 1 + them
  }

  /** “my mum and my brother”, “nobody else”. */
  const peopleAt = (words: readonly Word[], at: number): number => {
    const all = everybody(words, at)
    if (all > 0) return all
    let end = at
    for (;;) {
      const from = end > at && words[end]?.text === 'and' ? end + 1 : end
      if (end > at && from === end) return end - at
      const determiner = determiners(words, from)
      const person = persons(words, from + determiner)
      if (person === 0) return end - at
      end = from + determiner + person
    }
  }

  /** What the writer says of themself from `at` on: where the place ends, and the company; 0 = none. */
  const ownAt = (words: readonly Word[], at: number): { place: number; company: number; next: number } => {
    const none = { place: 0, company: 0, next: at + 1 }
    const lead = leads(words, at)
    const begins = at === 0 || openings(words, at - 1) > 0
    if (lead === 0 && !begins) return none
    if (at > 0 && notAfter(words, at - 1) > 0) return none
    let [place, company, next] = [0, 0, at + lead]
    for (let step = 0; step < mostSteps; step += 1) {
      const asPlace = placeAt(words, next)
      const asCompany = asPlace > 0 ? 0 : companyAt(words, next)
      const length = asPlace + asCompany || fillers(words, next)
      if (length === 0) break
      next += length
      if (asPlace > 0) place = next
      if (asCompany > 0) company = next
    }
    if (place + company === 0) return none
    // An answer is the place and no more: “home is where it happens” says nothing of now.
    if (lead === 0 && next < words.length && tails(words, next) === 0) return none
    return { place, company, next }
  }

  /** “my mum is out”, “nobody is home”: how many words from `at` on say it of others. */
  const othersAt = (words: readonly Word[], at: number): number => {
    // Where “my mum” was not heard, “mum” is not, either.
    if (at > 0 && notAfter(words, at - 1) + determiners(words, at - 1) > 0) return 0
    const them = peopleAt(words, at)
    if (them === 0 || !['is', 'are'].includes(words[at + them]?.text ?? '')) return 0
    let next = at + them + 1
    for (let step = 0; step < mostSteps; step += 1) {
      const state = states(words, next) || placeAt(words, next)
      if (state > 0) return next + state - at
      const filler = fillers(words, next)
      if (filler === 0) return 0
      next += filler
    }
    return 0
  }

  return (text) => {
    const found: Whereabouts[] = []
    for (const words of sentencesOf(text, expand, people)) {
      const add = (kind: Whereabouts['kind'], from: number, to: number) =>
        found.push({ kind, start: words[from]!.start, end: words[to - 1]!.end })
      for (let at = 0; at < words.length;) {
        const others = othersAt(words, at)
        if (others > 0) {
          add('company', at, at + others)
          at += others
          continue
        }
        const { place, company, next } = ownAt(words, at)
        if (place > 0) add('place', at, place)
        if (company > 0) add('company', at, company)
        at = next
      }
    }
    return found
  }
}

type Length = (words: readonly Word[], at: number) => number
type Four = [Length, Length, Length, Length]

/** Answers how many words from a place on are the longest of these phrases; 0 = none is. */
function lengthsOf(list: readonly string[]): Length {
  const known = new Set(list)
  const longest = Math.max(...list.map((phrase) => phrase.split(' ').length))
  return (words, at) => {
    for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
      const phrase = words.slice(at, at + length).map(({ text }) => text)
      if (known.has(phrase.join(' '))) return length
    }
    return 0
  }
}

/** The words of each sentence, in lower case, with short forms written out; a comma ends a sentence, too. */
function sentencesOf(text: string, expand: ReadonlyMap<string, string>, people: ReadonlySet<string>): Word[][] {
  const sentences: Word[][] = [[]]
  for (const { 0: written, index } of text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*|[.!?,;:\n()"“”]/gu)) {
    if (!/^[\p{L}\p{N}]/u.test(written)) {
      sentences.push([])
      continue
    }
    const word = written.toLowerCase().replaceAll('’', "'")
    const whose = word.endsWith("'s") && people.has(word.slice(0, -2)) ? `${word.slice(0, -2)} is` : undefined
    for (const part of (expand.get(word) ?? whose ?? word).split(' '))
      sentences.at(-1)!.push({ text: part, start: index, end: index + written.length })
  }
  return sentences
}
