/** A small seeded grammar: every way of filling a frame, a sample of them taken evenly and reproducibly. */

/** Mulberry32: a seeded generator, the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export type Lists = Record<string, readonly string[]>

/** Fills `{name}` from the lists; `count` different sentences at most. */
export function fill(frames: readonly string[], lists: Lists, count: number, seed: number): string[] {
  const random = seeded(seed)
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
  const made = new Set<string>()
  for (let attempt = 0; made.size < count && attempt < count * 60; attempt += 1) {
    const frame = frames[attempt % frames.length]!
    made.add(
      frame
        .replace(/\{(\w+)\}/g, (_, name: string) => pick(lists[name]!))
        .replace(/\s+/g, ' ')
        .trim(),
    )
  }
  return [...made]
}
