/** Window widths, and column widths that are remembered. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** Whether a media query holds, e.g. `(min-width: 80rem)`. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query])
  const listen = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [media],
  )
  return useSyncExternalStore(listen, () => media.matches)
}
