import type { ReactNode } from 'react'
import { show, useMay, useMe, usePlace } from '../app/index.ts'
import { Tabs, type Tab } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Appearance } from './appearance.tsx'
import { ChatKeys } from './chat-keys.tsx'
import { Checklist } from './checklist.tsx'
import { CrisisResourcesPanel } from './crisis-resources.tsx'
import { Detection } from './detection.tsx'
import { Directory } from './directory.tsx'
import { OnCall } from './on-call/index.ts'
import { People } from './people.tsx'
import { Queues } from './queues.tsx'
import { RosterImport } from './roster-import.tsx'
import { TimetableImport } from './timetable-import.tsx'

type Part = keyof typeof words.settings.tabs

const parts: Record<Part, () => ReactNode> = {
  queues: Queues,
  appearance: Appearance,
  roster: Imports,
  people: People,
  directory: Directory,
  'on-call': OnCall,
  chat: Chat,
  detection: Detection,
}

function Imports() {
  return (
    <>
      <RosterImport />
      <TimetableImport />
    </>
  )
}

function Chat() {
  return (
    <>
      <ChatKeys />
      <CrisisResourcesPanel />
    </>
  )
}

export function SettingsScreen() {
  const { subject } = usePlace()
  const managesRoster = useMay('roster.manage')
  const { desk } = useMe()
  const managesDesk = useMay('desk.manage') && desk
  const tabs = (Object.keys(parts) as Part[])
    .filter((id) => (id !== 'roster' || managesRoster) && (id !== 'chat' || managesDesk))
    .map((id): Tab<Part> => ({ id, label: words.settings.tabs[id] }))
  const chosen = tabs.find(({ id }) => id === subject)?.id ?? 'queues'
  const Chosen = parts[chosen]
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="bg-surface px-4 pt-3 text-large">{words.settings.title}</h1>
      <Tabs
        label={words.settings.title}
        tabs={tabs}
        chosen={chosen}
        onChoose={show}
        barClass="bg-surface"
        panelClass="min-h-0 flex-1 overflow-y-auto p-4"
      >
        {/* A week needs its room. */}
        <div className={`flex flex-col gap-4 ${chosen === 'on-call' ? 'max-w-5xl' : 'max-w-3xl'}`}>
          <Checklist />
          <Chosen />
        </div>
      </Tabs>
    </div>
  )
}
