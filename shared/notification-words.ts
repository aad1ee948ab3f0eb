/** What a system notification says, from the shell and from the page alike: it names nobody and quotes nothing. */
export const notificationWords = {
  crisis: { title: 'Crisis alert', lateTitle: 'Late: crisis alert' },
  high: { title: 'Alert', lateTitle: 'Late: alert' },
  body: 'A student may need help now.',
  lateBody: 'It was raised a while ago and has reached this console only now.',
  unreadable: { title: 'A crisis event could not be read', body: 'It is kept, and Alerts says why.' },
  /** Follows the body where the notification does not stand beside the open page. */
  open: 'Open PsyFlo Console.',
} as const
