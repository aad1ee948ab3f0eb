import { useId, type ReactNode } from 'react'

/** A titled part of a screen. `name` overrides the region's accessible name. */
export function Panel(props: {
  title: string
  name?: string
  aside?: ReactNode
  children: ReactNode
  className?: string
}) {
  const id = useId()
  const named = props.name === undefined ? { 'aria-labelledby': id } : { 'aria-label': props.name }
  return (
    <section {...named} className={`rounded border bg-surface ${props.className ?? ''}`}>
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 pt-2">
        <h2 id={id} className="text-base font-semibold">
          {props.title}
        </h2>
        {props.aside}
      </header>
      <div className="px-3 pt-1 pb-3">{props.children}</div>
    </section>
  )
}
