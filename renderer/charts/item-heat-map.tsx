/** Items by day: a real table, so that it can be read cell by cell. */
import { memo, useLayoutEffect, useRef } from 'react'
import { instrumentOf, markerNames } from '../../shared/estimates.ts'
import type { EstimateView } from '../../shared/views.ts'
import { EmptyState, dayText, exportDay } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { joinHeat, type HeatRow } from './estimate-rows.ts'
import type { Table } from './csv.ts'
import { ChartFigure } from './figure.tsx'

const text = words.charts.heat

/** Ground and ink per item score 0–3: one neutral, ever denser; the number stands in the square as well. */
const shades = [
  'bg-[color-mix(in_oklab,var(--color-series)_8%,var(--color-surface))] text-ink border-series-soft',
  'bg-[color-mix(in_oklab,var(--color-series)_28%,var(--color-surface))] text-ink border-transparent',
  'bg-[color-mix(in_oklab,var(--color-series)_78%,var(--color-surface))] text-on-ink border-transparent',
  'bg-series text-on-ink border-transparent',
] as const

/** The daily item scores of one or more instruments on one axis of days. */
export const ItemHeatMap = memo(function ItemHeatMap({ views }: { views: readonly EstimateView[] }) {
  const { days, rows } = joinHeat(views)
  const empty = rows.every(({ cells }) => cells.every((cell) => cell === null))
  return (
    <ChartFigure
      name={text.name}
      fileName="items-by-day"
      empty={empty}
      table={() => heatTable(days, rows)}
      note={empty ? undefined : <Legend />}
      tabular
      aside={<p className="text-small text-ink-faint">{words.charts.estimateNotice}</p>}
    >
      {empty ? <EmptyState title={text.empty} /> : <Squares days={days} rows={rows} />}
    </ChartFigure>
  )
})

function Squares({ days, rows }: { days: readonly number[]; rows: readonly HeatRow[] }) {
  const newest = days.at(-1) ?? 0
  const scroller = useRef<HTMLDivElement>(null)
  // Where not all days fit, the newest are in sight.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth
  }, [newest])
  const every = Math.max(1, Math.ceil(days.length / 8))
  const names = days.map((day) => dayText(day))
  return (
    <div ref={scroller} className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={text.name}>
      <table
        className="w-full table-fixed border-separate border-spacing-0.5"
        aria-label={text.name}
        style={{ minWidth: `${16 + days.length}rem` }}
      >
        <colgroup>
          <col style={{ width: '15.5rem' }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className="sticky start-0 z-10 bg-surface text-start text-small font-medium text-ink-faint">
              {text.item}
            </th>
            {days.map((day, index) => {
              // Counted from the newest day; the first label must not run into the item names.
              const labelled = (days.length - 1 - index) % every === 0 && index >= 2
              return (
                <th key={day} scope="col" className="relative h-4 p-0 text-small font-normal text-ink-faint">
                  <span className={labelled ? 'absolute end-0 bottom-0 whitespace-nowrap' : 'sr-only'}>
                    {dayText(day, newest)}
                  </span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.marker_type}>
              <th
                scope="row"
                className={`sticky start-0 z-10 truncate bg-surface pe-2 text-start font-normal ${startsInstrument(rows, index) ? 'border-t pt-1' : ''}`}
                title={markerNames[row.marker_type]}
              >
                <span className="me-1.5 text-small text-ink-faint">
                  {row.marker_type.startsWith('PHQ9') ? 'P' : 'G'}
                  {row.marker_type.at(-1)}
                </span>
                {markerNames[row.marker_type]}
              </th>
              {row.cells.map((cell, column) => (
                <Square key={days[column]} cell={cell} name={cellName(row, names[column] ?? '', cell)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function startsInstrument(rows: readonly HeatRow[], index: number): boolean {
  const before = rows[index - 1]
  const row = rows[index]
  return before !== undefined && row !== undefined && instrumentOf(before.marker_type) !== instrumentOf(row.marker_type)
}

function cellName(row: HeatRow, day: string, cell: number | null): string {
  return text.cell(markerNames[row.marker_type], day, cell === null ? text.noEvidence : text.of3(cell))
}

function Square({ cell, name }: { cell: number | null; name: string }) {
  if (cell === null)
    return (
      <td title={name} className="h-5 p-0 text-center align-middle text-small text-ink-faint">
        <span aria-hidden="true">·</span>
        <span className="sr-only">{text.noEvidence}</span>
      </td>
    )
  const shade = shades[Math.min(Math.max(Math.round(cell), 0), 3)]
  return (
    <td title={name} className={`h-5 rounded-[3px] border p-0 text-center align-middle text-small ${shade}`}>
      {cell}
    </td>
  )
}

function Legend() {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>{text.notice}</span>
      <span className="inline-flex items-center gap-1" aria-hidden="true">
        {shades.map((shade, score) => (
          <span key={score} className={`inline-grid size-4.5 place-items-center rounded-[3px] border ${shade}`}>
            {score}
          </span>
        ))}
        <span className="ms-2 inline-grid size-4 place-items-center">·</span> {text.legendUnknown}
      </span>
    </span>
  )
}

function heatTable(days: readonly number[], rows: readonly HeatRow[]): Table {
  return {
    columns: [text.item, ...days.map((day) => exportDay(day))],
    rows: rows.map((row) => [markerNames[row.marker_type], ...row.cells]),
  }
}
