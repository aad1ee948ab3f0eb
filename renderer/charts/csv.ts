/** A table as a CSV file that spreadsheets open without running anything in it. */
import { clockText, dayText, exportDay, exportTime } from '../controls/index.ts'

/** An instant, to the second or of a whole day: people and spreadsheets read it in different forms. */
export interface TimeCell {
  shown: string
  saved: string
}

type Cell = string | number | TimeCell | null
export interface Table {
  columns: string[]
  rows: Cell[][]
}

/** `at`: UTC milliseconds. */
export function dayCell(at: number): TimeCell {
  return { shown: dayText(at), saved: exportDay(at) }
}

/** `at`: UTC milliseconds. */
export function timeCell(at: number): TimeCell {
  return { shown: `${dayText(at)}, ${clockText(at, true)}`, saved: exportTime(at) }
}

/** RFC 4180 with CRLF. Text a spreadsheet would run as a formula is led by an apostrophe; null is empty. */
export function toCsv(table: Table): string {
  return [table.columns, ...table.rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n'
}

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.saved
  const harmless = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
