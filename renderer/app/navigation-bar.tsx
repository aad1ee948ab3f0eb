import {
  Bell,
  CalendarCheck,
  ChartNoAxesColumn,
  CircleHelp,
  EyeOff,
  Keyboard,
  LogOut,
  MessagesSquare,
  Settings,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { DropdownMenu } from 'radix-ui'
import type { Me } from '../../shared/views.ts'
import { ariaKeys, queryClient, shownKeys, useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { DueMark } from './due-mark.tsx'
import { useMe } from './me.tsx'
import { goTo, show, type Screen } from './navigation.ts'
import type { Route } from './routes.tsx'
import { trpc } from './wire.ts'

const icons: Record<Screen, ReactNode> = {
  alerts: <Bell size={16} aria-hidden="true" />,
  'my-day': <CalendarCheck size={16} aria-hidden="true" />,
  students: <Users size={16} aria-hidden="true" />,
  sessions: <MessagesSquare size={16} aria-hidden="true" />,
  overview: <ChartNoAxesColumn size={16} aria-hidden="true" />,
  settings: <Settings size={16} aria-hidden="true" />,
  help: <CircleHelp size={16} aria-hidden="true" />,
  'set-up': null,
  incident: null,
  'late-start': null,
}

/** At the left; on a narrow or strongly zoomed window above the screen. */
export function Navigation(props: {
  routes: readonly Route[]
  screen: Screen
  unacknowledged: number
  onKeys: () => void
  onLock: () => void
}) {
  const me = useMe()
  return (
    <nav
      aria-label={words.app.navigation}
      className="ring-inside flex shrink-0 flex-wrap items-center gap-1 border-b bg-surface p-1.5 narrow:w-22 narrow:flex-col narrow:flex-nowrap narrow:items-stretch narrow:overflow-y-auto narrow:border-e narrow:border-b-0 wide:w-44"
    >
      {props.routes.map((route) => {
        if (route.key === null) return null
        const here = route.screen === props.screen
        return (
          <a
            key={route.screen}
            href={`#/${route.screen}`}
            aria-current={here ? 'page' : undefined}
            aria-keyshortcuts={ariaKeys(route.key)}
            onClick={(event) => {
              event.preventDefault()
              goTo(route.screen)
            }}
            className={`relative flex items-center gap-2 rounded px-2 py-1.5 narrow:flex-col narrow:gap-0.5 narrow:px-1 wide:flex-row wide:gap-2 wide:px-2 ${here ? 'bg-selected font-semibold text-ink' : 'text-ink-soft hover:bg-hover'}`}
          >
            {icons[route.screen]}
            {words.app.screens[route.screen]}
            {route.screen === 'my-day' && <DueMark />}
            {route.screen === 'alerts' && props.unacknowledged > 0 && (
              <span
                aria-hidden="true"
                className="rounded-full bg-ink px-1.5 text-small font-semibold text-on-ink narrow:absolute narrow:end-1.5 narrow:top-1 wide:static wide:ms-auto"
              >
                {props.unacknowledged > 99 ? '99+' : props.unacknowledged}
              </span>
            )}
          </a>
        )
      })}
      <div className="ms-auto flex items-center gap-1 narrow:ms-0 narrow:mt-auto narrow:flex-col narrow:items-stretch">
        <PersonMenu me={me} onKeys={props.onKeys} onLock={props.onLock} />
      </div>
    </nav>
  )
}

function PersonMenu({ me, onKeys, onLock }: { me: Me; onKeys: () => void; onLock: () => void }) {
  const become = useAction(
    (personId: string) => trpc.me.become.mutate({ personId }),
    () => {
      // What the former person was shown is not the next one's to see.
      show(null)
      void queryClient.resetQueries()
    },
  )
  const signOut = useAction(() => trpc.signIn.signOut.mutate())
  const initials = me.person.name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase()
  const item = 'flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none data-[highlighted]:bg-selected'
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex items-center gap-2 rounded px-1.5 py-1.5 text-start hover:bg-hover narrow:justify-center wide:justify-start">
        <span
          aria-hidden="true"
          className="flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong text-small font-semibold"
        >
          {initials}
        </span>
        <span className="sr-only min-w-0 leading-tight wide:not-sr-only">
          <span className="block truncate font-semibold">{me.person.name}</span>
          <span className="block text-small text-ink-faint">{words.role[me.person.role]}</span>
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-20 min-w-60 rounded border bg-raised p-1 shadow-float"
        >
          <DropdownMenu.Label className="px-2 py-1">
            <span className="block text-small text-ink-faint">{words.app.signedIn}</span>
            <span className="font-semibold">{me.person.name}</span>
            <span className="text-ink-faint"> · {words.role[me.person.role]}</span>
            {(me.demo || me.school_name) && (
              <span className="block text-small text-ink-faint">{me.school_name ?? words.app.demonstration}</span>
            )}
          </DropdownMenu.Label>
          {me.others.length > 0 && (
            <>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Label className="px-2 pt-1 text-small text-ink-faint">
                {words.app.switchPerson}
              </DropdownMenu.Label>
              {me.others.map((other) => (
                <DropdownMenu.Item key={other.id} className={item} onSelect={() => void become.run(other.id)}>
                  {other.name}
                  <span className="ms-auto text-small text-ink-faint">{words.role[other.role]}</span>
                </DropdownMenu.Item>
              ))}
            </>
          )}
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={item} onSelect={onKeys}>
            <Keyboard size={14} aria-hidden="true" /> {words.app.keys}
            <kbd className="key-hint ms-auto font-sans">{shownKeys('keys')}</kbd>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={item} onSelect={onLock}>
            <EyeOff size={14} aria-hidden="true" /> {words.app.lock}
            <kbd className="key-hint ms-auto font-sans">{shownKeys('lock')}</kbd>
          </DropdownMenu.Item>
          {me.has_account && (
            <DropdownMenu.Item className={item} onSelect={() => void signOut.run(undefined)}>
              <LogOut size={14} aria-hidden="true" /> {words.signIn.out}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
