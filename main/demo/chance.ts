/** Chance that can be repeated: the same seed draws the same numbers on every machine. */
export interface Chance {
  /** Uniform in [0, 1). */
  fraction(): number
  /** Uniform whole number, both ends included. */
  between(lowest: number, highest: number): number
  pick<T>(from: readonly T[]): T
  /** The items in a drawn order. */
  shuffled<T>(items: readonly T[]): T[]
}

/** Draws from a seed (mulberry32; not for secrets). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (lowest: number, highest: number) => lowest + Math.floor(fraction() * (highest - lowest + 1))
  return {
    fraction,
    between,
    pick: <T>(from: readonly T[]) => {
      if (from.length === 0) throw new RangeError('nothing to pick from')
      return from[between(0, from.length - 1)] as T
    },
    shuffled: (items) => {
      const drawn = [...items]
      for (let last = drawn.length - 1; last > 0; last--) {
        const other = between(0, last)
        ;[drawn[last], drawn[other]] = [drawn[other] as (typeof drawn)[number], drawn[last] as (typeof drawn)[number]]
      }
      return drawn
    },
  }
}
