import { useId, type ReactNode } from 'react'

export interface Choice<Value extends string> {
  value: Value
  label: string
}

/** A labelled choice (the browser's own: readable by everything, at every zoom). */
export function Select<Value extends string>(props: {
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
  /** The label is for assistive technology only. */
  labelHidden?: boolean
  disabled?: boolean
  /** Has the focus when its dialog opens. */
  first?: boolean
}) {
  const id = useId()
  return (
    <div className={props.labelHidden ? 'contents' : 'flex flex-col gap-1'}>
      <label htmlFor={id} className={props.labelHidden ? 'sr-only' : 'text-ink-soft'}>
        {props.label}
      </label>
      <select
        id={id}
        data-first={props.first || undefined}
        className="field w-auto"
        value={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.value as Value)}
      >
        {props.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A label above any control; the control takes `id`. A hint or a problem is tied to it by `hintId`. */
export function Field(props: {
  label: string
  /** What assistive technology calls it, where that says more: it begins with the label. */
  name?: string | undefined
  hint?: string | undefined
  problem?: string | null | undefined
  children: (bind: {
    id: string
    'aria-label'?: string
    'aria-describedby'?: string
    'aria-invalid'?: boolean
  }) => ReactNode
}) {
  const id = useId()
  const note = props.problem ?? props.hint
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-ink-soft">
        {props.label}
      </label>
      {props.children({
        id,
        ...(props.name ? { 'aria-label': props.name } : {}),
        ...(note ? { 'aria-describedby': `${id}-note` } : {}),
        ...(props.problem ? { 'aria-invalid': true } : {}),
      })}
      {note && (
        <p id={`${id}-note`} className={props.problem ? 'font-medium text-crisis' : 'text-small text-ink-faint'}>
          {note}
        </p>
      )}
    </div>
  )
}
