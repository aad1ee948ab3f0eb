import { useRef, type FocusEvent, type RefObject } from 'react'
import { keysActAfter } from '../../shared/thresholds.ts'
import { useKeys, type KeyName } from '../controls/index.ts'

/**
 * Moves through the rows of `region` (`[data-day-row]`) and has keys act on the one with the focus, by the name of its
 * item (`[data-day-item]`). A row that only just got the focus was not chosen yet: a key under way is not for it. A held
 * key acts once.
 */
export function useRowKeys(
  region: RefObject<HTMLElement | null>,
  actions: Partial<Record<KeyName, (item: string | null) => boolean>>,
): { onFocus: (event: FocusEvent) => void } {
  const chosen = useRef<{ item: string | null; since: number }>({ item: null, since: 0 })
  const place = useRef(-1)
  const rows = () => [...(region.current?.querySelectorAll<HTMLElement>('[data-day-row]') ?? [])]
  const move = (to: (at: number, last: number) => number) => {
    const all = rows()
    const found = all.findIndex((row) => itemOf(row) === itemOf(document.activeElement))
    // A row that is gone leaves its place: the next one is where it stood.
    const at = found === -1 ? place.current : found
    all[Math.min(Math.max(to(at, all.length - 1), 0), all.length - 1)]?.focus()
  }
  const act = (action: (item: string | null) => boolean) => (event?: KeyboardEvent) => {
    if (event?.repeat) return true
    const item = itemOf(document.activeElement)
    const isChosen = chosen.current.item === item && performance.now() - chosen.current.since >= keysActAfter
    return action(isChosen ? item : null)
  }
  useKeys({
    next: () => move((at) => Math.floor(at + 1)),
    previous: () => move((at) => Math.ceil(at - 1)),
    first: () => move(() => 0),
    last: () => move((_, last) => last),
    ...Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, act(action)])),
  })
  return {
    onFocus: ({ target }) => {
      const item = itemOf(target)
      place.current = rows().findIndex((row) => itemOf(row) === item) - 0.5
      if (item !== chosen.current.item) chosen.current = { item, since: performance.now() }
    },
  }
}

function itemOf(element: Element | null): string | null {
  return element?.closest<HTMLElement>('[data-day-item]')?.dataset['dayItem'] ?? null
}
