/** Keys that work on every screen. */
import { useEffect, useRef } from 'react'
import { isTyping } from '../controls/index.ts'
import { goTo } from './navigation.ts'
import type { Route } from './routes.tsx'

/** How long after `g` the second key counts (milliseconds). */
const sequence = 1500

export function useShellKeys(shell: {
  routes: readonly Pick<Route, 'screen' | 'key'>[]
  setLayer: (layer: 'keys' | 'palette') => void
  lock: () => void
  off: boolean
}): void {
  const latest = useRef(shell)
  useEffect(() => {
    latest.current = shell
  })
  useEffect(() => {
    let goSince = -Infinity
    const onKey = (event: KeyboardEvent) => {
      const { routes, setLayer, lock, off } = latest.current
      if (off || event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        const key = event.key.toLowerCase()
        const act = { k: () => setLayer('palette'), l: lock }[key]
        // Hiding comes first, whatever is open; the palette opens over no other dialog.
        if (!act || (key === 'k' && document.querySelector('dialog[open]'))) return
        event.preventDefault()
        act()
        return
      }
      if (isTyping(event)) return
      const route = routes.find(({ key }) => key === event.key)
      if (performance.now() - goSince < sequence) {
        goSince = -Infinity
        // Whatever follows `g` belongs to it: `g a` must never acknowledge.
        event.preventDefault()
        event.stopImmediatePropagation()
        if (route) goTo(route.screen)
      } else if (event.key === 'g') {
        goSince = performance.now()
        event.preventDefault()
      } else if (event.key === '?') {
        event.preventDefault()
        setLayer('keys')
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('#screen input[type="search"]')
        if (!search) return
        event.preventDefault()
        search.focus()
        search.select()
      }
    }
    // Before the screens' own keys.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
