/** Words of the Overview screen. */
export const overview = {
  title: 'Overview',
  period: 'Period',
  days: (days: number) => `${days} days`,
  crisis: 'Crisis alerts per day',
  high: 'High alerts per day',
  fileCrisis: 'crisis-alerts-per-day',
  fileHigh: 'high-alerts-per-day',
  acknowledge: 'Time to acknowledge',
  acknowledgeFile: 'time-to-acknowledge',
  acknowledgeEmpty:
    'No alert was acknowledged in this period. The minutes from receipt to acknowledgement will appear here.',
  figures: {
    median: 'Median time to acknowledge',
    p95: '95% acknowledged within',
    within: (minutes: number) => `Acknowledged within ${minutes} min`,
    waiting: 'Waiting now',
    waitingOver: (count: number, minutes: number) => `${count} over ${minutes} min`,
    acknowledged: 'Acknowledged',
    none: '—',
    time: (length: string, inMinutes: boolean) => (inMinutes ? `${length} min` : length),
    of: (part: number, whole: number) => `${part} of ${whole}`,
  },
  notForRole: 'The overview shows totals for the whole school.',
  notForRoleHint: 'It is for clinicians and admins. Your alerts and students are on the other screens.',
}
