/** What could not be handed on is tried again after this time (milliseconds). */
const again = 2000

/**
 * Hands each draft on at once: a page that is loaded anew in the next moment has lost no letter. What could
 * not be handed on, because the program is away, is tried until it is there again; only the newest is.
 */
export function createKeeper(
  send: (name: string, draft: string | null) => Promise<unknown>,
): (name: string, draft: unknown) => void {
  const newest = new Map<string, object>()
  const handOn = (name: string, draft: string | null, mark: object): void => {
    if (newest.get(name) !== mark) return
    send(name, draft).catch(() => setTimeout(handOn, again, name, draft, mark))
  }
  return (name, draft) => {
    const mark = {}
    newest.set(name, mark)
    handOn(name, draft === undefined ? null : JSON.stringify(draft), mark)
  }
}
