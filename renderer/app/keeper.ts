/** What could not be handed on is tried again after this time (milliseconds). */
const again = 2000

/**
 * Hands each draft on at once; while one is on its way the newest waits, and those between are nobody's.
 * What could not be handed on, because the program is away, is tried until it is there again.
 */
export function createKeeper(
  send: (name: string, draft: string | null) => Promise<unknown>,
): (name: string, draft: unknown) => void {
  const waiting = new Map<string, string | null>()
  const sending = new Set<string>()
  const next = (name: string): void => {
    const draft = waiting.get(name)
    if (draft === undefined || sending.has(name)) return
    waiting.delete(name)
    sending.add(name)
    send(name, draft).then(
      () => {
        sending.delete(name)
        next(name)
      },
      () => {
        sending.delete(name)
        if (!waiting.has(name)) waiting.set(name, draft)
        setTimeout(next, again, name)
      },
    )
  }
  return (name, draft) => {
    waiting.set(name, draft === undefined ? null : JSON.stringify(draft))
    next(name)
  }
}
