import { accountsRouter } from './accounts.ts'
import { alertSessionRouter } from './alert-session.ts'
import { alertsRouter } from './alerts.ts'
import { chatKeysRouter } from './chat-keys.ts'
import { deskRouter } from './desk.ts'
import { detectionRouter } from './detection.ts'
import { setUpRouter } from './setup.ts'
import { signInRouter } from './sign-in.ts'
import { startupRouter } from './startup.ts'
import { draftsRouter } from './drafts.ts'
import { findRouter } from './find.ts'
import { helpRouter } from './help.ts'
import { incidentRouter } from './incident.ts'
import { lateStartRouter } from './late-start.ts'
import { meRouter } from './me.ts'
import { onCallRouter } from './on-call.ts'
import { overviewRouter } from './overview.ts'
import { policyRouter } from './policy.ts'
import { quarantineRouter } from './quarantine.ts'
import { rosterRouter } from './roster.ts'
import { timetableRouter } from './timetable.ts'
import { schoolRouter } from './school.ts'
import { sessionsRouter } from './sessions.ts'
import { settingsRouter } from './settings.ts'
import { stripRouter } from './strip.ts'
import { studentRecordsRouter } from './student-records.ts'
import { studentsRouter } from './students.ts'
import { router } from './trpc.ts'
import { viewingRouter } from './viewing.ts'
import { unheldRouter } from './unheld.ts'

/** Every call a screen can make, one router per screen area. */
export const appRouter = router({
  startup: startupRouter,
  setUp: setUpRouter,
  signIn: signInRouter,
  me: meRouter,
  accounts: accountsRouter,
  chatKeys: chatKeysRouter,
  desk: deskRouter,
  school: schoolRouter,
  strip: stripRouter,
  alerts: alertsRouter,
  alertSession: alertSessionRouter,
  find: findRouter,
  drafts: draftsRouter,
  unheld: unheldRouter,
  viewing: viewingRouter,
  lateStart: lateStartRouter,
  incident: incidentRouter,
  quarantine: quarantineRouter,
  students: studentsRouter,
  studentRecords: studentRecordsRouter,
  sessions: sessionsRouter,
  overview: overviewRouter,
  settings: settingsRouter,
  policy: policyRouter,
  onCall: onCallRouter,
  roster: rosterRouter,
  timetable: timetableRouter,
  detection: detectionRouter,
  help: helpRouter,
})
export type AppRouter = typeof appRouter
export type { Context, OwnStation, Parts, SetUp } from './context.ts'
