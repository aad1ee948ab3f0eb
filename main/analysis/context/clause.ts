/** The grammatical subject of the clause that a match stands in: the student, another person, the reader, or nobody. */
import type { DetectionData } from '../data/index.ts'
import type { Span, Token } from '../text/index.ts'
import type { MessageContext } from './message-context.ts'

type Grammar = DetectionData['bilingualGrammar']
type Subject = 'self' | 'other' | 'you' | 'none'

/** Tokens to the left of a match in which its subject is sought. */
const subjectReach = 16

const formOf = (token: Token | undefined): string => token?.forms[0] ?? ''

/** The nearest subject to the left of token `at` in its clause. */
export function subjectBefore({ message: { tokens, sentences }, grammar }: MessageContext, at: number): Subject {
  const first = Math.max(sentences[tokens[at]!.sentence]!.from, at - subjectReach)
  for (let i = at - 1; i >= first; i -= 1) {
    const form = formOf(tokens[i])
    if (grammar.first_person_forms.has(form) || form === 'myself') return 'self'
    // “makes me”, “let me”: the one acted upon is the one who wants.
    if (form === 'me' && grammar.object_verbs.has(formOf(tokens[i - 1]))) return 'self'
    if (grammar.own_nouns.has(form) && grammar.possessives.has(formOf(tokens[i - 1]))) return 'self'
    if (grammar.third_person_subjects.has(form)) return 'other'
    if (grammar.addressees.has(form)) return 'you'
    if (grammar.person_nouns.has(form) && isSubjectNoun(tokens, i, first, grammar)) return 'other'
    if (grammar.clause_openers.has(form) || grammar.impersonal_subjects.has(form)) return 'none'
  }
  return 'none'
}

/** A person named at the head of a clause, not as the object of something (“I miss my mom”). */
function isSubjectNoun(tokens: readonly Token[], at: number, first: number, grammar: Grammar): boolean {
  let i = at - 1
  while (i >= first && grammar.determiners.has(formOf(tokens[i]))) i -= 1
  return i < first || tokens[i + 1]!.afterBreak || grammar.subject_introducers.has(formOf(tokens[i]))
}

/** Where the clause of a token begins: after a comma, “but”, “because” and the like. */
export function clauseStart({ message: { tokens }, grammar }: MessageContext, at: number, first: number): number {
  for (let i = at; i > first; i -= 1)
    if (tokens[i]!.afterBreak || grammar.clause_openers.has(formOf(tokens[i - 1]))) return i
  return first
}

/** Whether “I” stands within a match, or a verb that says it (“quiero”): then it is the student who is spoken of. */
export function hasI({ message: { tokens }, grammar }: MessageContext, { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (grammar.first_person_forms.has(formOf(tokens[i]))) return true
  return false
}

/** Whether a match names another person itself (“she wants to die”). */
export function namesThirdPerson({ message: { tokens }, grammar }: MessageContext, { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) {
    const form = formOf(tokens[i])
    if (grammar.third_person_subjects.has(form) || grammar.person_nouns.has(form)) return true
  }
  return false
}

/** Whether something or somebody else stands inside a match (“I hope *my phone* dies”). */
export function hasOtherThanFirstPerson({ message: { tokens }, grammar }: MessageContext, { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (grammar.other_than_first_person.has(formOf(tokens[i]))) return true
  return false
}

/** Whether a first person stands within a span. */
export function hasFirstPerson({ message: { tokens }, grammar }: MessageContext, { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (grammar.first_person.has(formOf(tokens[i]))) return true
  return false
}

/** “wants to”, “is going to”: the verb before a match is in the third person. */
export function hasThirdPersonVerbBefore(
  { message: { tokens }, grammar }: MessageContext,
  at: number,
  first: number,
): boolean {
  for (let i = at - 1; i >= Math.max(first, at - 5); i -= 1) {
    const form = formOf(tokens[i])
    if (grammar.third_person_verbs.has(form)) return true
    if (grammar.first_person_forms.has(form) || form === 'am') return false
  }
  return false
}
