import { Field } from './select.tsx'

/** A labelled line to type in. */
export function TextField(props: {
  label: string
  /** As of {@link Field}. */
  name?: string
  hint?: string | undefined
  problem?: string | null | undefined
  type?: 'text' | 'password' | 'tel' | 'email' | 'date' | 'time'
  autoComplete?: string
  /** Has the focus at first. */
  first?: boolean
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field label={props.label} name={props.name} hint={props.hint} problem={props.problem}>
      {(bind) => (
        <input
          {...bind}
          className="field"
          type={props.type ?? 'text'}
          autoComplete={props.autoComplete ?? 'off'}
          autoFocus={props.first}
          spellCheck={false}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
