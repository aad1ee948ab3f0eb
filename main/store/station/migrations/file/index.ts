import type { Migration } from '../../../migrate.ts'
import { migration as station } from './001-station.ts'
import { migration as policies } from './002-policies.ts'
import { migration as toldMessages } from './003-told-messages.ts'
import { migration as saltReads } from './004-salt-reads.ts'
import { migration as sessionCounts } from './005-session-counts.ts'
import { migration as escalation } from './006-escalation.ts'
import { migration as drills } from './007-drills.ts'
import { migration as answers } from './008-answers.ts'
import { migration as consolesClosed } from './009-consoles-closed.ts'
import { migration as clocks } from './010-clocks.ts'
import { migration as drillTimers } from './011-drill-timers.ts'

/** Every step of the schema on the encrypted file, in order. */
export const migrations: readonly Migration[] = [
  station,
  policies,
  toldMessages,
  saltReads,
  sessionCounts,
  escalation,
  drills,
  answers,
  consolesClosed,
  clocks,
  drillTimers,
]
