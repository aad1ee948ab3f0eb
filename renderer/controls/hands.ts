/** Whether somebody’s hands are at work: when a key, a button of the mouse or the wheel was last used, or the pointer moved. */
import { useCallback, useSyncExternalStore } from 'react'

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

let usedAt = -Infinity
const listeners = new Set<() => void>()

function used(): void {
  usedAt = performance.now()
  listeners.forEach((listener) => listener())
}

/** True once no key and no pointer was used in this window for `after` milliseconds; the component draws again when that changes. */
export function useHandsAtRest(after: number): boolean {
  const listen = useCallback(
    (tell: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const busy = () => {
        clearTimeout(timer)
        timer = setTimeout(tell, after)
        tell()
      }
      if (listeners.size === 0)
        for (const sign of signs) window.addEventListener(sign, used, { capture: true, passive: true })
      listeners.add(busy)
      const left = usedAt + after - performance.now()
      if (left > 0) timer = setTimeout(tell, left)
      return () => {
        clearTimeout(timer)
        listeners.delete(busy)
        if (listeners.size === 0) for (const sign of signs) window.removeEventListener(sign, used, { capture: true })
      }
    },
    [after],
  )
  return useSyncExternalStore(listen, () => performance.now() - usedAt >= after)
}
