/** Undo: one quiet line at the foot of the window after every action that can be taken back. */
import { useEffect, useRef } from 'react'
import { undoLasts } from '../../shared/thresholds.ts'
import { Button, ErrorNotice, useAction, useKeys, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce } from './announcer.tsx'
import { beginOffer, endOffer, useOffer, type Offer, type Undoable } from './undo.ts'

const text = words.case.undo

/** Says what was done, and offers for a while to take it back. */
export function offerUndo(made: Undoable): void {
  beginOffer(made, undoLasts)
  announce(text.offered(made.said, undoLasts / 1000))
}

export function UndoBar() {
  const offer = useOffer()
  const taken = useAction(
    ({ undo }: Offer) => undo(),
    (_, { said }) => {
      endOffer()
      announce(text.undone(said))
    },
  )
  const { reset } = taken
  useEffect(() => {
    if (offer) reset()
  }, [offer, reset])
  const run = () => {
    if (offer && !taken.busy) void taken.run(offer)
  }
  useKeys({ undo: (event) => (offer ? (event?.repeat || run(), true) : false) })
  if (taken.error) return <ErrorNotice inset error={taken.error} />
  return offer && <Line key={offer.until} offer={offer} busy={taken.busy} onUndo={run} />
}

function Line({ offer, busy, onUndo }: { offer: Offer; busy: boolean; onUndo: () => void }) {
  const line = useRef<HTMLElement>(null)
  const left = useTicking(() => String(Math.max(0, Math.ceil((offer.until - Date.now()) / 1000))))
  useEffect(() => {
    const own = line.current
    return () => {
      // Its button goes with it: whoever stood on it stays on the screen.
      if (own?.contains(document.activeElement)) document.getElementById('screen')?.focus()
    }
  }, [])
  return (
    <aside ref={line} aria-label={text.label} className="flex items-center gap-3 border-t bg-raised px-3 py-1">
      <p className="min-w-0 flex-1 truncate">{offer.said}</p>
      {/* Not a live region: it is read where somebody asks for it, and never counts aloud. */}
      <p id="undo-left" className="text-small whitespace-nowrap text-ink-faint">
        {text.left(Number(left))}
      </p>
      <Button shortcut="undo" aria-describedby="undo-left" busy={busy} onClick={onUndo}>
        {text.action}
      </Button>
    </aside>
  )
}
