/**
 * Hands each draft on at once; while one is on its way the newest waits, and those between are nobody's.
 * What cannot be handed on is tried again with the next letter.
 */
export function createKeeper(
  send: (name: string, draft: string | null) => Promise<unknown>,
): (name: string, draft: unknown) => void {
  const waiting = new Map<string, string | null>()
  const sending = new Set<string>()
  const next = async (name: string): Promise<void> => {
    const draft = waiting.get(name)
    if (draft === undefined || sending.has(name)) return
    waiting.delete(name)
    sending.add(name)
    await send(name, draft).catch(() => undefined)
    sending.delete(name)
    await next(name)
  }
  return (name, draft) => {
    waiting.set(name, draft === undefined ? null : JSON.stringify(draft))
    void next(name)
  }
}
