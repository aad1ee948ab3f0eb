/** Columns whose widths a person sets with pointer or arrow keys, and which are remembered by name. */
import { Fragment, type ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { trpc } from './wire.ts'
import { useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

interface ResizableColumn {
  id: string
  /** Percent of the whole at first. */
  size: number
  /** Smallest width, CSS length. */
  min: string
  content: ReactNode
}

export function Columns({ name, columns }: { name: string; columns: ResizableColumn[] }) {
  const remembered = useQuery<number[] | null>(['layout', name], () => trpc.settings.layout.query({ name }))
  if (remembered.pending) return null
  const sizes = remembered.data?.length === columns.length ? remembered.data : columns.map(({ size }) => size)
  return (
    <Group
      key={name}
      orientation="horizontal"
      className="h-full"
      defaultLayout={Object.fromEntries(columns.map(({ id }, index) => [id, sizes[index] ?? 0]))}
      onLayoutChanged={(layout, { isUserInteraction }) => {
        if (!isUserInteraction) return
        const now = columns.map(({ id }) => layout[id] ?? 0)
        void trpc.settings.setLayout.mutate({ name, sizes: now }).catch(() => undefined)
      }}
    >
      {columns.map((column, index) => (
        <Fragment key={column.id}>
          {index > 0 && (
            <Separator
              aria-label={words.app.resize}
              className="w-px bg-line outline-offset-0 data-[separator=active]:bg-line-strong data-[separator=hover]:bg-line-strong"
            />
          )}
          <Panel id={column.id} minSize={column.min} className="h-full min-w-0">
            {column.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}
