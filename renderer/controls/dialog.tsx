import { useEffect, useId, useRef, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { words } from '../words/index.ts'

/**
 * A modal dialog (the browser's own: focus stays inside, Escape closes, focus returns). Mount it to
 * open it. The first field with `autoFocus`, else the first control, has the focus.
 */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    const before = document.activeElement
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
      // A browser may close it without asking first (Escape twice, or before anything was pressed in it).
      onClose={() => props.onClose()}
      className={`m-auto mt-[12vh] max-h-[80vh] rounded border bg-raised p-0 text-ink shadow-float ${props.wide ? 'w-[min(44rem,calc(100vw-2rem))]' : 'w-[min(30rem,calc(100vw-2rem))]'}`}
    >
      <header className="flex items-center justify-between gap-4 border-b px-4 py-2">
        <h2 id={id} className="text-medium">
          {props.title}
        </h2>
        <button
          type="button"
          aria-label={words.common.close}
          onClick={props.onClose}
          className="rounded p-1 text-ink-soft hover:bg-hover"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      <div className="p-4">{props.children}</div>
    </dialog>
  )
}
