/** Undo: one quiet line at the foot of the window after every action that can be taken back. */
import { useEffect, useId, useRef } from 'react'
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

/** At the foot of the window; an open dialog covers that, and has its own (`UndoInDialog`). */
export function UndoBar() {
  const { offer, busy, run, error } = useUndo()
  useKeys({ undo: (event) => (offer ? (event?.repeat || run(), true) : false) })
  // What one person did is not offered to the next who sits here.
  useEffect(() => endOffer, [])
  if (error) return <ErrorNotice inset error={error} />
  return (
    offer && (
      <aside aria-label={text.label} className="border-t bg-raised px-3 py-1">
        <Line key={offer.until} offer={offer} busy={busy} shortcut="undo" onUndo={run} />
      </aside>
    )
  )
}

/** The same inside a dialog in which something is done while it stays open; keys alone rest there. */
export function UndoInDialog() {
  const { offer, busy, run, error } = useUndo()
  if (error) return <ErrorNotice error={error} />
  return offer && <Line key={offer.until} offer={offer} busy={busy} onUndo={run} />
}

function useUndo() {
  const offer = useOffer()
  const taken = useAction(
    ({ undo }: Offer) => undo(),
    (_, { said }) => {
      endOffer()
      announce(text.undone(said))
    },
  )
  const { reset, busy, error } = taken
  useEffect(() => {
    if (offer) reset()
  }, [offer, reset])
  const run = () => {
    if (offer && !busy) void taken.run(offer)
  }
  return { offer, busy, run, error }
}

function Line(props: { offer: Offer; busy: boolean; shortcut?: 'undo'; onUndo: () => void }) {
  const { offer } = props
  const line = useRef<HTMLDivElement>(null)
  const id = useId()
  const left = useTicking(() => String(Math.max(0, Math.ceil(Math.min(offer.until - Date.now(), undoLasts) / 1000))))
  useEffect(() => {
    const own = line.current
    return () => {
      // Its button goes with it: whoever stood on it stays in the dialog, or on the screen.
      if (!own?.contains(document.activeElement)) return
      const stays = own.closest('dialog')?.querySelector<HTMLElement>('[data-first]')
      ;(stays ?? document.getElementById('screen'))?.focus()
    }
  }, [])
  return (
    <div ref={line} data-undo className="flex items-center gap-3">
      <p className="min-w-0 truncate">{offer.said}</p>
      {/* Beside what it takes back, on a wide window too. */}
      <Button shortcut={props.shortcut} aria-describedby={id} busy={props.busy} onClick={props.onUndo}>
        {text.action}
      </Button>
      {/* Not a live region: it is read where somebody asks for it, and never counts aloud. */}
      <p id={id} className="text-small whitespace-nowrap text-ink-faint">
        {text.left(Number(left))}
      </p>
    </div>
  )
}
