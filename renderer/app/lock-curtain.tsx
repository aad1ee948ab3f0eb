import { words } from '../words/index.ts'
import { Button } from '../controls/index.ts'

/** Hides everything about students; the count and the sound stay. */
export function LockCurtain({ unacknowledged, onOpen }: { unacknowledged: number; onOpen: () => void }) {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center" onClick={onOpen}>
      <h1 className="text-large">{words.lock.title}</h1>
      {unacknowledged > 0 && <p className="text-medium font-semibold">{words.lock.waiting(unacknowledged)}</p>}
      <p className="text-ink-soft">{words.lock.text}</p>
      <Button look="primary" autoFocus onClick={onOpen} className="mt-2">
        {words.lock.open}
      </Button>
    </main>
  )
}
