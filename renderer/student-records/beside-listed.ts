import type { Settled } from './use-settled.ts'

/**
 * What is listed, with what was just done in its place: it stays although the list has it no longer, and what was
 * taken back stays until the list has it again, so that nothing goes from under somebody’s hands. `done`: oldest first.
 */
export function besideListed<Item>(
  settled: readonly Settled<Item>[],
  listed: readonly Item[],
  keyOf: (item: Item) => string,
): { items: Item[]; done: Settled<Item>[] } {
  const known = new Set(listed.map(keyOf))
  const shown = settled.filter(({ key, undone }) => !(undone && known.has(key)))
  const instead = new Set(shown.map(({ key }) => key))
  return {
    items: [...listed.filter((item) => !instead.has(keyOf(item))), ...shown.map(({ item }) => item)],
    done: shown.filter(({ undone }) => !undone),
  }
}
