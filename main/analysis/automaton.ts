/** One automaton that finds the phrases of all files in a single walk over the words of a message. */
import { canBeEmpty, type Phrase } from './phrases.ts'
import type { Word } from './words.ts'

const longestGap = 3
/** Words skipped inside a phrase (“want to *fucking* die”), at most so many in a row. */
const fillersInARow = 3
/** Bound on alternatives followed at once from one word, against crafted input. */
const mostStates = 128

interface Node {
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
  find(words: readonly Word[]): Hit[]
}

const node = (ends = -1): Node => ({ next: new Map(), gaps: [], ends })

/** An empty automaton; `fillers` may stand inside a phrase unnoticed, `write` gives the plain words of a phrase's word. */
export function createAutomaton(fillers: ReadonlySet<string>, write: (word: string) => readonly string[]): Automaton {
  const root = node()
  return {
    add: (phrase, group) => build(phrase, [root], node(group), write),
    find: (words) => {
      const hits: Hit[] = []
      for (let from = 0; from < words.length; from += 1) findFrom(root, words, from, fillers, hits)
      return hits
    },
  }
}

/** Lays a phrase from every node of `from` to `to`; true when it can also be empty. */
function build(phrase: Phrase, from: readonly Node[], to: Node, write: (word: string) => readonly string[]): boolean {
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
      return phrase.of.map((each) => build(each, from, to, write)).some(Boolean)
    case 'sequence': {
      let current = from
      phrase.items.forEach((item, index) => {
        const rest = phrase.items.slice(index + 1)
        if (rest.every(canBeEmpty)) build(item, current, to, write)
        if (rest.length === 0) return
        const next = node()
        // What may be left out hands its beginnings on.
        current = build(item, current, next, write) ? [...current, next] : [next]
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

interface State {
  node: Node
  /** Words a gap may still take. */
  gap: number
  /** Fillers skipped in a row. */
  skipped: number
}

/** Follows all phrases that begin at one word; every step takes one word, every set of states is bounded. */
function findFrom(root: Node, words: readonly Word[], from: number, fillers: ReadonlySet<string>, hits: Hit[]): void {
  const first = words[from]!
  let states: State[] = []
  for (const form of first.forms) for (const next of root.next.get(form) ?? []) enter(next, states, hits, from, from)
  for (let at = from + 1; at < words.length && states.length > 0; at += 1) {
    const word = words[at]!
    // A full stop ends a phrase.
    if (word.sentence !== first.sentence) return
    const following: State[] = []
    const filler = fillers.has(word.forms[0]!)
    for (const state of states) {
      for (const form of word.forms)
        for (const next of state.node.next.get(form) ?? []) enter(next, following, hits, from, at)
      if (state.gap > 0) following.push({ node: state.node, gap: state.gap - 1, skipped: 0 })
      else if (filler && state.skipped < fillersInARow)
        following.push({ node: state.node, gap: 0, skipped: state.skipped + 1 })
    }
    if (following.length > mostStates) following.length = mostStates
    states = following
  }
}

function enter(next: Node, following: State[], hits: Hit[], from: number, at: number): void {
  if (next.ends >= 0) {
    const last = hits.at(-1)
    if (!last || last.group !== next.ends || last.from !== from || last.to !== at)
      hits.push({ group: next.ends, from, to: at })
  }
  if (next.next.size > 0) following.push({ node: next, gap: 0, skipped: 0 })
  for (const gap of next.gaps) following.push({ node: gap, gap: longestGap, skipped: 0 })
}

/** Every word a phrase can contain. */
export function wordsOf(phrase: Phrase): string[] {
  if (phrase.kind === 'word') return [phrase.word]
  if (phrase.kind === 'gap') return []
  return (phrase.kind === 'sequence' ? phrase.items : phrase.of).flatMap(wordsOf)
}
