/** What a system notification says, from the shell and from the page alike: it names nobody and quotes nothing. */
import { plural } from './numbers.ts'
import { notifyTarget } from './thresholds.ts'

export const notificationWords = {
  crisis: { title: 'Crisis alert', lateTitle: 'Late: crisis alert' },
  high: { title: 'Alert', lateTitle: 'Late: alert' },
  body: 'A student may need help now.',
  lateBody: 'It was raised a while ago and has reached this console only now.',
  /** What came while nobody was awake here, all of it at once. */
  lateStart: {
    title: (count: number) => plural(count, { one: 'Late: # alert', other: 'Late: # alerts' }),
    body: (count: number, unacknowledged: number) =>
      `${plural(count, { one: 'It arrived', other: 'They arrived' })} while this console was off; ${plural(unacknowledged, { one: '# was never acknowledged by anyone.', other: '# were never acknowledged by anyone.' })}`,
  },
  handOff: {
    title: 'An alert was handed to you',
    body: 'It is waiting for you: a colleague handed it off, or declined your hand-off.',
  },
  call: {
    crisis: { title: 'Your turn: crisis alert' },
    high: { title: 'Your turn: alert' },
    body: 'Nobody has taken it yet.',
  },
  test: { title: 'Test alert', body: 'This is a test. Nobody needs help because of it.' },
  unreadable: { title: 'A crisis event could not be read', body: 'It has been kept; Alerts shows why.' },
  outage: { title: 'Alerts are not getting through', body: 'Alerts shows since when, and what to do.' },
  due: { title: 'Something you planned is due', body: 'My day shows what.' },
  /** Follows the body where the notification does not stand beside the open page. */
  open: 'Open PsyFlo Console.',
} as const

export interface NotificationText {
  title: string
  body: string
  /** A crisis is among them: it stays until somebody has seen it. */
  urgent: boolean
}

/** One notification for alerts that are news, at least one. Late only where none of them is fresh. Times in UTC ms. */
export function notificationOf(
  news: readonly { tier: 'high' | 'crisis'; last_trigger_at: number; reopened: { at: number } | null }[],
  now: number,
): NotificationText {
  const urgent = news.some(({ tier }) => tier === 'crisis')
  // From the event to now: what waited in quarantine is late, although it was received in time.
  const fresh = news.some(
    ({ last_trigger_at, reopened }) => now - Math.max(last_trigger_at, reopened?.at ?? 0) < notifyTarget,
  )
  const { title, lateTitle } = notificationWords[urgent ? 'crisis' : 'high']
  return fresh
    ? { title, body: notificationWords.body, urgent }
    : { title: lateTitle, body: notificationWords.lateBody, urgent }
}

/** One notification for all that came while this console was off, at least one alert. */
export function lateStartNotification(came: {
  arrived: number
  unacknowledged: number
  open_crises: number
}): NotificationText {
  const { title, body } = notificationWords.lateStart
  return {
    title: title(came.arrived),
    body: body(came.arrived, came.unacknowledged),
    urgent: came.open_crises > 0,
  }
}

/** What a test alert shows: urgent, as a crisis would be. */
export const testNotification: NotificationText = { ...notificationWords.test, urgent: true }

/** A notification for whom an alert was handed to, or back. */
export function handOffNotification(handed: readonly { tier: 'high' | 'crisis' }[]): NotificationText {
  return { ...notificationWords.handOff, urgent: handed.some(({ tier }) => tier === 'crisis') }
}

/** A notification for whom the ladder tells; an alert that is not known here may be a crisis. */
export function callNotification(tiers: readonly ('high' | 'crisis' | null)[]): NotificationText {
  const urgent = tiers.some((tier) => tier !== 'high')
  const { title } = notificationWords.call[urgent ? 'crisis' : 'high']
  return { title, body: notificationWords.call.body, urgent }
}

/** A notification for a crisis event that could not be read. */
export const unreadableNotification: NotificationText = { ...notificationWords.unreadable, urgent: true }

/** A notification that alerts from the chat do not get through; it is withdrawn once they do. */
export const outageNotification: NotificationText = { ...notificationWords.outage, urgent: true }

/** A notification that something rings nobody and is due: a follow-up, say. */
export const dueNotification: NotificationText = { ...notificationWords.due, urgent: false }
