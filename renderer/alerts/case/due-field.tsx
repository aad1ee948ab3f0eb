import { clockText, Button, Field, fromTimeField, shownZone, toTimeField, whenText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { duePresets, presetDue, type DuePreset } from './due-time.ts'

const text = words.case.commitments

/** A date and a time: by one press for what is usual, else as the browser asks for it. */
export function DueField(props: { value: string; problem: string | null; onChange: (value: string) => void }) {
  const zone = shownZone()
  const due = fromTimeField(props.value)
  const name = (preset: DuePreset) =>
    preset === 'tomorrow' ? text.tomorrow(clockText(presetDue(preset, Date.now(), zone))) : text[preset]
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={text.due} hint={due === null ? undefined : whenText(due)} problem={props.problem}>
        {(bind) => (
          <input
            {...bind}
            className="field"
            type="datetime-local"
            value={props.value}
            onChange={(event) => props.onChange(event.target.value)}
          />
        )}
      </Field>
      <div role="group" aria-label={text.presets} className="flex flex-wrap gap-2">
        {duePresets.map((preset) => (
          <Button key={preset} onClick={() => props.onChange(toTimeField(presetDue(preset, Date.now(), zone)))}>
            {name(preset)}
          </Button>
        ))}
      </div>
    </div>
  )
}
