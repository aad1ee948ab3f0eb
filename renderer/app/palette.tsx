import { Command } from 'cmdk'
import { Dialog } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { setPreferences } from './preferences.ts'

export interface PaletteCommand {
  name: string
  keys?: string[]
  run: () => void
}

const themes = (['light', 'dark', 'system'] as const).map((theme) => ({
  name: words.palette.theme[theme],
  run: () => void setPreferences({ theme }).catch(() => undefined),
}))

export function Palette({ commands, onClose }: { commands: PaletteCommand[]; onClose: () => void }) {
  const all: PaletteCommand[] = [...commands, ...themes]
  return (
    <Dialog title={words.palette.title} onClose={onClose}>
      <Command label={words.palette.title} loop>
        <Command.Input data-first className="field mb-2" placeholder={words.palette.placeholder} />
        <Command.List className="max-h-72 overflow-auto">
          <Command.Empty className="p-2 text-ink-faint">{words.palette.none}</Command.Empty>
          {all.map((command) => (
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
              <span className="flex gap-1">
                {command.keys?.map((key) => (
                  <kbd key={key} className="key-hint font-sans">
                    {key}
                  </kbd>
                ))}
              </span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
