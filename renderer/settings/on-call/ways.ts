import { createContext } from 'react'
import type { Ways } from '../../../shared/escalation/index.ts'
import type { Channel } from '../../../shared/on-call.ts'

/** By what the school's station can tell anybody: what would happen, and what is missing, is computed with that. */
export const WaysContext = createContext<Ways>(null)

/** Whether somebody can be told in a way; where the station has not said which it has, nothing speaks against it. */
export const isSetUp = (way: Channel, ways: Ways): boolean => ways === null || ways.includes(way)
