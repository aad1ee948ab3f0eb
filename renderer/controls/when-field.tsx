import { minutes } from '../../shared/time.ts'
import { words } from '../words/index.ts'
import { Button } from './button.tsx'
import { Field } from './select.tsx'

import { clockText, fromTimeField, lengthText, shownZone, toTimeField, whenText } from './time-text.ts'
import { useNow } from './time.tsx'
import { whenPresets, type WhenKind, type WhenPreset } from './when-presets.ts'

const text = words.when

/**
 * A day and a time, by one press for the usual ones. `value` is what the field holds, in the zone of the screens:
 * `toTimeField` and `fromTimeField` turn it into UTC milliseconds and back.
 */
export function WhenField(props: {
  label: string
  kind: WhenKind
  value: string
  onChange: (value: string) => void
  problem?: string | null | undefined
}) {
  const now = useNow(minutes(1))
  const chosen = fromTimeField(props.value)
  const presets = whenPresets(props.kind, now, shownZone())
  return (
    <div className="flex flex-col gap-1">
      <Field
        label={props.label}
        hint={chosen === null ? undefined : whenText(chosen, now)}
        problem={props.problem ?? null}
      >
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
      <div role="group" aria-label={text.presets(props.label)} className="flex flex-wrap gap-1">
        {presets.map((preset) => {
          const at = toTimeField(preset.at)
          return (
            <Button
              key={presetText(preset)}
              aria-pressed={at === props.value}
              className="aria-pressed:bg-selected"
              onClick={() => props.onChange(at)}
            >
              {presetText(preset)}
            </Button>
          )
        })}
      </div>
    </div>
  )
}

function presetText(preset: WhenPreset): string {
  if (preset.name === 'in') return text.in(lengthText(preset.length))
  return text[preset.name](clockText(preset.at))
}

/** Why a time cannot stand; null when it can. `now` in UTC milliseconds. */
export function whenProblem(value: string, now: number): string | null {
  const at = fromTimeField(value)
  if (at === null) return text.missing
  return at <= now ? text.past : null
}
