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
    `The queue has not answered since ${since}. ${safe ?? 'Nothing is lost: events wait there.'} Check the network, or run the connection test.`,
  unreadable: 'A crisis event could not be read. It is kept; open Alerts to see it.',
  openAlerts: 'Open Alerts',
  notificationsOff: 'system notifications are off',
  test: 'Connection test',
  lastEvent: 'last event',
  noEvent: 'no event yet',
  proven: 'alarm proven',
  notProven: 'alarm not yet proven',
  lapsed: 'alarm not proven now, last',
  overdue: (age: string) => `No heartbeat for ${age}: the alarm may be silent`,
  unacknowledged: (count: number) => `${numberText(count)} unacknowledged`,
  open: (count: number) => `${numberText(count)} open`,
  waiting: (count: number) => `${numberText(count)} waiting in the queue`,
  nothingWaiting: 'queue empty',
  unknownWaiting: 'queue length unknown',
  late: (age: string) => `events arrive ${age} late`,
  quarantined: (count: number) => plural(count, { one: '# event set aside', other: '# events set aside' }),
  quarantinedCrises: (count: number) =>
    plural(count, { one: '# crisis event set aside', other: '# crisis events set aside' }),
  outbox: (count: number) => plural(count, { one: '# action waits to be sent', other: '# actions wait to be sent' }),
  degraded: (signals: string) => `deciding without: ${signals}`,
  discards: 'what you record in this demonstration is discarded when it stops',
  /** Nothing escalates here: an alert that nobody takes reaches nobody else. */
  ladder: {
    off: 'no escalation: an alert waits until somebody takes it',
    station: 'escalation is left to the station',
  },
}
