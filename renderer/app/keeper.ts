/** What could not be handed on is tried again after this time (milliseconds). */
const again = 2000

/**
 * Hands each draft on at once: a page that is loaded anew in the next moment has lost no letter. What could
 * not be handed on, because the program is away, is tried until it is there again; only the newest is.
 */
export function createKeeper(send: (name: string, draft: string | null) => Promise<unknown>): {
  keep(name: string, draft: unknown): void
  /** Calls once everything that was handed on is kept: at once where nothing is on its way. */
  whenKept(call: () => void): void
} {
  const newest = new Map<string, object>()
  let waiting: (() => void)[] = []
  const handOn = (name: string, draft: string | null, mark: object): void => {
    if (newest.get(name) !== mark) return
    send(name, draft).then(
      () => done(name, mark),
      () => setTimeout(handOn, again, name, draft, mark),
    )
  }
  const done = (name: string, mark: object): void => {
    if (newest.get(name) === mark) newest.delete(name)
    if (newest.size > 0) return
    const kept = waiting
    waiting = []
    kept.forEach((call) => call())
  }
  return {
    keep(name, draft) {
      const mark = {}
      newest.set(name, mark)
      handOn(name, draft === undefined ? null : JSON.stringify(draft), mark)
    },
    whenKept(call) {
      if (newest.size === 0) call()
      else waiting.push(call)
    },
  }
}
