import { parse } from 'csv-parse/sync'
import type { RowProblem } from '../../../shared/views.ts'

/** A CSV with a line of headings, its cells by the fields that its columns are. */
export interface CsvTable<Field extends string> {
  fields: ReadonlySet<Field>
  /** The first line, as it stands. */
  headings: readonly string[]
  rows: { line: number; cells: Partial<Record<Field, string>>; problem: string | null }[]
}

/** Largest file, characters. */
const largestFile = 20_000_000

/**
 * Reads a CSV; `fieldOf` says which field a heading is (given in lower case, blanks for other separators), undefined =
 * none that is asked for. A file that cannot be read is answered with what is wrong in it, by line.
 */
export function readCsv<Field extends string>(
  csv: string,
  fieldOf: (heading: string) => Field | undefined,
): CsvTable<Field> | { problem: RowProblem } {
  const problem = (line: number, what: string) => ({ problem: { line, column: '', problem: what } })
  if (csv.length > largestFile) return problem(1, 'the file is larger than 20 MB')
  let table: { record: string[]; info: { lines: number } }[]
  try {
    table = parse(csv, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: delimiterOf(csv),
    }) as never
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1
    return problem(line, 'the file is not CSV from here on; check the quotation marks')
  }
  const [header, ...body] = table
  if (!header) return problem(1, 'the file is empty')
  const fields = header.record.map((name) =>
    fieldOf(
      name
        .trim()
        .toLowerCase()
        .replace(/[_\-.\s]+/g, ' '),
    ),
  )
  return {
    fields: new Set(fields.filter((field) => field !== undefined)),
    headings: header.record,
    rows: body.map(({ record, info }) => ({
      line: info.lines,
      cells: Object.fromEntries(
        fields.flatMap((field, index) => (field ? [[field, (record[index] ?? '').trim()]] : [])),
      ) as Partial<Record<Field, string>>,
      problem: record.slice(fields.length).some((cell) => cell.trim() !== '') ? tooMany : null,
    })),
  }
}

// Read on, such a line would say of one column what was written for another.
const tooMany = 'has more cells than the first line has; put quotation marks around a cell that holds a comma'

/** What stands between the headings, and so between the cells: a comma, a semicolon or a tab. */
function delimiterOf(csv: string): string {
  const first = /[^\r\n]*\S[^\r\n]*/.exec(csv.slice(0, 100_000))?.[0] ?? ''
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** Headings as they stand in a file, short enough for a table. */
export function shownHeadings(headings: readonly string[]): string {
  const names = headings.map((name) => name.trim().slice(0, 40)).filter((name) => name !== '')
  return names.length > 12 ? `${names.slice(0, 12).join(', ')} …` : names.join(', ')
}
