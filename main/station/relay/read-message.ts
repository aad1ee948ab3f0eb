/** How deep what a console says is nested at most. Its own messages have three levels; each walk of a deeper one takes stack. */
const deepest = 100

/** The JSON object of a message's body; null where it is none, is nested too deep, or holds a NUL, which no database keeps. */
export function readMessage(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isKeepable(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Level by level: the parser takes any depth, the stack does not. */
function isKeepable(value: object): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return false
    const below: unknown[] = []
    for (const each of level) {
      if (typeof each === 'string' && each.includes('\0')) return false
      if (typeof each !== 'object' || each === null) continue
      if (Array.isArray(each)) for (const inner of each) below.push(inner)
      else for (const [name, inner] of Object.entries(each)) below.push(name, inner)
    }
    level = below
  }
  return true
}
