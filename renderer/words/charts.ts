/** Words of the charts. */
import type { RiskTier } from '../../shared/risk.ts'

export const chartWords = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  saveCsv: 'Save as CSV',
  savePng: 'Save as PNG',
  loading: 'Loading the chart…',
  unknown: 'unknown',
  estimateNotice: 'estimate from conversation, not a questionnaire score',
  trajectory: {
    name: 'Risk trajectory',
    mini: 'Trajectory, 7 days',
    empty: 'No messages in this time. Every message of the student will appear here as a point as soon as it is analysed.',
    emptyMini: 'No messages in the last 7 days.',
    note: 'Consensus score of every message, 0 to 1. A solid line joins one session; between sessions nothing is known.',
    bandCaution: 'caution from 0.65',
    bandCrisis: 'crisis from 0.90',
    bandBelow: 'below 0.65',
    dragHint: 'Drag over the chart to zoom.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    earlier: 'Earlier',
    later: 'Later',
    reset: 'Reset zoom',
    zoomGroup: 'Zoom and move',
    live: 'Live',
    liveHint: 'New messages appear at the right edge.',
    sampled: (drawn: number, total: number) =>
      `${drawn.toLocaleString()} of ${total.toLocaleString()} messages drawn: the lowest and highest of each moment and every change of tier. Zoom in for more.`,
    all: (total: number) => (total === 1 ? '1 message' : `${total.toLocaleString()} messages`),
    reasons: 'Reasons',
    decidedBy: {
      floor: 'decided by the floor: the words themselves',
      consensus: 'decided by consensus of the signals',
      adapter: 'raised by a risk adapter',
    },
    noReasons: 'no pattern matched',
    legendAlert: 'alert',
    legendAcknowledged: 'acknowledged',
    legendResolved: 'resolved',
    marks: {
      alert: 'Alert raised',
      acknowledged: 'Alert acknowledged',
      resolved: 'Alert resolved',
    },
    several: (count: number) => `${count} within a short time`,
    columns: ['Time', 'What', 'Score', 'Tier', 'Reasons', 'Decided by'],
    message: 'Message',
    legend: 'Marks',
  },
  estimate: {
    names: { phq9: 'PHQ-9 estimate', gad7: 'GAD-7 estimate' },
    short: { phq9: 'PHQ-9', gad7: 'GAD-7' },
    empty:
      'No estimate yet. When a conversation touches one of the items (sleep, worry, interest …), the estimate will appear here.',
    known: (known: number, of: number) => `${known} of ${of} items known`,
    knownLane: 'items known',
    reliable: 'reliable change',
    important: 'clinically important',
    changeNote: (reliable: number, important: number) =>
      `Reliable change: ${reliable} points or more. Clinically important: ${important} points or more.`,
    unknownNote: 'Items without evidence are unknown, not 0.',
    window: (days: number) => `trailing ${days} days`,
    columns: ['Day', 'Estimate', 'Band', 'Items known', 'Reliable change', 'Clinically important'],
    yes: 'yes',
    no: 'no',
    methodConfidence: 'by confidence',
    methodFrequency: 'by frequency',
    itemColumns: ['Item', 'Shown', 'By confidence', 'By frequency', 'Days with evidence'],
    items: 'Items of this estimate',
    itemsNote: 'The shown item score is the larger of the two methods, 0 to 3.',
  },
  heat: {
    name: 'Items by day',
    empty: 'No items yet. A square will appear here for every day on which a conversation touched an item.',
    item: 'Item',
    notice: 'Squares show the item score of the day, 0 to 3. A dotted square means no evidence that day: unknown, not 0.',
    cell: (item: string, day: string, value: string) => `${item}, ${day}: ${value}`,
    of3: (value: number) => `${value} of 3`,
    noEvidence: 'no evidence',
    legendUnknown: 'no evidence (unknown)',
  },
  tiers: { ok: 'none seen', caution: 'caution', high: 'high', crisis: 'crisis' } satisfies Record<RiskTier, string>,
  suppressed: (smallest: number) => `fewer than ${smallest}`,
}

/** Pattern categories in the words people read. */
export const categoryWords: Record<string, string> = {
  suicidal_intent: 'stated intent to die',
  suicidal_ideation: 'thoughts of suicide',
  harm_to_others: 'harm to others',
  self_harm: 'self-harm',
  abuse_disclosure: 'abuse disclosed',
  coded_language: 'coded language',
  hopelessness: 'hopelessness',
  disordered_eating: 'disordered eating',
  running_away: 'running away',
}

/** A category or marker name as words; a name that is not known is shown as it came, without underscores. */
export function categoryWord(name: string): string {
  return categoryWords[name] ?? name.replaceAll('_', ' ')
}
