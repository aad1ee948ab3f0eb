import { createContext } from 'react'

/** Whether a station calls others when nobody takes an alert. Nothing on screen promises it where none does. */
export const EscalatesContext = createContext(false)
