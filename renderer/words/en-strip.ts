/** Words of the strip that is always visible. */
import { numberText, plural } from '../../shared/numbers.ts'

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
  test: 'Connection test',
  lastEvent: 'Last event',
  noEvent: 'No events yet',
  proven: 'Alarm checked',
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
  discards: 'What you record in this demonstration is discarded when it stops',
  /** Nothing escalates here: an alert that nobody takes reaches nobody else. */
  ladder: {
    off: 'No escalation: an alert waits until someone takes it',
    station: 'Escalation is handled by the station',
  },
}
