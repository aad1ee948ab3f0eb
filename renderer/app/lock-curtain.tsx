import { Button } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { useCurtain } from './use-curtain.ts'

/** Hides everything about students, open dialogs too; the count and the sound stay. */
export function LockCurtain({ unacknowledged, onOpen }: { unacknowledged: number; onOpen: () => void }) {
  const ref = useCurtain()
  return (
    <dialog
      ref={ref}
      aria-labelledby="curtain"
      className="m-0 h-full max-h-none w-full max-w-none border-0 bg-ground p-6 text-ink"
      onClick={onOpen}
      // Escape closes dialogs; this one goes by its button only.
      onCancel={(event) => event.preventDefault()}
      onClose={onOpen}
    >
      <div className="flex h-full flex-col items-center justify-center gap-2 text-center">
        <h1 id="curtain" className="text-large">
          {words.lock.title}
        </h1>
        {unacknowledged > 0 && <p className="text-medium font-semibold">{words.lock.waiting(unacknowledged)}</p>}
        <p className="max-w-prose text-ink-soft">{words.lock.text}</p>
        <Button look="primary" onClick={onOpen} className="mt-2">
          {words.lock.open}
        </Button>
      </div>
    </dialog>
  )
}
