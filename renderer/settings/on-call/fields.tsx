/** Small fields of this page. */
import type { ReactNode } from 'react'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { Button, Field } from '../../controls/index.ts'

/** What is edited, and what is wrong with it. */
export interface Editing<Part> {
  value: Part
  change: (value: Part) => void
  /** A sentence about a place, written as “on_call.rotas.0.name”, or, unless `alone`, within it; null = nothing is wrong. */
  problem: (place: string, alone?: boolean) => string | null
}

/** A whole number; NaN = nothing that is one. */
export function NumberField(props: {
  label: string
  name?: string
  min: number
  max: number
  value: number
  problem: string | null
  onChange: (value: number) => void
}) {
  return (
    <Field label={props.label} name={props.name} problem={props.problem}>
      {(bind) => (
        <input
          {...bind}
          className="field w-24"
          type="number"
          inputMode="numeric"
          min={props.min}
          max={props.max}
          value={Number.isNaN(props.value) ? '' : props.value}
          onChange={({ target }) => props.onChange(target.value === '' ? Number.NaN : Number(target.value))}
        />
      )}
    </Field>
  )
}

/** A day with a time, as the school's clocks show them. */
export function WallField(props: {
  label: string
  name?: string
  value: string
  problem: string | null
  onChange: (value: string) => void
}) {
  return (
    <Field label={props.label} name={props.name} problem={props.problem}>
      {(bind) => (
        <input
          {...bind}
          className="field"
          type="datetime-local"
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  )
}

/** A choice of one, with what is wrong with it. */
export function ChoiceField<Value extends string>(props: {
  label: string
  name?: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  problem: string | null
  onChange: (value: Value) => void
}) {
  return (
    <Field label={props.label} name={props.name} problem={props.problem}>
      {(bind) => (
        <select
          {...bind}
          className="field w-full"
          value={props.value}
          onChange={({ target }) => props.onChange(target.value as Value)}
        >
          {props.choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Moves an entry up or down, or takes it away; each names what it does to which. */
export function EntryButtons(props: {
  up: string
  down: string
  remove: string
  first: boolean
  last: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  return (
    <span className="flex gap-1">
      <Button aria-label={props.up} title={props.up} disabled={props.first} onClick={() => props.onMove(-1)}>
        <ArrowUp size={14} aria-hidden="true" />
      </Button>
      <Button aria-label={props.down} title={props.down} disabled={props.last} onClick={() => props.onMove(1)}>
        <ArrowDown size={14} aria-hidden="true" />
      </Button>
      <RemoveButton label={props.remove} onRemove={props.onRemove} />
    </span>
  )
}

/** Takes an entry away; the focus goes to what the list ends with, where there is such. */
export function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => {
        const list = currentTarget.closest('[data-list]')
        onRemove()
        requestAnimationFrame(() => {
          const adding = [...(list?.querySelectorAll<HTMLElement>('[data-add]') ?? [])]
          // Not that of a list within this one.
          adding.find((each) => each.closest('[data-list]') === list)?.focus()
        })
      }}
    >
      <X size={14} aria-hidden="true" />
    </Button>
  )
}

/** A list that is edited; `add` is focused when an entry was taken away. */
export function EntryList({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div data-list className={className}>
      {children}
    </div>
  )
}
