import { createContext } from 'react'
import type { Ways } from '../../../shared/escalation/index.ts'

/** By what the school's station can tell anybody: what would happen, and what is missing, is computed with that. */
export const WaysContext = createContext<Ways>(null)
