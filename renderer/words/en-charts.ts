/** Words of the charts. */
import { numberText, plural } from '../../shared/numbers.ts'
import { decidedByWords } from '../../shared/risk-words.ts'

export const charts = {
  showTable: 'Show as table',
  saveCsv: 'Save as CSV',
  savePng: 'Save as PNG',
  loading: 'Loading the chart…',
  unknown: 'unknown',
  estimateNotice: 'estimate from conversation, not a questionnaire score',
  trajectory: {
    name: 'Risk trajectory',
    mini: 'Trajectory, 7 days',
    empty:
      'No messages in this time range. Choose a longer one; every new message appears here as a point as soon as it is analyzed.',
    emptyMini: 'No messages in the last 7 days.',
    note: 'Consensus score of each message, 0 to 1. A solid line connects the messages of one session; between sessions nothing is known.',
    bandCaution: 'caution 0.65',
    bandCrisis: 'crisis 0.90',
    dragHint: 'Drag across the chart to zoom.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    earlier: 'Earlier',
    later: 'Later',
    reset: 'Reset zoom',
    zoomGroup: 'Zoom and move',
    live: 'Live',
    liveHint: 'New messages appear at the right edge.',
    sampled: (drawn: number, total: number) =>
      `${numberText(drawn)} of ${numberText(total)} messages shown: the lowest and highest at each point in time, and every change of tier. Zoom in for more.`,
    all: (total: number) => plural(total, { one: '# message', other: '# messages' }),
    decidedBy: decidedByWords,
    noReasons: 'no pattern matched',
    legendAcknowledged: 'acknowledged',
    legendResolved: 'resolved',
    marks: {
      alert: 'Alert raised',
      acknowledged: 'Alert acknowledged',
      resolved: 'Alert resolved',
    },
    several: (count: number) => `${count} close together`,
    columns: ['Time', 'What', 'Score', 'Tier', 'Reasons', 'Decided by'],
    message: 'Message',
  },
  estimate: {
    names: { phq9: 'PHQ-9 estimate', gad7: 'GAD-7 estimate' },
    short: { phq9: 'PHQ-9', gad7: 'GAD-7' },
    empty:
      'No estimate yet. When a conversation touches on one of the items (sleep, worry, interest …), the estimate will appear here.',
    known: (known: number, of: number) => `${known} of ${of} items known`,
    current: (estimate: number, of: number) => `${estimate} of ${of}`,
    nothingKnown: 'not enough to say',
    knownLane: 'items known',
    change: (name: string, by: number, day: string) => `${name}, ${by > 0 ? '+' : '−'}${Math.abs(by)} points, ${day}`,
    reliable: 'reliable change',
    important: 'clinically important',
    changeNote: (reliable: number, important: number) =>
      `▲ rise or ▼ fall since the mark before it: reliable change (filled) is ${reliable} points or more, clinically important change (hollow) ${important} or more.`,
    unknownNote: 'Items without evidence are unknown, not 0.',
    window: (days: number) => `trailing ${days} days`,
    columns: ['Day', 'Estimate', 'Band', 'Items known', 'Reliable change', 'Clinically important'],
    yes: 'yes',
    no: 'no',
    itemColumns: ['Item', 'Shown', 'By confidence', 'By frequency', 'Days with evidence'],
    items: 'Items of this estimate',
    itemsNote: 'The shown item score is the larger of the two methods, 0 to 3.',
  },
  heat: {
    name: 'Items by day',
    empty: 'No items yet. A square will appear here for each day on which a conversation touched on an item.',
    item: 'Item',
    notice: 'Each day’s item score by confidence, 0 to 3. A dot means no evidence that day: unknown, not 0.',
    cell: (item: string, day: string, value: string) => `${item}, ${day}: ${value}`,
    of3: (value: number) => `${value} of 3`,
    noEvidence: 'no evidence',
    legendUnknown: 'no evidence (unknown)',
  },
  spark: {
    none: 'no messages',
    label: (known: readonly number[]) =>
      `Daily highest scores, ${plural(known.length, { one: '# day', other: '# days' })} with messages; highest ${Math.max(...known).toFixed(2)}, latest ${(known.at(-1) ?? 0).toFixed(2)}`,
  },
  perDay: {
    day: 'Day',
    alerts: 'Alerts',
    empty: 'No days yet. Each day’s alerts will appear here as bars.',
    total: (count: number) => plural(count, { one: '# alert', other: '# alerts' }),
  },
  histogram: {
    minutes: 'Minutes',
    count: 'Alerts',
    target: (minutes: number) => `target ${minutes} min`,
    bin: (label: string) => `${label} minutes`,
    alerts: (count: number) => plural(count, { one: '# alert', other: '# alerts' }),
    note: (minutes: number) =>
      `Minutes from receipt to acknowledgement. Filled: within ${minutes} minutes. Hollow: later.`,
  },
}
