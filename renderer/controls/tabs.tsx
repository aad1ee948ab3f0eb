import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { numberText } from '../words/index.ts'

export interface Tab<Id extends string> {
  id: Id
  label: string
  /** A number after the label; undefined = none. */
  count?: number | undefined
}

/** A row of tabs over one panel; arrow keys, Home and End move. `children` is the chosen tab's content. */
export function Tabs<Id extends string>(props: {
  label: string
  tabs: Tab<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
  children: ReactNode
  aside?: ReactNode
  /** Classes of the bar with the tabs, and of the panel below. */
  barClass?: string
  panelClass?: string
}) {
  const id = useId()
  const move = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex((tab) => tab.id === props.chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: props.tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const tab = props.tabs[(to + props.tabs.length) % props.tabs.length]
    if (!tab) return
    props.onChoose(tab.id)
    document.getElementById(`${id}-${tab.id}`)?.focus()
  }
  return (
    <>
      <div className={`ring-inside flex flex-wrap items-center gap-x-3 border-b px-2 ${props.barClass ?? ''}`}>
        <div role="tablist" aria-label={props.label} onKeyDown={move} className="flex min-w-0 flex-wrap gap-x-1">
          {props.tabs.map((tab) => {
            const on = tab.id === props.chosen
            return (
              <button
                key={tab.id}
                type="button"
                role="tab"
                id={`${id}-${tab.id}`}
                aria-selected={on}
                aria-controls={`${id}-panel`}
                tabIndex={on ? 0 : -1}
                onClick={() => props.onChoose(tab.id)}
                className={`-mb-px border-b-2 px-2 py-1.5 whitespace-nowrap ${on ? 'border-ink font-semibold text-ink' : 'border-transparent text-ink-soft hover:text-ink'}`}
              >
                {tab.label}
                {tab.count !== undefined && <span className="ms-1.5 text-ink-faint">{numberText(tab.count)}</span>}
              </button>
            )
          })}
        </div>
        {props.aside}
      </div>
      <div
        role="tabpanel"
        tabIndex={-1}
        id={`${id}-panel`}
        aria-labelledby={`${id}-${props.chosen}`}
        className={props.panelClass ?? ''}
      >
        {props.children}
      </div>
    </>
  )
}
