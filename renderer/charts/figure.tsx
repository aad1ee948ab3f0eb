/** The frame of every chart: a named figure that can be read as a table and saved. */
import { useId, useRef, useState, type ReactNode } from 'react'
import { Button } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { toCsv, type Table } from './csv.ts'
import { saveChartPicture, saveFile } from './save.ts'

export interface ChartFigureProps {
  /** Accessible name of the figure and its visible heading. */
  name: string
  /** Behind the heading: the current value, a notice. */
  aside?: ReactNode
  /** Between heading and chart: ranges, zoom. */
  tools?: ReactNode
  /** Below the chart: what the marks mean. */
  note?: ReactNode
  /** The chart itself. */
  children: ReactNode
  /** The same as a table; computed only when asked for. */
  table: () => Table
  /** The table on screen, where it shows more than plain cells. */
  richTable?: () => ReactNode
  /** File name without ending. Says nothing of the student. */
  fileName: string
  /** Nothing to show as a table or to save. */
  empty?: boolean
  /** The drawing is itself a table: no toggle, no picture. */
  tabular?: boolean
  className?: string
}

/** A figure with “Show as table”, “Save as CSV” and, while the chart is shown, “Save as PNG”. */
export function ChartFigure(props: ChartFigureProps) {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const drawing = useRef<HTMLDivElement>(null)
  return (
    <figure aria-labelledby={id} className={`flex min-w-0 flex-col rounded border bg-surface ${props.className ?? ''}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-3 pt-2">
        <h2 id={id} className="text-base font-semibold">
          {props.name}
        </h2>
        <div className="-me-2 flex flex-wrap items-center gap-x-1 gap-y-1">
          {props.tools}
          {!props.empty && (
            <>
              {!props.tabular && (
                <Button look="quiet" className="px-2" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
                  {words.charts.showTable}
                </Button>
              )}
              <Button
                look="quiet"
                className="px-2"
                onClick={() => saveFile(`${props.fileName}.csv`, 'text/csv', toCsv(props.table()))}
              >
                {words.charts.saveCsv}
              </Button>
              {!props.tabular && (
                <Button
                  look="quiet"
                  className="px-2"
                  disabled={asTable}
                  onClick={() => void saveChartPicture(`${props.fileName}.png`, drawing.current)}
                >
                  {words.charts.savePng}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
      {props.aside && <div className="px-3">{props.aside}</div>}
      <div ref={drawing} className="min-w-0 [&_.recharts-surface_g]:outline-none px-3 pt-1 pb-2">
        {asTable && !props.empty
          ? (props.richTable?.() ?? <PlainTable name={props.name} table={props.table()} />)
          : props.children}
      </div>
      {props.note && <figcaption className="px-3 pb-2 text-small text-ink-faint">{props.note}</figcaption>}
    </figure>
  )
}

/** Columns and rows as a table that scrolls by itself. */
export function PlainTable({ name, table }: { name: string; table: Table }) {
  return (
    <ScrollingTable name={name} columns={table.columns} rows={table.rows}>
      {(row) =>
        row.map((cell, column) => (
          <td key={column} className={`px-2 py-1 align-top ${typeof cell === 'number' ? 'tabular-nums' : ''}`}>
            {(typeof cell === 'object' ? cell?.shown : cell) ?? (
              <span className="text-ink-faint">{words.charts.unknown}</span>
            )}
          </td>
        ))
      }
    </ScrollingTable>
  )
}

/** A table with its headings always in sight; `children` makes the cells of a row. */
export function ScrollingTable<Row>(props: {
  name: string
  columns: readonly string[]
  rows: readonly Row[]
  children: (row: Row) => ReactNode
}) {
  return (
    <div className="max-h-96 overflow-auto rounded border" tabIndex={0} role="group" aria-label={props.name}>
      <table className="w-full border-collapse" aria-label={props.name}>
        <thead className="sticky top-0 bg-surface">
          <tr>
            {props.columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="border-b px-2 py-1 text-start text-small font-medium whitespace-nowrap text-ink-faint"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, at) => (
            <tr key={at} className="border-b last:border-b-0">
              {props.children(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
