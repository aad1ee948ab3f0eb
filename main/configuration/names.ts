/** Variables that are set and that neither program reads: a misspelled name must not pass for a setting. */
import { laterNames, variableNames, type Environment } from './environment.ts'

export interface UnreadVariable {
  name: string
  /** `later`: a version to come reads it. `unknown`: no version does. */
  kind: 'unknown' | 'later'
  /** The known name most like an unknown one; null where none is close. */
  nearest: string | null
}

/** How much of a name may differ for two names to be close. */
const closeEnough = 1 / 3

/** Every `PSYFLO_` variable that is set and not read, by name. */
export function unreadVariables(env: Environment): UnreadVariable[] {
  const known: readonly string[] = variableNames
  return Object.keys(env)
    .filter((name) => name.startsWith('PSYFLO_') && (env[name] ?? '') !== '' && !known.includes(name))
    .sort()
    .map((name) =>
      laterNames.some((later) => isOf(name, later))
        ? { name, kind: 'later', nearest: null }
        : { name, kind: 'unknown', nearest: nearestTo(name) },
    )
}

/** What a person reads about one. */
export function sentenceAbout({ name, kind, nearest }: UnreadVariable): string {
  if (kind === 'later') return `${name} is known, but not used by this version.`
  return nearest === null ? `${name} is not known.` : `${name} is not known; did you mean ${nearest}?`
}

function isOf(name: string, later: string): boolean {
  return later.endsWith('*') ? name.startsWith(later.slice(0, -1)) : name === later
}

function nearestTo(name: string): string | null {
  const rest = (whole: string) => whole.replace(/^PSYFLO_/, '')
  const candidates = [...variableNames, ...laterNames].filter((known) => known.startsWith('PSYFLO_') && !known.endsWith('*')) // prettier-ignore
  const [best] = candidates
    .map((known) => {
      const [one, other] = [rest(known), rest(name)]
      return { known, apart: distance(one, other) / Math.max(one.length, other.length) }
    })
    .sort((a, b) => a.apart - b.apart)
  return best !== undefined && best.apart <= closeEnough ? best.known : null
}

/** Letters to add, drop or change to make one of the other (Levenshtein 1966). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (const [column, theirs] of [...other].entries())
      next.push(Math.min((row[column] ?? 0) + (letter === theirs ? 0 : 1), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1)) // prettier-ignore
    row = next
  }
  return row.at(-1) ?? 0
}
