/** Single keys that act. They rest while somebody types, while a dialog is open, and with Ctrl, Alt or ⌘ held. */
import { useEffect, useRef } from 'react'

let singleKeys = true

/** Whether keys without Ctrl or ⌘ act at all (WCAG 2.1.4: a person can turn them off). */
export function setSingleKeys(on: boolean): void {
  singleKeys = on
}

/** Whether a single key is not ours just now: it belongs to a text field, a choice, a menu or a dialog, or is turned off. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!singleKeys && !['Enter', 'Escape', 'ArrowDown', 'ArrowUp'].includes(event.key)) return true
  if (document.querySelector('dialog[open]')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      target.role === 'textbox' ||
      // A menu finds its items by their letters: an “a” there must not acknowledge.
      target.closest('[role="menu"]') !== null)
  )
}

/** Acts on single keys by their character (`a`, `/`, `Enter`). A handler that answers false lets the key pass. */
export function useKeys(handlers: Record<string, (event: KeyboardEvent) => void | boolean>): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (handler && handler(event) !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
