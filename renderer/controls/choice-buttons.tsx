export interface Option<Value> {
  value: Value
  label: string
}

/** A few choices side by side, one of them pressed. */
export function ChoiceButtons<Value extends string | number>(props: {
  label: string
  chosen: Value | null
  choices: readonly Option<Value>[]
  onChoose: (value: Value) => void
}) {
  return (
    <div role="group" aria-label={props.label} className="flex">
      {props.choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.chosen}
          onClick={() => props.onChoose(value)}
          className="relative -ms-px min-h-7 border border-line-strong px-2.5 py-0.5 whitespace-nowrap text-ink-soft first:ms-0 first:rounded-s last:rounded-e hover:bg-hover focus-visible:z-10 aria-pressed:bg-selected aria-pressed:font-semibold aria-pressed:text-ink"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
