import type { Preferences } from '../../shared/views.ts'
import {
  askForNotifications, playSound, setPreferences, useNotificationState, usePreferences,
} from '../app/index.ts' // prettier-ignore
import { Button, ErrorNotice, Panel, Select, useAction, type Choice } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.settings.appearance

function choices<Value extends string>(names: Record<Value, string>): Choice<Value>[] {
  return (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }))
}

/** Theme, density and sound of this console. */
export function Appearance() {
  const preferences = usePreferences()
  const change = useAction((part: Partial<Preferences>) => setPreferences(part))
  if (!preferences) return <p className="text-ink-faint">{words.common.loading}</p>
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-3">
        <Select
          label={text.theme}
          value={preferences.theme}
          choices={choices(text.themes)}
          onChange={(theme) => void change.run({ theme })}
        />
        <Select
          label={text.density}
          value={preferences.density}
          choices={choices(text.densities)}
          onChange={(density) => void change.run({ density })}
        />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-ink"
            checked={preferences.single_keys}
            onChange={(event) => void change.run({ single_keys: event.target.checked })}
          />
          {text.singleKeys}
        </label>
        <div className="flex flex-wrap items-end gap-2">
          <Select
            label={text.sound}
            value={preferences.sound}
            choices={choices(text.sounds)}
            onChange={(sound) => void change.run({ sound })}
          />
          <Button onClick={() => playSound(preferences.sound === 'off' ? 'chime' : preferences.sound)}>
            {text.hear}
          </Button>
        </div>
        <p className="text-small text-ink-faint">{text.soundHint}</p>
        <Notifications />
        {change.error && <ErrorNotice error={change.error} />}
      </div>
    </Panel>
  )
}

/** The browser asks only when the person presses; in a window of its own the program notifies by itself. */
function Notifications() {
  const state = useNotificationState()
  const ask = useAction(() => askForNotifications())
  const said = text.notifications
  if (state === 'desk') return null
  return (
    <section aria-label={said.title} className="flex flex-col items-start gap-2">
      <h3 className="font-semibold">{said.title}</h3>
      <p className="text-ink-soft">{said.text}</p>
      <p role="status" className={state === 'granted' ? '' : 'font-semibold'}>
        {said[state]}
      </p>
      {state === 'default' && (
        <Button busy={ask.busy} onClick={() => void ask.run(undefined)}>
          {said.allow}
        </Button>
      )}
    </section>
  )
}
