import { createContext } from 'react'
import type { StripView } from '../../shared/views.ts'

/** Whether a station tells others when nobody takes an alert. Nothing on screen promises it, or denies it, where that is not known. */
export const EscalatesContext = createContext<StripView['ladder']>('unknown')
