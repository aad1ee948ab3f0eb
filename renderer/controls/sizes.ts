/** Window widths, and column widths that are remembered. */
import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, e.g. `(min-width: 80rem)`. */
export function useMedia(query: string): boolean {
  const listen = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => window.matchMedia(query).matches)
}
