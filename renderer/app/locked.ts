import { createContext, use } from 'react'

export const LockedContext = createContext(false)

/** Whether the screen is hidden: whatever stands on it, nobody sees it. */
export function useLocked(): boolean {
  return use(LockedContext)
}
