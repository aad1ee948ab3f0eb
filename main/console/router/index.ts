import { alertsRouter } from './alerts.ts'
import { detectionRouter } from './detection.ts'
import { startupRouter } from './startup.ts'
import { helpRouter } from './help.ts'
import { meRouter } from './me.ts'
import { overviewRouter } from './overview.ts'
import { quarantineRouter } from './quarantine.ts'
import { rosterRouter } from './roster.ts'
import { schoolRouter } from './school.ts'
import { sessionsRouter } from './sessions.ts'
import { settingsRouter } from './settings.ts'
import { stripRouter } from './strip.ts'
import { studentsRouter } from './students.ts'
import { router } from './trpc.ts'

/** Every call a screen can make, one router per screen area. */
export const appRouter = router({
  startup: startupRouter,
  me: meRouter,
  school: schoolRouter,
  strip: stripRouter,
  alerts: alertsRouter,
  quarantine: quarantineRouter,
  students: studentsRouter,
  sessions: sessionsRouter,
  overview: overviewRouter,
  settings: settingsRouter,
  roster: rosterRouter,
  detection: detectionRouter,
  help: helpRouter,
})
export type AppRouter = typeof appRouter
export type { Context, Startup, Parts } from './context.ts'
