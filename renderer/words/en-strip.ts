/** Words of the strip that is always visible. */
import type { Role } from '../../shared/people.ts'
import { listText, numberText, plural, secondsText } from '../../shared/numbers.ts'

/** A step of the ladder: who is told, and so many minutes after the alert. */
interface Step {
  who: string
  after: number
}

const afterGap = (text: string, gap: string): string => (gap === '' ? text : `${text} · ${gap}`)

export const strip = {
  name: 'State of the alarm',
  connecting: 'Connecting',
  connected: 'Connected',
  disconnected: 'Not connected',
  lost: 'Not connected to the program',
  programSilent: 'The program does not answer',
  /** The red sentence; `since` is a clock time, `safe` what the program says is kept, and for how long. */
  silent: (since: string, safe: string | null) =>
    `The queue has not answered since ${since}. ${safe ?? 'Nothing is lost: events are waiting there.'} Check the network, or run the connection test.`,
  unreadable: 'A crisis event could not be read. It is kept; open Alerts to see it.',
  openAlerts: 'Open Alerts',
  notificationsOff: 'System notifications are off',
  notificationsOffShort: 'Notifications off',
  test: 'Connection test',
  lastEvent: 'Last event',
  noEvent: 'No events yet',
  proven: 'Alarm checked',
  /** Follows how long ago: from a student’s message to this window. */
  took: (milliseconds: number) => `, ${secondsText(milliseconds)} s`,
  notProven: 'Alarm not checked yet',
  lapsed: 'Alarm check out of date; last passed',
  overdue: (age: string) => `No test signal for ${age}: alerts may not be getting through`,
  unacknowledged: (count: number) => `${numberText(count)} unacknowledged`,
  open: (count: number) => `${numberText(count)} open`,
  waiting: (count: number) => `${numberText(count)} waiting in the queue`,
  nothingWaiting: 'Queue empty',
  unknownWaiting: 'Queue length unknown',
  late: (age: string) => `Events are arriving ${age} late`,
  quarantined: (count: number) => plural(count, { one: '# event set aside', other: '# events set aside' }),
  quarantinedCrises: (count: number) =>
    plural(count, { one: '# crisis event set aside', other: '# crisis events set aside' }),
  outbox: (count: number) =>
    plural(count, { one: '# action waiting to be sent', other: '# actions waiting to be sent' }),
  degraded: (signals: string) => `Deciding without: ${signals}`,
  notApproved: 'This console is not approved: what you do here holds nowhere else',
  howApproved: 'Have it approved',
  discardsShort: 'Discarded when it stops',
  discards: 'What you record in this demonstration is discarded when it stops',
  /** Numbers of heartbeats, both ends included. */
  missing: (ranges: readonly { from: number; to: number }[]) => {
    const [first = { from: 0, to: 0 }, ...more] = ranges
    const { from, to } = first
    const named = from === to ? `Heartbeat ${numberText(from)}` : `Heartbeats ${numberText(from)}–${numberText(to)}`
    const others = more.length > 0 ? plural(more.length, { one: ' and # more gap', other: ' and # more gaps' }) : ''
    return `${named}${others} never came: another console may be reading this queue, or events are lost.`
  },
  unlikely: (number: number) =>
    `A heartbeat came with number ${numberText(number)}, which no station can have reached: something else sends to this school’s topic, or a station’s count was altered. It is not believed. Tell whoever runs the station.`,
  /** Who would be told is not said: because nothing escalates, an older back end does, or that is not known. */
  ladder: {
    off: 'Nothing here tells anyone: an alert waits until someone takes it',
    station: 'Escalation is handled by the station',
    unknown: 'Not known whether anyone is told: an alert waits here until someone takes it',
  },
  coverage: {
    full: (steps: readonly Step[], gap: string) => afterGap(`If a crisis arrived now: ${atMinutes(steps, 'at ')}`, gap),
    short: (steps: readonly Step[], gap: string) => afterGap(`Now: ${atMinutes(steps, '')}`, gap),
    show: 'Who would be told',
    nobody: 'If a crisis arrived now, no one would be told',
    unknown: 'Not known who would be told of a crisis now',
    pending: 'Working out who would be told of a crisis: the directory was just saved',
    /** `until`: minutes after the alert at which somebody is told elsewhere; null = nobody ever is. */
    onlyAtConsole: (until: number | null) =>
      until === null ? 'only at a console' : `only at a console before ${numberText(until)} min`,
    gap: (when: string) => `next gap ${when}`,
    gapNow: 'a step reaches no one now',
    and: listText,
    assigned: 'the student’s counselor',
    role: { COUNSELOR: 'counselors', CLINICIAN: 'clinicians', ADMIN: 'admins' } satisfies Record<Role, string>,
    people: (count: number) => plural(count, { one: '# person', other: '# people' }),
  },
}

/** “A. Rivera at 0 min, K. Osei at 5”. */
function atMinutes(steps: readonly Step[], at: string): string {
  return steps.map(({ who, after }, index) => `${who} ${at}${numberText(after)}${index === 0 ? ' min' : ''}`).join(', ')
}
