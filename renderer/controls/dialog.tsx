import { useEffect, useId, useRef, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { words } from '../words/index.ts'

let open = 0
type Watcher = (open: boolean, vanished: boolean) => void
const listeners = new Set<Watcher>()

function openDialogs(by: 1 | -1, vanished = false): void {
  open += by
  listeners.forEach((listener) => listener(open > 0, vanished))
}

/**
 * Calls `listener` whenever a dialog opens or has closed, with whether one is open now, and whether the one that closed
 * vanished under the hands of the person; the answer ends it.
 */
export function watchDialogs(listener: Watcher): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * A modal dialog (the browser's own: focus stays inside, Escape closes, focus returns). Mount it to
 * open it. The first field with `autoFocus`, else the first control, has the focus.
 */
export function Dialog(props: {
  title: string
  /** Whom it is about, as the title says it. */
  student?: string | undefined
  onClose: () => void
  children: ReactNode
  wide?: boolean
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** Whether the last thing done in it can have closed it: a button, Enter or Escape, and no letter since. */
  const left = useRef(false)
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    const before = document.activeElement
    dialog.showModal()
    openDialogs(1)
    dialog.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      dialog.close()
      openDialogs(-1, !left.current)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onKeyDownCapture={({ key, target, ctrlKey, metaKey }) => {
        const isNewLine = target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey
        left.current = key === 'Escape' || (key === 'Enter' && !isNewLine) || (key === ' ' && !isField(target))
      }}
      onClickCapture={({ target }) => (left.current = !isField(target))}
      onSubmitCapture={() => (left.current = true)}
      onCancel={(event) => {
        left.current = true
        event.preventDefault()
        props.onClose()
      }}
      // A browser may close it without asking first (Escape twice, or before anything was pressed in it).
      onClose={() => {
        left.current = true
        props.onClose()
      }}
      className={`m-auto mt-[12vh] max-h-[80vh] rounded border bg-raised p-0 text-ink shadow-float ${props.wide ? 'w-[min(44rem,calc(100vw-2rem))]' : 'w-[min(30rem,calc(100vw-2rem))]'}`}
    >
      <header className="flex items-center justify-between gap-4 border-b px-4 py-2">
        <h2 id={id} className="text-medium">
          {props.student === undefined ? props.title : words.attention.about(props.title, props.student)}
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

function isField(target: EventTarget): boolean {
  return target instanceof Element && target.matches('input, textarea, select')
}
