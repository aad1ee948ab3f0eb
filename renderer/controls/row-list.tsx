/** A long list of rows to move through with j/k or arrows and open with Enter; only rows in sight are drawn. */
import { useCallback, useEffect, useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { useKeys } from './keys.ts'
import type { Pages } from './pages.ts'

/** In a search field: Escape and Enter give the keyboard back to the list. */
export function leaveSearch(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur()
}

interface RowListProps<Row> {
  label: string
  rows: Pages<Row>
  total: number
  /** Position of the chosen row. */
  cursor: number
  onCursor: (index: number) => void
  onOpen: (row: Row) => void
  draw: (row: Row) => ReactNode
  /** Column headings stand above: the room of a scroll bar is kept, there and here, whether or not the list scrolls. */
  gutter?: boolean
  /** Accessible name of a row's button; its text when absent. */
  rowName?: (row: Row) => string
}

/** The list has the role `list`; each row is one button, and only the chosen one is in the tab order. */
export function RowList<Row>(props: RowListProps<Row>) {
  const { rows, total, cursor, onCursor } = props
  const list = useRef<VirtuosoHandle>(null)
  const holder = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | null>(null)

  const focusRow = useCallback(() => {
    if (wanted.current === null) return
    const row = holder.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)
    if (!row) return
    wanted.current = null
    row.focus({ preventScroll: true })
  }, [])
  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), total - 1)
    if (index < 0) return
    onCursor(index)
    wanted.current = index
    list.current?.scrollIntoView({ index, done: () => requestAnimationFrame(focusRow) })
  }
  useEffect(focusRow, [cursor, focusRow])
  useKeys({
    next: () => move(cursor + 1),
    previous: () => move(cursor - 1),
    first: () => move(0),
    last: () => move(total - 1),
    open: (event) => {
      // A focused control acts by itself.
      if (event?.target instanceof HTMLElement && event.target.closest('button, a, [role="separator"]')) return false
      const row = rows.rowAt(cursor)
      if (row) props.onOpen(row)
      return true
    },
  })

  return (
    <div ref={holder} className="ring-inside min-h-0 flex-1">
      <Virtuoso
        ref={list}
        {...(props.gutter ? { className: 'scroll-gutter' } : {})}
        tabIndex={-1}
        totalCount={total}
        initialTopMostItemIndex={Math.min(cursor, Math.max(total - 1, 0))}
        rangeChanged={({ startIndex, endIndex }) => rows.show(startIndex, endIndex)}
        increaseViewportBy={200}
        components={parts}
        context={{ label: props.label }}
        itemContent={(index) => {
          const row = rows.rowAt(index)
          if (row === undefined) return <div className="h-11 border-b" />
          return (
            <button
              type="button"
              data-row={index}
              tabIndex={index === cursor ? 0 : -1}
              aria-current={index === cursor || undefined}
              aria-label={props.rowName?.(row)}
              onClick={() => {
                onCursor(index)
                props.onOpen(row)
              }}
              className="block w-full border-b px-3 py-1.5 text-start hover:bg-hover aria-current:bg-selected"
            >
              {props.draw(row)}
            </button>
          )
        }}
      />
    </div>
  )
}

const parts = {
  List: ({ context, ...rest }: { context?: { label: string } } & ComponentProps<'div'>) => (
    <div {...rest} role="list" aria-label={context?.label} />
  ),
  Item: ({
    context: _context,
    item: _item,
    ...rest
  }: { context?: unknown; item?: unknown } & ComponentProps<'div'>) => <div {...rest} role="listitem" />,
}
