/** One automaton that finds the phrases of all files in a single walk over the words of a message. */
import { canBeEmpty, type Phrase } from './phrases.ts'
import type { Word } from './words.ts'

const longestGap = 3
/** Words skipped inside a phrase (“want to *fucking* die”), at most so many in a row. */
const fillersInARow = 3
/** Bound on alternatives followed at once from one word, against crafted input. */
const mostStates = 128

interface Node {
  id: number
  next: Map<string, Node[]>
  gaps: Node[]
  /** Number of the group that ends here, or −1. */
  ends: number
}

/** A found phrase: words `from`..`to` (inclusive) of the reading belong to group number `group`. */
export interface Hit {
  group: number
  from: number
  to: number
}

export interface Automaton {
  add(phrase: Phrase, group: number): void
  /** All phrases found, in the order of their first word. */
  find(words: readonly Word[]): Hit[]
}

/** A node with the words a gap may still take and the fillers skipped in a row. */
interface State {
  node: Node
  gap: number
  skipped: number
}

/** What may follow after some words: the determinised automaton, built as messages need it. */
interface Situation {
  states: readonly State[]
  /** Groups that end with the last word. */
  ends: readonly number[]
  /** Known steps by word; `unknown` is the step of any word no phrase goes on with. */
  steps: Map<string, Situation>
  unknown: Situation | null
  /** Words some phrase goes on with from here. */
  expected: ReadonlySet<string>
}

/** Situations kept; beyond that they are worked out anew each time, with the same result. */
const mostSituations = 30_000

/** An empty automaton; `fillers` may stand inside a phrase unnoticed, `write` gives the plain words of a phrase's word. */
export function createAutomaton(fillers: ReadonlySet<string>, write: (word: string) => readonly string[]): Automaton {
  let nodes = 0
  const node = (ends = -1): Node => ({ id: nodes++, next: new Map(), gaps: [], ends })
  const root = node()
  const kept = new Map<string, Situation>()

  const situation = (states: readonly State[], ends: readonly number[]): Situation => {
    const key = `${states.map(({ node: { id }, gap, skipped }) => `${id}.${gap}.${skipped}`).join()}|${ends.join()}`
    const known = kept.get(key)
    if (known) return known
    const expected = new Set(states.flatMap(({ node: { next } }) => [...next.keys()]))
    const made: Situation = { states, ends, steps: new Map(), unknown: null, expected }
    if (kept.size < mostSituations) kept.set(key, made)
    return made
  }

  /** The situation after a word, whichever of its forms is meant. */
  const follow = ({ states }: Situation, forms: readonly string[], inside: boolean): Situation => {
    const following: State[] = []
    const ends = new Set<number>()
    const seen = new Set<string>()
    const push = (state: State): void => {
      const key = `${state.node.id}.${state.gap}.${state.skipped}`
      if (seen.has(key) || following.length >= mostStates) return
      seen.add(key)
      following.push(state)
    }
    const filler = inside && fillers.has(forms[0]!)
    for (const { node: at, gap, skipped } of states) {
      for (const form of forms) {
        for (const next of at.next.get(form) ?? []) {
          if (next.ends >= 0) ends.add(next.ends)
          if (next.next.size > 0) push({ node: next, gap: 0, skipped: 0 })
          for (const behind of next.gaps) push({ node: behind, gap: longestGap, skipped: 0 })
        }
      }
      if (gap > 0) push({ node: at, gap: gap - 1, skipped: 0 })
      else if (filler && skipped < fillersInARow) push({ node: at, gap: 0, skipped: skipped + 1 })
    }
    return situation(following, [...ends])
  }

  const step = (from: Situation, forms: readonly string[], inside: boolean): Situation => {
    if (forms.length > 1) return follow(from, forms, inside)
    const form = forms[0]!
    const unknown = !from.expected.has(form) && !fillers.has(form)
    const known = unknown ? from.unknown : from.steps.get(form)
    if (known) return known
    const next = follow(from, forms, inside)
    // Once no more is kept, nothing may hold on to what is worked out anew.
    if (kept.size >= mostSituations) return next
    if (unknown) from.unknown = next
    else from.steps.set(form, next)
    return next
  }

  return {
    add: (phrase, group) => {
      kept.clear()
      build(phrase, [root], node(group), write, node)
    },
    find: (words) => {
      const hits: Hit[] = []
      const start = situation([{ node: root, gap: 0, skipped: 0 }], [])
      words.forEach(({ sentence }, from) => {
        let at = from
        let now = step(start, words[at]!.forms, false)
        for (;;) {
          for (const group of now.ends) hits.push({ group, from, to: at })
          at += 1
          // A full stop ends a phrase.
          if (now.states.length === 0 || words[at]?.sentence !== sentence) return
          now = step(now, words[at]!.forms, true)
        }
      })
      return hits
    },
  }
}

/** Lays a phrase from every node of `from` to `to`; true when it can also be empty. */
function build(
  phrase: Phrase,
  from: readonly Node[],
  to: Node,
  write: (word: string) => readonly string[],
  node: () => Node,
): boolean {
  switch (phrase.kind) {
    case 'word': {
      let current = from
      const words = write(phrase.word)
      words.forEach((word, index) => {
        const next = index === words.length - 1 ? to : node()
        for (const each of current) link(each, word, next)
        current = [next]
      })
      return false
    }
    case 'gap':
      for (const each of from) each.gaps.push(to)
      return true
    case 'any':
      return phrase.of.map((each) => build(each, from, to, write, node)).some(Boolean)
    case 'sequence': {
      let current = from
      phrase.items.forEach((item, index) => {
        const rest = phrase.items.slice(index + 1)
        if (rest.every(canBeEmpty)) build(item, current, to, write, node)
        if (rest.length === 0) return
        const next = node()
        // What may be left out hands its beginnings on.
        current = build(item, current, next, write, node) ? [...current, next] : [next]
      })
      return canBeEmpty(phrase)
    }
  }
}

function link(from: Node, word: string, to: Node): void {
  const targets = from.next.get(word)
  if (!targets) from.next.set(word, [to])
  else if (!targets.includes(to)) targets.push(to)
}

/** Every word a phrase can contain. */
export function wordsOf(phrase: Phrase): string[] {
  if (phrase.kind === 'word') return [phrase.word]
  if (phrase.kind === 'gap') return []
  return (phrase.kind === 'sequence' ? phrase.items : phrase.of).flatMap(wordsOf)
}
