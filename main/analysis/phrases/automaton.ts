/** One automaton that finds the phrases of all detection files in a single pass over the tokens of a message. */
import type { Span, Token } from '../text/index.ts'
import { isNullable, type PhrasePattern } from './notation.ts'

const longestGap = 3
/** Fillers skipped inside a phrase (“want to *fucking* die”), at most so many in a row. */
const fillersInARow = 3
/** Bound on states of the nondeterministic automaton followed at once, against crafted input. */
const mostStates = 128

interface Node {
  id: number
  next: Map<string, Node[]>
  gaps: Node[]
  /** Label of the phrase that ends here, or −1. */
  accepts: number
}

/** A phrase found in a message: its tokens, and the label it was added under. */
export interface PhraseHit extends Span {
  label: number
}

export interface PhraseAutomaton {
  add(phrase: PhrasePattern, label: number): void
  /** All phrases found, in the order of their first token. */
  find(tokens: readonly Token[]): PhraseHit[]
}

/** State of the nondeterministic automaton: a node, the tokens a gap may still take, the fillers skipped in a row. */
interface State {
  node: Node
  gap: number
  skipped: number
}

/** State of the deterministic automaton, built as messages need it (subset construction). */
interface StateSet {
  states: readonly State[]
  /** Labels of the phrases that end with the last token. */
  accepts: readonly number[]
  /** Known transitions by form; `unknown` is the transition of any form that no phrase goes on with. */
  transitions: Map<string, StateSet>
  unknown: StateSet | null
  /** Forms that some phrase goes on with from here. */
  expected: ReadonlySet<string>
}

/** State sets kept; beyond that they are worked out anew each time, with the same result. */
const mostStateSets = 30_000

/** An empty automaton; `fillers` may stand inside a phrase unnoticed, `normalize` gives the forms of a phrase's word. */
export function createAutomaton(
  fillers: ReadonlySet<string>,
  normalize: (word: string) => readonly string[],
): PhraseAutomaton {
  let nodes = 0
  const node = (accepts = -1): Node => ({ id: nodes++, next: new Map(), gaps: [], accepts })
  const root = node()
  const cache = new Map<string, StateSet>()

  const stateSet = (states: readonly State[], accepts: readonly number[]): StateSet => {
    const key = `${states.map(({ node: { id }, gap, skipped }) => `${id}.${gap}.${skipped}`).join()}|${accepts.join()}`
    const cached = cache.get(key)
    if (cached) return cached
    const expected = new Set(states.flatMap(({ node: { next } }) => [...next.keys()]))
    const made: StateSet = { states, accepts, transitions: new Map(), unknown: null, expected }
    if (cache.size < mostStateSets) cache.set(key, made)
    return made
  }

  /** The state set after a token, whichever of its forms is meant. */
  const follow = ({ states }: StateSet, forms: readonly string[], inside: boolean): StateSet => {
    const following: State[] = []
    const accepts = new Set<number>()
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
          if (next.accepts >= 0) accepts.add(next.accepts)
          if (next.next.size > 0) push({ node: next, gap: 0, skipped: 0 })
          for (const behind of next.gaps) push({ node: behind, gap: longestGap, skipped: 0 })
        }
      }
      if (gap > 0) push({ node: at, gap: gap - 1, skipped: 0 })
      else if (filler && skipped < fillersInARow) push({ node: at, gap: 0, skipped: skipped + 1 })
    }
    return stateSet(following, [...accepts])
  }

  const step = (from: StateSet, forms: readonly string[], inside: boolean): StateSet => {
    if (forms.length > 1) return follow(from, forms, inside)
    const form = forms[0]!
    const unknown = !from.expected.has(form) && !fillers.has(form)
    const cached = unknown ? from.unknown : from.transitions.get(form)
    if (cached) return cached
    const next = follow(from, forms, inside)
    // Once the cache is full, nothing may hold on to what is worked out anew.
    if (cache.size >= mostStateSets) return next
    if (unknown) from.unknown = next
    else from.transitions.set(form, next)
    return next
  }

  return {
    add: (phrase, label) => {
      cache.clear()
      build(phrase, [root], node(label), normalize, node)
    },
    find: (tokens) => {
      const hits: PhraseHit[] = []
      const start = stateSet([{ node: root, gap: 0, skipped: 0 }], [])
      tokens.forEach(({ sentence }, from) => {
        let at = from
        let current = step(start, tokens[at]!.forms, false)
        for (;;) {
          for (const label of current.accepts) hits.push({ label, from, to: at })
          at += 1
          // No phrase goes on into the next sentence.
          if (current.states.length === 0 || tokens[at]?.sentence !== sentence) return
          current = step(current, tokens[at]!.forms, true)
        }
      })
      return hits
    },
  }
}

/** Builds a pattern from every node of `from` to `to`; true when it is nullable. */
function build(
  phrase: PhrasePattern,
  from: readonly Node[],
  to: Node,
  normalize: (word: string) => readonly string[],
  node: () => Node,
): boolean {
  switch (phrase.kind) {
    case 'word': {
      let current = from
      const words = normalize(phrase.word)
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
      return phrase.of.map((each) => build(each, from, to, normalize, node)).some(Boolean)
    case 'sequence': {
      let current = from
      phrase.items.forEach((item, index) => {
        const rest = phrase.items.slice(index + 1)
        if (rest.every(isNullable)) build(item, current, to, normalize, node)
        if (rest.length === 0) return
        const next = node()
        // A nullable item may be left out: its beginnings stay beginnings.
        current = build(item, current, next, normalize, node) ? [...current, next] : [next]
      })
      return isNullable(phrase)
    }
  }
}

function link(from: Node, word: string, to: Node): void {
  const targets = from.next.get(word)
  if (!targets) from.next.set(word, [to])
  else if (!targets.includes(to)) targets.push(to)
}

/** Every word a pattern can contain. */
export function wordsOf(phrase: PhrasePattern): string[] {
  if (phrase.kind === 'word') return [phrase.word]
  if (phrase.kind === 'gap') return []
  return (phrase.kind === 'sequence' ? phrase.items : phrase.of).flatMap(wordsOf)
}
