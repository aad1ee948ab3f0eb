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
import type { PostgresMigration } from './migrate.ts'

/** Every step of the schema on PostgreSQL, in order. */
export const migrations: readonly PostgresMigration[] = [
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
export { migratePostgres } from './migrate.ts'
