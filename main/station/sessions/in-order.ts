/** Runs work of the same key one after the other, in the order it was asked for; other keys go on. */
export function inOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key)
    const running = before ? before.then(work, work) : work()
    last.set(key, running)
    const forget = () => void (last.get(key) === running && last.delete(key))
    running.then(forget, forget)
    return running
  }
}
