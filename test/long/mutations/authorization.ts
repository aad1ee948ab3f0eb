/** Mistakes in who may see and do what: roles, caseloads, schools, windows. */
import type { Mutation } from '../../support/mutated-copy.ts'

const people = 'shared/permissions.ts'
const trpc = 'main/console/router/trpc.ts'
const alerts = 'main/console/router/alerts.ts'
const detail = 'main/console/router/alert-detail.ts'
const alertSession = 'main/console/router/alert-session.ts'
const sessions = 'main/console/router/sessions.ts'
const me = 'main/console/router/me.ts'
const inboxChange = 'main/console/router/inbox-change.ts'
const roster = 'main/store/console/roster.ts'
const stored = 'main/store/console/people.ts'
const audit = 'main/store/console/audit.ts'
const labels = 'main/store/console/queries/labels.ts'
const alertQueries = 'main/store/console/queries/alerts.ts'
const sessionQueries = 'main/store/console/queries/sessions.ts'
const studentQueries = 'main/store/console/queries/students.ts'
const accounts = 'main/console/identity/accounts.ts'
const windows = 'main/console/identity/windows.ts'
const slowDown = 'main/console/identity/slow-down.ts'
const signingIn = ['test/main/console/identity/accounts.test.ts']
const access = ['test/main/console/router/access.test.ts']
const twoSchools = ['test/main/console/router/two-schools.test.ts']
const cases = ['test/main/console/router/cases.test.ts']
const pushes = ['test/main/console/router/inbox-change.test.ts']
const evidence = ['test/main/store/console/queries/evidence.test.ts']
const unknownSchool = ['test/main/store/console/queries/unknown-school.test.ts']
const saidNext = ['test/main/console/router/alert-session.test.ts']
const roles = ['test/shared/permissions.test.ts']

const caseload = 'SELECT 1 FROM roster WHERE school_id = @school_id AND student_hash = @student_hash'

export const mutations: Mutation[] = [
  {
    says: 'an alert that somebody has taken by now is announced',
    file: inboxChange,
    find: `state === 'open' || (mine.has(key) && state === 'acknowledged')`,
    replace: `state !== 'resolved' || mine.has(key)`,
    tests: pushes,
  },
  {
    says: 'an admin may see evidence',
    file: people,
    find: `'evidence.reveal': ['COUNSELOR', 'CLINICIAN']`,
    replace: `'evidence.reveal': ['COUNSELOR', 'CLINICIAN', 'ADMIN']`,
    tests: roles,
  },
  {
    says: 'an admin may read transcripts',
    file: people,
    find: `'transcript.read': ['COUNSELOR', 'CLINICIAN']`,
    replace: `'transcript.read': ['COUNSELOR', 'CLINICIAN', 'ADMIN']`,
    tests: roles,
  },
  {
    says: 'an admin may see the students one by one',
    file: people,
    find: `'students.see': ['COUNSELOR', 'CLINICIAN']`,
    replace: `'students.see': ['COUNSELOR', 'CLINICIAN', 'ADMIN']`,
    tests: roles,
  },
  {
    says: 'an admin may do nothing about an alert',
    file: people,
    find: `'alerts.act': ['COUNSELOR', 'CLINICIAN', 'ADMIN']`,
    replace: `'alerts.act': ['COUNSELOR', 'CLINICIAN']`,
    tests: roles,
  },
  {
    says: 'a counselor may change the roster',
    file: people,
    find: `'roster.manage': ['ADMIN']`,
    replace: `'roster.manage': ['ADMIN', 'COUNSELOR']`,
    tests: roles,
  },
  {
    says: 'every role may everything',
    file: people,
    find: 'return (permissions[permission] as readonly Role[]).includes(role)',
    replace: 'return permissions[permission].length > 0 || role === "ADMIN"',
    tests: roles,
  },
  {
    says: 'no call looks at the role',
    file: trpc,
    find: `if (!may(caller.person.role, permission)) throw new TRPCError({ code: 'FORBIDDEN', cause: forbidden() })`,
    replace: '',
    tests: access,
  },
  {
    says: 'a refusal carries the program’s inside',
    file: trpc,
    find: 'stack: undefined, personal',
    replace: 'stack: String(error.stack), personal',
    tests: access,
  },
  {
    says: 'a counselor sees the evidence of resolved alerts of any caseload',
    file: detail,
    find: `return alert.state !== 'resolved' || isOnCaseload(parts.db, student, person.id)`,
    replace: 'return student.student_hash.length > 0',
    tests: access,
  },
  {
    says: 'a counselor sees evidence of the own caseload only while the alert is open',
    file: detail,
    find: `return alert.state !== 'resolved' || isOnCaseload(parts.db, student, person.id)`,
    replace: `return alert.state !== 'resolved' || student.student_hash === ''`,
    tests: access,
  },
  {
    says: 'evidence is shown while nobody can say whose student it is',
    file: detail,
    find: `if (person.school_id === '') return false`,
    replace: '',
    tests: ['test/integration/school.test.ts'],
  },
  {
    says: 'transcripts are shown while nobody can say whose student it is',
    file: sessions,
    find: `if (person.school_id === '') return false`,
    replace: '',
    tests: ['test/integration/school.test.ts'],
  },
  {
    says: 'evidence is opened whoever asks',
    file: alerts,
    find: 'if (!mayReveal(ctx, alert)) {',
    replace: 'if (!ctx.person.id) {',
    tests: access,
  },
  {
    says: 'transcripts are opened whoever asks',
    file: sessions,
    find: 'if (!mayRead(ctx, session)) {',
    replace: 'if (!ctx.person.id) {',
    tests: access,
  },
  {
    says: 'a reveal leaves no entry in the audit',
    file: alerts,
    find: `      appendAudit(db, {
        at: clock.now(),
        who: ctx.person.id,
        role: ctx.person.role,
        what: 'evidence.reveal',
        subject: \`alert \${alert.key}\`,
        why: input.reason,
        console_id: consoleId,
      })`,
    replace: '      void [clock, consoleId]',
    tests: access,
  },
  {
    says: 'somebody else’s reading of a transcript stands for one’s own',
    file: audit,
    find: 'WHERE who = ? AND what',
    replace: `WHERE ? <> '' AND what`,
    tests: access,
  },
  {
    says: 'a reading begun on a later page stands nowhere',
    file: sessions,
    find: 'if (input.offset === 0 || !goesOnReading(ctx, session)) {',
    replace: 'if (input.offset === 0) {',
    tests: access,
  },
  {
    says: 'a resolved alert still opens its student’s transcripts',
    file: alertQueries,
    find: 'SELECT 1 FROM alerts WHERE school_id = ? AND student_hash = ? AND ${unresolved}',
    replace: 'SELECT 1 FROM alerts WHERE school_id = ? AND student_hash = ?',
    tests: access,
  },
  {
    says: 'whatever stands in any roster is everybody’s caseload',
    file: roster,
    find: `'${caseload} AND counselor_id = @personId'`,
    replace: `"${caseload} AND @personId <> ''"`,
    tests: ['test/main/console/identity/roster.test.ts', ...access],
  },
  {
    says: 'a caseload reaches into another school',
    file: roster,
    find: `'${caseload} AND counselor_id = @personId'`,
    replace: `"SELECT 1 FROM roster WHERE @school_id <> '' AND student_hash = @student_hash AND counselor_id = @personId"`,
    tests: ['test/main/console/identity/roster.test.ts', ...access],
  },
  {
    says: 'an alert of another school is acted upon',
    file: alerts,
    find: 'if (!alert || !alertRow(parts.db, person.school_id, alert.key)) throw',
    replace: 'if (!alert || !alertRow(parts.db, alert.school_id ?? person.school_id, alert.key)) throw',
    tests: access,
  },
  {
    says: 'an alert is handed to somebody of another school',
    file: 'main/console/router/colleague.ts',
    find: `if (found?.school_id !== caller.person.school_id) throw notFound('person')`,
    replace: `if (!found) throw notFound('person')`,
    tests: access,
  },
  {
    says: 'a plan may be overdue from the start',
    file: alerts,
    find: 'doing.due_at <= now ||',
    replace: 'doing.due_at <= 0 ||',
    tests: access,
  },
  {
    says: 'whoever does not hold an alert is let hand it off',
    file: alerts,
    find: `.owner?.id !== ctx.person.id)\n        throw refused('You can hand off`,
    replace: `.owner?.id === undefined)\n        throw refused('You can hand off`,
    tests: access,
  },
  {
    says: 'whoever it was not handed to accepts it',
    file: alerts,
    find: `.hand_off?.to !== ctx.person.id)
        throw refused('This alert was not handed to you, or no longer is.', 'Check who holds it now.')
      return done(ctx, alertKey, { action: 'hand_off_accepted'`,
    replace: `.hand_off?.to === undefined)
        throw refused('This alert was not handed to you, or no longer is.', 'Check who holds it now.')
      return done(ctx, alertKey, { action: 'hand_off_accepted'`,
    tests: access,
  },
  {
    says: 'a crisis is resolved by an attempt',
    file: alerts,
    find: `if (input.disposition === 'could not reach') throw noOutcome()`,
    replace: '',
    tests: cases,
  },
  {
    says: 'an alert is resolved without the steps that the school requires, and without a reason',
    file: alerts,
    find: 'if (missing.length > 0 && input.reason === undefined) throw stepsLeft(missing)',
    replace: '',
    tests: cases,
  },
  {
    says: 'a step that nobody did counts as done',
    file: detail,
    find: `alert.history.flatMap(({ action, applied }) => (applied && action`,
    replace: `alert.history.flatMap(({ action }) => (action`,
    tests: cases,
  },
  {
    says: 'what one did is undone for ever',
    file: 'main/console/alerts/lifecycle.ts',
    find: ' && now - done.action.at <= undoAcceptedFor',
    replace: '',
    tests: ['test/main/console/alerts/lifecycle.test.ts'],
  },
  {
    says: 'whoever it concerns hears of no hand-off',
    file: inboxChange,
    find: 'to === caller.person.id ? [key] : []',
    replace: '[]',
    tests: cases,
  },
  {
    says: 'a counselor reads any student’s safety plan',
    file: 'main/console/router/student-records.ts',
    find: '  if (!theirs || person',
    replace: '  if (person',
    tests: cases,
  },
  {
    says: 'a follow-up that is ended is ended again',
    file: 'main/console/router/student-records.ts',
    find: `const found = followUpsOf(ctx, student).find((open) => open.id === id)`,
    replace: 'const found = followUpsOf(ctx, student).find((open) => open.id === id) ?? known(ctx, student, id)',
    tests: cases,
  },
  {
    says: 'outside of the demonstration one may be somebody else',
    file: me,
    find: 'if (!ctx.parts.configuration.demo) {',
    replace: 'if (!ctx.parts.configuration) {',
    tests: access,
  },
  {
    says: 'in the demonstration one may be somebody of another school',
    file: me,
    find: `if (person?.school_id !== ctx.person.school_id) throw notFound('person')`,
    replace: `if (!person) throw notFound('person')`,
    tests: access,
  },
  {
    says: 'every list and figure is of all schools',
    file: labels,
    find: "school === '' ? 'TRUE' : `${table}.school_id IN (@school, '')`",
    replace: "school === '' ? 'TRUE' : `(TRUE OR ${table}.school_id IN (@school, ''))`",
    tests: twoSchools,
  },
  {
    says: 'rows of unknown school are nobody’s',
    file: labels,
    find: "`${table}.school_id IN (@school, '')`",
    replace: '`${table}.school_id = @school`',
    tests: unknownSchool,
  },
  {
    says: 'another school’s roster names a student',
    file: labels,
    find: ` AND roster.school_id = nullif(@school, '')\``,
    replace: ` AND (TRUE OR roster.school_id = @school)\``,
    tests: twoSchools,
  },
  {
    says: 'another school’s roster tells a guardian’s number',
    file: roster,
    find: `WHERE student_hash = @student_hash AND school_id = nullif(@school, '')\``,
    replace: `WHERE student_hash = @student_hash AND @school <> '' ORDER BY school_id DESC\``,
    tests: twoSchools,
  },
  {
    says: 'what a student writes next is told to whoever has revealed nothing',
    file: alertSession,
    find: 'if (![key, ...aliases].some(',
    replace: 'if (since < 0 && ![key, ...aliases].some(',
    tests: saidNext,
  },
  {
    says: 'what a student writes next goes on being told to whoever lost the right to it',
    file: alertSession,
    find: ' || !mayReveal(caller, alert))',
    replace: ')',
    tests: saidNext,
  },
  {
    says: 'what another student wrote in a session of the same number is told with the evidence',
    file: 'main/store/console/queries/said-around.ts',
    find: ' AND messages.student_hash = @student_hash',
    replace: ` AND @student_hash <> ''`,
    tests: saidNext,
  },
  {
    says: 'an alert is found by its key whatever its school',
    file: alertQueries,
    find: `WHERE alerts.key = @key AND \${ofSchool('alerts', school)}\``,
    replace: 'WHERE alerts.key = @key`',
    tests: pushes,
  },
  {
    says: 'earlier alerts of another school’s student of the same number are shown',
    file: alertQueries,
    find: 'WHERE alerts.school_id = @of AND alerts.student_hash',
    replace: `WHERE @of <> 'x' AND alerts.student_hash`,
    tests: unknownSchool,
  },
  {
    says: 'evidence is looked up by the number of the message alone',
    file: alertQueries,
    find: 'messages.school_id = @school_id AND messages.session_id = @session_id AND messages.message_id',
    replace: `@school_id <> 'x' AND @session_id <> 'x' AND messages.message_id`,
    tests: evidence,
  },
  {
    says: 'evidence of another school’s session of the same name is shown',
    file: alertQueries,
    find: 'messages.school_id = @school_id AND messages.session_id = @session_id AND messages.message_id',
    replace: `@school_id <> 'x' AND messages.session_id = @session_id AND messages.message_id`,
    tests: evidence,
  },
  {
    says: 'evidence of another student in the same session is shown',
    file: alertQueries,
    find: 'AND messages.student_hash = @student_hash',
    replace: `AND @student_hash <> 'x'`,
    tests: evidence,
  },
  {
    says: 'a transcript is made of two schools’ sessions of one name',
    file: sessionQueries,
    find: 'WHERE messages.school_id = @school_id AND messages.session_id = @session_id\n       ORDER BY sequence, message_id',
    replace: `WHERE @school_id <> 'x' AND messages.session_id = @session_id\n       ORDER BY sequence, message_id`,
    tests: evidence,
  },
  {
    says: 'a trajectory is drawn of two schools’ students of one number',
    file: studentQueries,
    find: 'WHERE school_id = ? AND student_hash = ? AND at BETWEEN ? AND ? ORDER BY at, session_id, id',
    replace: `WHERE ? <> 'x' AND student_hash = ? AND at BETWEEN ? AND ? ORDER BY at, session_id, id`,
    tests: [...evidence, ...twoSchools],
  },
  {
    says: 'estimates take another school’s markers along',
    file: studentQueries,
    find: 'FROM markers WHERE school_id = ? AND student_hash',
    replace: `FROM markers WHERE ? IS NOT NULL AND student_hash`,
    tests: unknownSchool,
  },
  {
    says: 'a console without a school takes one of two schools’ students of one number',
    file: studentQueries,
    find: `school === '' && found.length > 1 ? undefined : found[0]`,
    replace: 'found[0]',
    tests: unknownSchool,
  },
  {
    says: 'a console without a school takes one of two schools’ sessions of one name',
    file: sessionQueries,
    find: `if (!row || (school === '' && found.length > 1)) return null`,
    replace: 'if (!row) return null',
    tests: unknownSchool,
  },
  {
    says: 'people of every school are colleagues',
    file: stored,
    find: `FROM people WHERE school_id = ?
`,
    replace: `FROM people WHERE ? IS NOT NULL
`,
    tests: access,
  },
  {
    says: 'alerts that became one stay two on the screen',
    file: inboxChange,
    find: 'sawIt(of) && !visible.has(key) ? [key] : []',
    replace: 'sawIt(of) && visible.size === 0 ? [key] : []',
    tests: pushes,
  },
  {
    says: 'a flood is pushed row by row',
    file: inboxChange,
    find: 'changed.everything || changed.keys.size > mostRows',
    replace: 'changed.everything',
    tests: pushes,
  },
  {
    says: 'what nobody has seen is not announced to a window that opens',
    file: inboxChange,
    find: 'announce: new Set(unseen), told',
    replace: 'announce: new Set(), told',
    tests: pushes,
  },
  {
    says: 'whoever has no account any more signs in all the same',
    file: accounts,
    find: 'if (right && person && isStillGood({ person, kept })) {',
    replace: 'if (right && person) {',
    tests: signingIn,
  },
  {
    says: 'a one-time password signs in',
    file: accounts,
    find: 'if (accountOf(db, proof.person.id)?.must_change !== true) return',
    replace: 'if (proof.person.id !== windowId) return',
    tests: signingIn,
  },
  {
    says: 'a password that was reset is overwritten by one that was chosen before',
    file: accounts,
    find: 'if (!isStillGood(proof)) throw passwordReset()',
    replace: '',
    tests: signingIn,
  },
  {
    says: 'the last admin can leave',
    file: accounts,
    find: ' && !hasAnotherAdmin(db, person.id)',
    replace: " && person.role !== 'ADMIN'",
    tests: signingIn,
  },
  {
    says: 'an admin who has never signed in counts as one who is left',
    file: 'main/store/console/accounts.ts',
    find: ' AND must_change = 0 AND',
    replace: ' AND',
    tests: signingIn,
  },
  {
    says: 'whose account has ended stays signed in',
    file: accounts,
    find: 'windows.leaveEverywhere(personId)\n',
    replace: '\n',
    tests: signingIn,
  },
  {
    says: 'an admin of one school reaches into another',
    file: accounts,
    find: 'if (!account || person?.school_id !== by.school_id) throw noAccount()',
    replace: 'if (!account || !person) throw noAccount()',
    tests: signingIn,
  },
  {
    says: 'wrong passwords are read as fast as they come',
    file: slowDown,
    find: 'if (wait > 0) return wait',
    replace: '',
    tests: signingIn,
  },
  {
    says: 'a window stays signed in for ever',
    file: windows,
    find: 'if (!timed) return void seats.set(',
    replace: 'if (!timed || timed) return void seats.set(',
    tests: signingIn,
  },
  {
    says: 'people whose account has ended are given students and alerts',
    file: stored,
    find: 'person_id = people.id AND ended_at IS NOT NULL',
    replace: 'person_id = people.id AND ended_at < 0',
    tests: signingIn,
  },
]
