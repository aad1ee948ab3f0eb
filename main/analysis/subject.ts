/** Whose clause a match stands in: the student's, another person's, the reader's, or nobody's. */
import type { MessageContext, Span } from './cues.ts'
import type { Word } from './words.ts'

export type Subject = 'self' | 'other' | 'you' | 'none'

/** Words to the left of a match in which its subject is sought. */
const reach = 16

const persons = new Set('friend sister brother mom mother dad father cousin boyfriend girlfriend roommate classmate teammate aunt uncle grandma grandpa girl boy guy kid person student woman man teen neighbor teacher daughter son wife husband character someone somebody ex partner bestie nephew niece stepmom stepdad stepbrother stepsister coach crush'.split(' ')) // prettier-ignore
const subjects = new Set(['he', 'she', 'they', 'who'])
const myOwn = new Set(['life', 'existence', 'heart', 'head', 'brain', 'mind', 'body', 'soul', 'future', 'thoughts'])
const joins = new Set('that think thinks because know knows says said say when if and but worried scared afraid how help so like or as since says since told me posted while then now where though think is'.split(' ')) // prettier-ignore
const determiners = new Set('a an the my his her our your their this that one best close good old little big older younger twin online step baby new of'.split(' ')) // prettier-ignore
const clauseWords = new Set(['but', 'because', 'although', 'though', 'yet', 'however', 'except', 'while'])

/** “there is no point”, “it is not worth it”: a clause of its own, without a person. */
const dummies = new Set(['there', 'nothing', 'everything', 'life', 'everyone', 'nobody'])

const form = (word: Word | undefined): string => word?.forms[0] ?? ''

/** The nearest subject to the left of word `at` in its clause. */
export function subjectOf({ reading: { words }, bounds }: MessageContext, at: number): Subject {
  const first = Math.max(bounds[words[at]!.sentence]!.from, at - reach)
  for (let i = at - 1; i >= first; i -= 1) {
    const word = form(words[i])
    if (word === 'i' || word === 'myself') return 'self'
    if (word === 'me' && isMade(words, i)) return 'self'
    if (myOwn.has(word) && form(words[i - 1]) === 'my') return 'self'
    if (subjects.has(word)) return 'other'
    if (word === 'you') return 'you'
    if (persons.has(word) && isSubjectNoun(words, i, first)) return 'other'
    if (clauseWords.has(word) || dummies.has(word)) return 'none'
  }
  return 'none'
}

/** “makes me”, “let me”: the one acted upon is the one who wants. */
function isMade(words: readonly Word[], at: number): boolean {
  return /^(make|makes|made|making|let|lets|help|helps|tell|tells|telling|told|want|wants|wanted|leave|leaves|left|got|has|kill|and)$/.test(form(words[at - 1])) // prettier-ignore
}

/** A person named at the head of a clause, not as what something is done to (“I miss my mom”). */
function isSubjectNoun(words: readonly Word[], at: number, first: number): boolean {
  let i = at - 1
  while (i >= first && determiners.has(form(words[i]))) i -= 1
  return i < first || words[i + 1]!.afterBreak || joins.has(form(words[i]))
}

/** Where the clause of a word begins: after a comma, “but”, “because” and the like. */
export function clauseStart(words: readonly Word[], at: number, first: number): number {
  for (let i = at; i > first; i -= 1) if (words[i]!.afterBreak || clauseWords.has(form(words[i - 1]))) return i
  return first
}

/** Whether “I” stands within a match: then it is the student who is spoken of. */
export function holdsI(words: readonly Word[], { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (form(words[i]) === 'i') return true
  return false
}

/** Whether a match names another person itself (“she wants to die”). */
export function namesOther(words: readonly Word[], { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (subjects.has(form(words[i])) || persons.has(form(words[i]))) return true
  return false
}

const things = new Set(
  'he she they him her them his their you your it its the this that these those my our we us'.split(' '),
)

/** Whether something or somebody else stands inside a match (“I hope *my phone* dies”). */
export function holdsThings(words: readonly Word[], { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (things.has(form(words[i]))) return true
  return false
}

const selfWords = new Set(['i', 'me', 'my', 'myself', 'mine'])

/** Whether a first person stands within words `from`..`to`. */
export function holdsSelf(words: readonly Word[], { from, to }: Span): boolean {
  for (let i = from; i <= to; i += 1) if (selfWords.has(form(words[i]))) return true
  return false
}

/** “wants to”, “is going to”: the verb before a match is in the third person. */
export function thirdPersonBefore(words: readonly Word[], at: number, first: number): boolean {
  for (let i = at - 1; i >= Math.max(first, at - 5); i -= 1) {
    const word = form(words[i])
    if (/^(wants|is|are|was|were|will|tried|tries|threatened|threatens|plans|planned|has|needs|said|says|wanting|talks|talked|keeps|kept|might|would)$/.test(word)) return true // prettier-ignore
    if (word === 'i' || word === 'am') return false
  }
  return false
}
