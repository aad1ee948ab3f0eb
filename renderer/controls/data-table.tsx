import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end. */
  align?: 'start' | 'end'
}

/** A plain table for up to a few hundred rows. `label` names it; `empty` is shown without rows. */
export function DataTable<Row>(props: {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  empty?: ReactNode
}) {
  if (props.rows.length === 0 && props.empty) return <>{props.empty}</>
  const side = (column: Column<Row>) => (column.align === 'end' ? 'text-end' : 'text-start')
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={props.label}>
      <table className="w-full border-collapse" aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`border-b px-2 py-1 text-small font-medium whitespace-nowrap text-ink-faint ${side(column)}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.rowKey(row)} className="border-b last:border-b-0">
              {props.columns.map((column) => (
                <td key={column.header} className={`px-2 py-1.5 align-top ${side(column)}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
