/** Words of the Alerts screen. */
import type { ReopenReason } from '../../shared/alerts.ts'
import type { ContactKind, ContactOutcome, Disposition } from '../../shared/actions.ts'
import type { AlertFilter, Delivery } from '../../shared/views.ts'
import { numberText, plural } from '../../shared/numbers.ts'
import { ladder } from './en-ladder.ts'

const filters: Record<AlertFilter, string> = { open: 'Open', mine: 'Mine', watch: 'Watch', all: 'All' }

const delivery: Record<Delivery, string> = {
  recorded: 'recorded here',
  sent: 'sent',
  confirmed: 'confirmed',
  received: 'from another console',
}

const disposition: Record<Disposition, string> = {
  'contacted student': 'Contacted student',
  'contacted guardian': 'Contacted guardian',
  'safety plan': 'Safety plan',
  referred: 'Referred',
  'emergency services': 'Emergency services',
  'could not reach': 'Could not reach',
  'not a concern': 'Not a concern',
  duplicate: 'Duplicate',
}

const reopened: Record<ReopenReason, string> = {
  worse: 'reopened: a more serious message came in',
  'unseen when acknowledged': 'reopened: it includes a message that had not arrived when it was acknowledged',
  'due time passed': 'reopened: the due time passed',
  'by a person': 'reopened',
  returned: 'returned to the queue',
}

const contacted: Record<ContactKind, string> = {
  student: 'the student',
  guardian: 'a guardian',
  'emergency services': 'emergency services',
  colleague: 'a colleague',
  other: 'somebody else',
}

const contactOutcome: Record<ContactOutcome, string> = {
  reached: 'reached',
  'no answer': 'no answer',
  'left a message': 'left a message',
  'wrong number': 'wrong number',
}

export const alerts = {
  /** `who`: null = the reader. */
  reopenedBy: (who: string | null) => `reopened by ${who ?? 'you'}`,
  contacted,
  contactOutcome,
  list: 'Alerts',
  detail: 'Alert',
  context: 'Student and history',
  filterLabel: 'Which alerts',
  filters,
  search: 'Search alerts',
  searchHint: 'Name, pseudonym or category',
  resize: 'Resize columns',
  back: 'Back to the list',
  more: (position: number, total: number) => `${position} of ${total}`,
  empty: {
    open: 'No open alerts.',
    mine: 'You hold no alerts.',
    watch: 'No one is on the watch list.',
    all: 'No alerts yet.',
    search: 'No matching alerts.',
    proven: 'Alarm checked',
    notProven: 'The alarm has not been checked yet: no test signal has come through from the chat.',
    will: {
      open: 'A crisis appears here within a second of being detected, with a sound.',
      mine: 'Alerts you acknowledge or take over appear here.',
      watch: 'Sessions with caution-level messages appear here, with no deadline.',
      all: 'Every alert stays here, including resolved ones.',
      search: 'Try fewer letters, or choose All.',
    },
    choose: 'No alert selected.',
    chooseHint: 'Press j and k to move through the list.',
  },
  arrived: {
    crisis: (student: string, why: string) => `New crisis alert: ${student}, ${why}`,
    high: (student: string, why: string) => `New alert, high: ${student}, ${why}`,
    crisisAgain: (student: string, why: string, reason: string) => `Crisis alert again: ${student}, ${why}; ${reason}`,
    highAgain: (student: string, why: string, reason: string) => `Alert again, high: ${student}, ${why}; ${reason}`,
    crisisHanded: (by: string, student: string, why: string) =>
      `Crisis alert handed to you by ${by}: ${student}, ${why}`,
    highHanded: (by: string, student: string, why: string) => `Alert, high, handed to you by ${by}: ${student}, ${why}`,
    declined: (student: string, why: string) => `Hand-off declined, you still hold the alert: ${student}, ${why}`,
    waiting: (age: string) => `Waiting for ${age}`,
    more: (count: number, crises: number) =>
      `, and ${numberText(count)} more${crises > 0 ? `, ${plural(crises, { one: '# of them a crisis', other: '# of them crises' })}` : ''}`,
  },
  row: {
    late: (age: string) => `${age} late`,
    within: (countdown: string) => `acknowledge within ${countdown}`,
    over: (countdown: string) => `Overdue by ${countdown}`,
    again: (times: number) => plural(times, { one: 'again', other: 'again ×#' }),
    aboutOther: 'about someone else',
    noCategory: 'high overall risk, no specific reason given',
    heldBy: (name: string) => `${name} holds it`,
    mine: 'you hold it',
    handedToMe: (name: string) => `${name} handed it to you`,
    handOffTo: (name: string) => `waiting for ${name}`,
    unacknowledged: 'unacknowledged',
    onlyPast: 'imported, no deadline',
    resolved: (how: string) => `resolved: ${how}`,
    due: (when: string) => `due ${when}`,
    overdue: (age: string) => `due ${age} ago`,
  },
  ladder,
  /** Who else has it open before them. */
  viewing: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} is looking at this.`
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are looking at this.`,
  reopened,
  disposition,
  clocks: { title: 'Times', said: 'said', received: 'received', seen: 'first seen' },
  why: {
    title: 'Why',
    patterns: 'Patterns',
    hidden: (count: number) =>
      plural(count, {
        one: '# pattern is shown only with the evidence',
        other: '# patterns are shown only with the evidence',
      }),
    more: (score: string) => `Score ${score}, and the signals behind it`,
    readBy: (point: string) => `Read at the operating point “${point}”.`,
    signals: 'Signals behind the score',
    missing: 'not available',
    noSignals: 'The chat sent only the overall score, not the signals behind it.',
    degraded: (signals: string) => `Decided without: ${signals}.`,
    triggers: (count: number, age: string) => `${count} messages raised this alert, the latest ${age}.`,
    worst: 'The most serious one is shown.',
  },
  evidence: {
    title: 'Evidence',
    reveal: 'Reveal evidence',
    hide: 'Hide evidence',
    hidden:
      'The student’s words are hidden. If you reveal them, and what the student writes next, your name and reason are recorded.',
    said: 'What the student wrote',
    when: { before: 'before', raised: 'raised the alert', since: 'since then' },
    saidOf: { place: 'Said about where they are', company: 'Said about who is with them' },
    noWhereabouts:
      'No phrase about where they are or who is with them was found. Only English phrases are looked for; read the messages too.',
    nothingSince: 'The student has written nothing since. New messages appear here as they come.',
    more: 'There are more messages. Open the session to read them all.',
    wordless: (count: number, last: string) =>
      `${plural(count, { one: '# message came', other: '# messages came' })} since then, the latest at ${last}. This school’s chat does not send its transcripts here, so only messages that raise an alert can be read.`,
    notFor: {
      ADMIN: 'Your role sees alerts without the student’s words.',
      COUNSELOR: 'Counselors can see the words behind open alerts and those of students on their own caseload.',
      CLINICIAN: 'These words belong to another school.',
    },
    none: 'This alert came without the student’s words.',
    reason: 'Reason for reading',
    reasonHint: 'Kept in the audit log with your name. This cannot be undone.',
    reasonFor: { COUNSELOR: 'Responding to this alert', CLINICIAN: 'Clinical review of this alert', ADMIN: '' },
    reasoning: 'Reasoning',
    gone: 'The text of this message is not stored here.',
    patterns: 'Patterns as sent',
  },
  who: {
    title: 'Student',
    now: {
      lesson: (where: readonly string[], period: string | null, until: string) =>
        `Now: ${where.join(', ')} (timetable${period === null ? '' : `, ${/^\d+$/.test(period) ? `period ${period}` : period}`}, until ${until})`,
      'no lesson': 'No class right now (timetable).',
      closed: (name: string) => `No school today: ${name}.`,
    },
    class: 'Class (roster)',
    counselor: 'Counselor',
    studentId: 'Student ID',
    none: 'This student is not on the roster. An admin can import the roster in Settings; until then, a pseudonym is shown.',
    chatting: 'Still chatting',
    ended: 'Session ended',
    lastMessage: 'Last message',
    noMessage: 'No messages of this session are here.',
    openStudent: 'Student page',
    openSession: 'Session',
    trajectory: 'Last 7 days',
  },
  contacts: {
    title: 'Who to call',
    bar: 'Student and first call',
    guardians: 'Guardians',
    noGuardians: 'The roster names no guardian for this student.',
    noNumber: 'No phone number on the roster.',
    guardian: 'Guardian',
    relationUnknown: 'relation unknown',
    speaks: (language: string) => `Speaks ${language}`,
    doNotContact: 'Do not contact',
    reason: (reason: string) => `Reason: ${reason}`,
    noReason: 'The roster gives no reason.',
    showNumber: 'Show the number anyway',
    call: 'Call',
    callWhom: (whom: string, number: string) => `Call ${whom}: ${number}`,
    copy: 'Copy',
    copyWhom: (whom: string, number: string) => `Copy the number of ${whom}: ${number}`,
    copied: 'Number copied.',
    notCopied: 'The number could not be copied. Select it and copy it by hand.',
    emergency: 'Emergency',
    noEmergency: 'PsyFlo Console does not know the emergency number of your country.',
    school: 'School numbers',
    all: 'All contacts',
  },
  watched: {
    row: (messages: number) =>
      plural(messages, { one: 'at most caution in # message', other: 'at most caution in # messages' }),
    last: 'last message',
    text: 'Caution does not open an alert: there is no deadline and nothing to acknowledge. Read the session when you can.',
  },
  history: {
    title: 'What was done',
    none: 'Nothing yet.',
    delivery,
    failed: (why: string) => `not sent yet: ${why}`,
    acknowledged: (by: string, at: string) => `${by} acknowledged ${at}.`,
    next: (action: string, due: string | null) => (due ? `Next: ${action} by ${due}.` : `Next: ${action}.`),
    took: (by: string, at: string) => `${by} took over ${at}.`,
    handed: (by: string, to: string, at: string) =>
      `${by} handed off to ${to} ${at}. It stays with ${by} until accepted.`,
    accepted: (by: string, at: string) => `${by} accepted the hand-off ${at}.`,
    noted: (by: string, at: string) => `${by} added a note ${at}.`,
    reopened: (by: string, at: string) => `${by} reopened it ${at}.`,
    reopenedByClock: (at: string) => `Reopened ${at}: the due time passed.`,
    planned: (by: string, at: string) => `${by} changed the plan ${at}.`,
    resolved: (by: string, at: string, how: string) => `${by} resolved it ${at}: ${how}.`,
    seen: (by: string, at: string) => `${by} saw it first ${at}.`,
    declined: (by: string, at: string) => `${by} declined the hand-off ${at}.`,
    handOffWithdrawn: (by: string, at: string) => `${by} withdrew the hand-off ${at}.`,
    returned: (by: string, at: string) => `${by} returned it to the queue ${at}.`,
    corrected: (by: string, at: string) => `${by} corrected a note ${at}.`,
    step: (by: string, at: string, title: string) => `${by} ${at}: ${title}.`,
    contact: (by: string, at: string, who: string, outcome: string) => `${by} called ${who} ${at}: ${outcome}.`,
    promised: (by: string, at: string) => `${by} added a commitment ${at}.`,
    met: (by: string, at: string) => `${by} completed a commitment ${at}.`,
    moved: (by: string, at: string) => `${by} moved a commitment ${at}.`,
    withdrew: (by: string, at: string) => `${by} undid this ${at}.`,
  },
  earlier: { title: 'Earlier alerts', none: 'No earlier alerts for this student.' },
  actions: {
    label: 'Actions',
    acknowledge: 'Acknowledge',
    takeOver: 'Take over',
    handOff: 'Hand off',
    accept: 'Accept hand-off',
    note: 'Add note',
    resolve: 'Resolve',
    did: {
      acknowledged: 'Acknowledged',
      tookOver: 'Taken over',
      accepted: 'Hand-off accepted',
      noted: 'Note added',
      resolved: 'Resolved',
      handed: 'Handed off',
    },
  },
  handOff: {
    title: 'Hand off',
    to: 'To',
    choose: 'Choose a person',
    note: 'Note for them (optional)',
    stays: 'The alert stays with you until they accept.',
    nobody: 'There is no one else to hand it to.',
  },
  note: { title: 'Add note', label: 'Note', missing: 'Write the note first.' },
  resolve: {
    title: 'Resolve',
    disposition: 'Outcome',
    choose: 'Choose one',
    note: 'What was done',
    hint: 'For whoever reads this later: what you did, and what was agreed.',
    missingDisposition: 'Choose an outcome.',
    missingNote: 'Write what was done.',
  },
  school: {
    title: 'Which school does this console serve?',
    text: 'Until someone answers, alerts from every school on this queue are shown, without names and without students’ words. After that, events from other schools are set aside above the inbox. This cannot be changed later, so check the ID before you confirm.',
    seen: (students: number, alerts: number) =>
      `${plural(students, { one: '# student', other: '# students' })}, ${plural(alerts, { one: '# open alert', other: '# open alerts' })}`,
    another: 'Another school',
    id: 'School ID',
    idHint: 'A UUID. Whoever set up the chat has it.',
    serve: 'Serve this school',
  },
  quarantine: {
    title: 'Events set aside',
    banner: (count: number) =>
      plural(count, { one: 'A crisis event could not be read.', other: '# crisis events could not be read.' }),
    anotherSchool: (count: number) =>
      plural(count, {
        one: 'A crisis event from another school was set aside.',
        other: '# crisis events from another school were set aside.',
      }),
    text: 'Nothing is lost: everything that arrived is kept. Someone may be in danger: ask the people who run the chat, or try reading it again.',
    look: 'Show',
    names: 'mentions a crisis',
    retry: 'Retry',
    dismiss: 'Dismiss',
    reason: 'Reason for dismissal',
    reasonMissing: 'Enter a reason.',
    received: 'Received',
    problem: 'Problem',
    size: 'Size',
    times: 'Times',
    none: 'No events are set aside.',
    still: 'Still set aside, for the same reason.',
  },
}
