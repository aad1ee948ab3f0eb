/** Students, alerts, screens and commands by what is typed; by keyboard alone. */
import { useState, type ReactNode } from 'react'
import { Command } from 'cmdk'
import { linkIn, type LinkKind } from '../../shared/links.ts'
import type { Found } from '../../shared/views.ts'
import {
  Dialog,
  ErrorNotice,
  StudentName,
  TierBadge,
  actOnKey,
  hasAction,
  keyList,
  keyNames,
  useAction,
  useQuery,
  whenText,
  type KeyName,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { copyLink } from './copy-link.tsx'
import { KeyHint } from './keys-dialog.tsx'
import { goTo, openLink, usePlace } from './navigation.ts'
import { setPreferences } from './preferences.ts'
import { trpc } from './wire.ts'

const text = words.palette

interface Choice {
  name: string
  key?: KeyName
  run: () => void
}

/** What has a key and can be done on any screen, the record of an open alert, and the themes. */
const commands: readonly Choice[] = [
  ...keyNames
    .filter((key) => keyList[key].scope === 'everywhere' || key === 'incidentRecord')
    .filter((key) => key !== 'palette' && key !== 'search')
    .map((key) => ({ name: words.keys.list[key], key, run: () => void actOnKey(key) })),
  ...(['light', 'dark', 'system'] as const).map((theme) => ({
    name: text.theme[theme],
    run: () => void setPreferences({ theme }).catch(() => undefined),
  })),
]

export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const place = usePlace()
  const wanted = typed.trim().toLowerCase()
  const link = linkIn(typed)
  const asked = link === null && wanted.length > 1 ? wanted : ''
  const found = useQuery<Found>(['find', asked], () => trpc.find.look.query({ text: asked }), {
    enabled: asked !== '',
    fresh: true,
  })
  const { students, alerts } = (asked !== '' && found.data) || { students: [], alerts: [] }
  const copy = useAction(({ kind, subject }: { kind: LinkKind; subject: string }) => copyLink(kind, subject))
  const then = (act: () => void) => () => {
    onClose()
    act()
  }
  const { screen, subject } = place
  const own: Choice[] =
    subject !== null && (screen === 'alerts' || screen === 'students' || screen === 'incident')
      ? [{ name: words.links.copy[screen], run: () => void copy.run({ kind: screen, subject }) }]
      : []
  const fits = ({ name }: Choice) => name.toLowerCase().includes(wanted)
  const nothing = asked !== '' && found.pending ? words.common.loading : text.none
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Command label={text.title} loop shouldFilter={false}>
        <Command.Input
          data-first
          className="field mb-2"
          placeholder={text.placeholder}
          value={typed}
          onValueChange={setTyped}
        />
        <p role="status" className={copy.done ? 'mb-2 font-semibold' : 'sr-only'}>
          {copy.done ? words.links.copied : asked !== '' && found.data && text.found(students.length, alerts.length)}
        </p>
        {copy.error && <ErrorNotice error={copy.error} />}
        {found.error && asked !== '' && <ErrorNotice error={found.error} />}
        <Command.List className="max-h-72 overflow-auto">
          <Command.Empty className="p-2 text-ink-faint">{nothing}</Command.Empty>
          {link && (
            <Item value="link" onSelect={then(() => openLink(link))}>
              {words.links.open}
            </Item>
          )}
          {/* What is known at once stands first: what comes a moment later moves nothing that was chosen. */}
          {own.filter(fits).map(({ name, run }) => (
            <Item key={name} value={name} onSelect={run}>
              {name}
            </Item>
          ))}
          {commands
            .filter((command) => (command.key === undefined || hasAction(command.key)) && fits(command))
            .map(({ name, key, run }) => (
              <Item key={name} value={name} onSelect={then(run)}>
                {name}
                {key && <KeyHint name={key} />}
              </Item>
            ))}
          {students.length > 0 && (
            <Group heading={words.app.screens.students}>
              {students.map(({ student, tier }) => (
                <Item
                  key={student.student_hash}
                  value={`student ${student.student_hash}`}
                  onSelect={then(() => goTo('students', student.student_hash))}
                >
                  <StudentName student={student} more />
                  <TierBadge tier={tier} />
                </Item>
              ))}
            </Group>
          )}
          {alerts.length > 0 && (
            <Group heading={words.app.screens.alerts}>
              {alerts.map((alert) => (
                <Item key={alert.key} value={`alert ${alert.key}`} onSelect={then(() => goTo('alerts', alert.key))}>
                  <span className="min-w-0">
                    <StudentName student={alert.student} />
                    <span className="block text-small text-ink-faint">
                      {words.common.list(alert.categories.map((name) => words.category[name]))}
                      {alert.categories.length > 0 && ' · '}
                      {whenText(alert.last_trigger_at)} · {text.state[alert.state]}
                    </span>
                  </span>
                  <TierBadge tier={alert.tier} />
                </Item>
              ))}
            </Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-ink-faint"
    >
      {children}
    </Command.Group>
  )
}

function Item(props: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={props.value}
      onSelect={props.onSelect}
      className="flex items-center justify-between gap-3 rounded px-2 py-1.5 data-[selected=true]:bg-selected"
    >
      {props.children}
    </Command.Item>
  )
}
