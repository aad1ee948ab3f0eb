import { Command } from 'cmdk'
import { Dialog, actOnKey, hasAction, keyList, keyNames, type KeyName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { KeyHint } from './keys-dialog.tsx'
import { setPreferences } from './preferences.ts'

/** What has a key and can be done on any screen, and the themes. */
const commands: readonly { name: string; key?: KeyName; run: () => void }[] = [
  ...keyNames
    .filter((key) => keyList[key].scope === 'everywhere' && key !== 'palette' && key !== 'search')
    .map((key) => ({ name: words.keys.list[key], key, run: () => void actOnKey(key) })),
  ...(['light', 'dark', 'system'] as const).map((theme) => ({
    name: words.palette.theme[theme],
    run: () => void setPreferences({ theme }).catch(() => undefined),
  })),
]

export function Palette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.palette.title} onClose={onClose}>
      <Command label={words.palette.title} loop>
        <Command.Input data-first className="field mb-2" placeholder={words.palette.placeholder} />
        <Command.List className="max-h-72 overflow-auto">
          <Command.Empty className="p-2 text-ink-faint">{words.palette.none}</Command.Empty>
          {commands
            .filter(({ key }) => key === undefined || hasAction(key))
            .map((command) => (
              <Command.Item
                key={command.name}
                value={command.name}
                onSelect={() => {
                  onClose()
                  command.run()
                }}
                className="flex items-center justify-between rounded px-2 py-1.5 data-[selected=true]:bg-selected"
              >
                {command.name}
                {command.key && <KeyHint name={command.key} />}
              </Command.Item>
            ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
