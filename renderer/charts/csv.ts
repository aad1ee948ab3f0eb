/** A table as a CSV file that spreadsheets open without running anything in it. */

type Cell = string | number | null
export interface Table {
  columns: string[]
  rows: Cell[][]
}

/** RFC 4180 with CRLF. Text a spreadsheet would run as a formula is led by an apostrophe; null is empty. */
export function toCsv(table: Table): string {
  return [table.columns, ...table.rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n'
}

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
