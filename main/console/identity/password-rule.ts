/** Which passwords may be chosen: long enough, and not among those that are guessed first. */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { shortestPassword } from '../../../shared/accounts.ts'
import { ConsoleError } from '../../../shared/errors.ts'

/** “Safely unguessable” of zxcvbn’s scale 0–4: at least 10^8 guesses (Wheeler 2016). */
const leastScore = 3

let loading: Promise<ZxcvbnFactory> | null = null

/**
 * Rejects with ConsoleError `weak_password`; `about` are words that a stranger would try first, such as the
 * person's name.
 */
export async function refuseWeak(password: string, about: readonly string[]): Promise<void> {
  if ([...password.normalize('NFKC')].length < shortestPassword)
    throw weak(`The password has fewer than ${shortestPassword} characters.`)
  const strength = await (loading ??= loadStrength())
  if (strength.check(password, about.flatMap(parts)).score < leastScore)
    throw weak('This password would be easy to guess: it is made of a name, a common word, or a pattern.')
}

/** Its dictionaries take half a second: not at every start, only where a password is chosen. */
async function loadStrength(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  })
}

/** A whole name and each of its parts. */
const parts = (words: string): string[] => [words, ...words.split(/[\s.@_-]+/)].filter((word) => word.length > 1)

function weak(happened: string): ConsoleError {
  return new ConsoleError({
    code: 'weak_password',
    happened,
    safe: 'Nothing was changed.',
    todo: 'Choose a longer one; three or four unrelated words work well.',
  })
}
