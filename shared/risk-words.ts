/** How tiers, categories, and what decided a tier are named: on the screens and in the terminal alike. */
import type { DecidedBy, DecidedOn, PatternCategory, RiskTier } from './risk.ts'

export const tierNames: Readonly<Record<RiskTier, string>> = {
  crisis: 'Crisis',
  high: 'High',
  caution: 'Caution',
  ok: 'None seen',
}

/** A category by its wire name with spaces; “self-harm” as English spells it. */
export const categoryNames: Readonly<Record<PatternCategory, string>> = {
  suicidal_intent: 'suicidal intent',
  suicidal_ideation: 'suicidal ideation',
  harm_to_others: 'harm to others',
  self_harm: 'self-harm',
  abuse_disclosure: 'abuse disclosure',
  coded_language: 'coded language',
  hopelessness: 'hopelessness',
  disordered_eating: 'disordered eating',
  running_away: 'running away',
}

export const decidedByWords: Readonly<Record<DecidedBy, string>> = {
  floor: 'decided by this message alone',
  consensus: 'decided by all signals together',
  adapter: 'raised by an added detector',
}

/** What decided, in one sentence a kind; for somebody who is tired, and has to know what to make of it. */
export const decidedOnSentences: Readonly<Record<DecidedOn, string>> = {
  phrase: 'Known warning phrases, meant as said: they decide by themselves, whatever the other signals say.',
  reading: 'No known phrase decided; the way the message is worded as a whole reads as danger or despair.',
  answer: 'The student answered a question in the chat; only the two together say this.',
  repetition: 'Warning words of this kind came up earlier in the session, too; said again, they count for more.',
  another: 'The student seems to speak of someone else who may be in danger.',
  jest: 'Explicit words that may be a joke or an exaggeration; a person should make sure.',
  possibility: 'Explicit words, said only as a possibility; a person should make sure.',
  past: 'Explicit words about the past; a person should ask how it is now.',
  quoted: 'Explicit words that seem to be quoted, from a song, a story or someone else.',
  denied: 'Explicit words that the student seems to deny.',
  signals: 'No single sign decided; all signals together did.',
  concern: 'Worrying words that raise no alert by themselves.',
  mood: 'The student’s mood fell quickly within a few messages.',
  uncovered: 'The message is in a language that detection does not cover; a person should read it.',
  missing: 'Detection could not read this message completely; a person should.',
  adapter: 'One of the school’s added detectors raised it.',
  nothing: 'No sign of danger was seen.',
}

/** What decided, as far as it is known; null = nothing is said of it. */
export const decidedText = (by: DecidedBy | null, on: DecidedOn | null | undefined): string | null =>
  on ? decidedOnSentences[on] : by ? decidedByWords[by] : null
