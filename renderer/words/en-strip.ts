/** Words of the strip that is always visible. */
const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

export const strip = {
  name: 'State of the alarm',
  connecting: 'Connecting',
  connected: 'Connected',
  disconnected: 'Not connected',
  lost: 'Not connected to the program',
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
  unacknowledged: (count: number) => `${count.toLocaleString('en')} unacknowledged`,
  open: (count: number) => `${count.toLocaleString('en')} open`,
  waiting: (count: number) => `${count.toLocaleString('en')} waiting in the queue`,
  nothingWaiting: 'queue empty',
  unknownWaiting: 'queue length unknown',
  late: (age: string) => `events arrive ${age} late`,
  quarantined: (count: number) => plural(count, 'event could not be read', 'events could not be read'),
  quarantinedCrises: (count: number) =>
    plural(count, 'crisis event could not be read', 'crisis events could not be read'),
  outbox: (count: number) => plural(count, 'action waits to be sent', 'actions wait to be sent'),
  degraded: (signals: string) => `deciding without: ${signals}`,
  ladder: { local: null, station: 'escalation runs at the station', off: 'escalation is not run here' },
}
