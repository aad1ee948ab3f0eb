/**
 * Keys that act, as `key-list.ts` says them. Keys alone rest while somebody types, while a dialog is open,
 * and with Alt held.
 */
import { useEffect, useRef } from 'react'
import { beginsSequence, keyList, keyNames, keyPressed, type KeyName } from './key-list.ts'

/** Does it; false lets the key pass, because it cannot be done just now. */
type KeyHandler = (event?: KeyboardEvent) => void | boolean

/** How long after the first key of a sequence the second one counts (milliseconds). */
const sequenceLasts = 1500

let singleKeys = true
/** The one that came last acts first. */
const handlers = new Map<KeyName, KeyHandler[]>()
let sequence: { press: string; since: number } | null = null

/** Whether keys that write a character act alone (WCAG 2.1.4: a person can turn them off). */
export function setSingleKeys(on: boolean): void {
  singleKeys = on
}

/** Gives keys their action while the component is mounted: `useKeys({ next: () => move(1) })`. */
export function useKeys(actions: Partial<Record<KeyName, KeyHandler>>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const names = keyNames.filter((name) => actions[name]).join(' ')
  useEffect(() => {
    const added = names
      .split(' ')
      .filter(Boolean)
      .map((name) => addHandler(name as KeyName, (event) => latest.current[name as KeyName]?.(event)))
    return () => added.forEach((remove) => remove())
  }, [names])
}

function addHandler(name: KeyName, handler: KeyHandler): () => void {
  if (handlers.size === 0) {
    // What acts everywhere comes before the screen's own keys, which come after the controls'.
    window.addEventListener('keydown', beforeTheScreen, { capture: true })
    window.addEventListener('keydown', onTheScreen)
  }
  handlers.set(name, [handler, ...(handlers.get(name) ?? [])])
  return () => {
    const left = (handlers.get(name) ?? []).filter((other) => other !== handler)
    if (left.length > 0) handlers.set(name, left)
    else handlers.delete(name)
    if (handlers.size > 0) return
    window.removeEventListener('keydown', beforeTheScreen, { capture: true })
    window.removeEventListener('keydown', onTheScreen)
  }
}

/** Whether something on screen gives this key an action. */
export function hasAction(name: KeyName): boolean {
  return handlers.has(name)
}

/** Does what the key does; false when nothing did. */
export function actOnKey(name: KeyName, event?: KeyboardEvent): boolean {
  return (handlers.get(name) ?? []).some((handler) => handler(event) !== false)
}

function beforeTheScreen(event: KeyboardEvent): void {
  if (event.altKey) return
  if (event.ctrlKey || event.metaKey) {
    const name = keyPressed(`Mod+${event.key.toLowerCase()}`)
    // Hiding comes first, whatever is open; nothing else opens over a dialog.
    if (name && (name === 'lock' || !isDialogOpen()) && actOnKey(name, event)) event.preventDefault()
    return
  }
  if (belongsElsewhere(event)) return
  const begun = sequence
  sequence = null
  if (begun && performance.now() - begun.since < sequenceLasts) {
    const name = keyPressed(`${begun.press} ${event.key}`)
    // Whatever follows belongs to it: `g a` must never acknowledge.
    event.preventDefault()
    event.stopImmediatePropagation()
    if (name) actOnKey(name, event)
    return
  }
  if (beginsSequence(event.key)) {
    sequence = { press: event.key, since: performance.now() }
    event.preventDefault()
    return
  }
  const name = keyPressed(event.key)
  if (name && keyList[name].scope === 'everywhere' && actOnKey(name, event)) event.preventDefault()
}

function onTheScreen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || belongsElsewhere(event)) return
  const name = keyPressed(event.key)
  if (name && keyList[name].scope !== 'everywhere' && actOnKey(name, event)) event.preventDefault()
}

/** Whether a key alone is not ours just now: it belongs to a text field, a choice, a menu or a dialog, or is turned off. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  const target = event.target
  if (!singleKeys && event.key.length === 1) return true
  if (isDialogOpen()) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      target.role === 'textbox' ||
      // A menu finds its items by their letters: an “a” there must not acknowledge.
      target.closest('[role="menu"]') !== null)
  )
}

/** Whether a dialog or the curtain lies over the screen. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
