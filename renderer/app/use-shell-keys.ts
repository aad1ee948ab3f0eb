import { useKeys } from '../controls/index.ts'
import { goTo } from './navigation.ts'
import type { Route } from './routes.tsx'

/** Keys that act on every screen. */
export function useShellKeys(shell: {
  routes: readonly Route[]
  openKeys: () => void
  openPalette: () => void
  /** Goes to the alert that came last, else to the most urgent one; false = there is none. */
  openNewCrisis: () => boolean
  lock: () => void
}): void {
  useKeys({
    ...Object.fromEntries(shell.routes.flatMap(({ screen, key }) => (key === null ? [] : [[key, () => goTo(screen)]]))),
    keys: shell.openKeys,
    palette: shell.openPalette,
    lock: shell.lock,
    newCrisis: shell.openNewCrisis,
    search: () => {
      const search = document.querySelector<HTMLInputElement>('#screen input[type="search"]')
      search?.focus()
      search?.select()
      return search !== null
    },
  })
}
