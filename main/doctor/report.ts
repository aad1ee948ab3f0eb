/** What doctor says: checks with a status, a sentence and what to do, and the figures beside them. */

type Status = 'ok' | 'warning' | 'failed' | 'skipped'

export interface Check {
  /** Stable name, in words. */
  name: string
  status: Status
  /** What was found, one sentence or two. No student text, names, session ids or hashes. */
  sentence: string
  /** What to do about it; null where nothing has to be done. */
  todo: string | null
}

export interface Counts {
  /** Distinct events accepted from the queue, without HEARTBEAT, DRILL and this console's own. */
  events: number
  alerts: number
  /** Alerts whose state is `open`: nobody has acknowledged them, or they were opened again. */
  open: number
  /** Bodies in quarantine that were neither dismissed nor read since. */
  quarantined: number
  outbox_pending: number
}

export interface Report {
  /** No check failed. */
  ok: boolean
  checks: Check[]
  /** Null where the data could not be read; zeros where there are none yet. */
  counts: { [Name in keyof Counts]: number | null }
  /** Null where the audit could not be read. */
  audit_ok: boolean | null
}

export const noCounts: Counts = { events: 0, alerts: 0, open: 0, quarantined: 0, outbox_pending: 0 }
export const unknownCounts: Report['counts'] = {
  events: null,
  alerts: null,
  open: null,
  quarantined: null,
  outbox_pending: null,
}

export const ok = (name: string, sentence: string): Check => ({ name, status: 'ok', sentence, todo: null })
export const skipped = (name: string, sentence: string): Check => ({ name, status: 'skipped', sentence, todo: null })
export const warning = (name: string, sentence: string, todo: string): Check => ({
  name,
  status: 'warning',
  sentence,
  todo,
})
export const failed = (name: string, sentence: string, todo: string): Check => ({
  name,
  status: 'failed',
  sentence,
  todo,
})

const marks: Record<Status, string> = { ok: 'ok', warning: 'WARNING', failed: 'FAILED', skipped: 'skipped' }

/** The report as a table for a terminal of `width` columns. */
export function asTable({ checks, counts, audit_ok }: Report, width: number): string {
  const figure = (value: number | null) => (value === null ? 'unknown' : String(value))
  const audit = audit_ok === null ? 'not read' : audit_ok ? 'unbroken' : 'BROKEN'
  const figures = `Events ${figure(counts.events)} · alerts ${figure(counts.alerts)}, unacknowledged ${figure(counts.open)} · quarantined ${figure(counts.quarantined)} · waiting to be sent ${figure(counts.outbox_pending)} · audit ${audit}`
  // Where nothing was read there is nothing to count.
  const isRead = audit_ok !== null || Object.values(counts).some((count) => count !== null)
  return checksAsTable(checks, width, isRead ? [figures] : [])
}

/** Checks as a table, a line of `figures` below them where there are any, and how many went how. */
export function checksAsTable(checks: readonly Check[], width: number, figures: readonly string[] = []): string {
  const names = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(9 + names + 2)
  const room = Math.max(30, Math.min(width, 120) - indent.length)
  const lines = checks.flatMap(({ name, status, sentence, todo }) => {
    const [first = '', ...rest] = wrap(sentence, room)
    return [
      `${marks[status].padEnd(9)}${name.padEnd(names + 2)}${first}`,
      ...rest.map((line) => indent + line),
      ...(todo === null ? [] : wrap(`→ ${todo}`, room).map((line) => indent + line)),
    ]
  })
  const tally = (status: Status) => checks.filter((check) => check.status === status).length
  return [
    ...lines,
    '',
    ...figures,
    `${tally('ok')} ok, ${tally('warning')} with a warning, ${tally('failed')} failed, ${tally('skipped')} skipped`,
  ].join('\n')
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
