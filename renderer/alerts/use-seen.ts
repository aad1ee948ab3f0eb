import { useEffect, useRef } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'

/**
 * Records the first time a person looked at an alert: when they chose it, or at their first key or
 * pointer while the window shows it by itself. An unattended screen has seen nothing.
 */
export function useSeen(alert: AlertDetail | undefined, chosen: boolean): void {
  const told = useRef(new Set<string>())
  const key = alert && alert.first_seen_at === null ? alert.key : null
  useEffect(() => {
    if (key === null || told.current.has(key)) return
    const tell = () => {
      stop()
      if (told.current.has(key)) return
      told.current.add(key)
      trpc.alerts.seen.mutate({ key }).catch(() => told.current.delete(key))
    }
    const stop = () => {
      window.removeEventListener('pointerdown', tell)
      window.removeEventListener('keydown', tell)
    }
    if (chosen && document.visibilityState === 'visible') tell()
    else {
      window.addEventListener('pointerdown', tell)
      window.addEventListener('keydown', tell)
    }
    return stop
  }, [key, chosen])
}
