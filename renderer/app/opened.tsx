/** The opened console: who sits at this window and how it should look, then the shell; or the page to sign in. */
import { useEffect, useState } from 'react'
import type { Me, SignInState } from '../../shared/views.ts'
import {
  askEverythingAgain,
  ErrorNotice,
  queryClient,
  setSingleKeys,
  showTimesIn,
  useQuery,
  useSubscription,
} from '../controls/index.ts'
import { Choose, SignIn } from '../setup/index.ts'
import { words } from '../words/index.ts'
import { Announcer } from './announcer.tsx'
import { LostBanner } from './connection.tsx'
import { Curtain } from './curtain.tsx'
import { useDraftsBegun } from './drafts.ts'
import { MeProvider } from './me.tsx'
import { usePreferences } from './preferences.ts'
import { Shell } from './shell.tsx'
import { useStartId } from './startup.tsx'
import { trpc } from './wire.ts'

export function Opened() {
  const startId = useStartId()
  const [sitting, setSitting] = useState<SignInState | null>(null)
  /** What the program that was started anew says, while it is not what is on screen. */
  const [since, setSince] = useState<SignInState | null>(null)
  useSubscription<SignInState>(
    (on) => trpc.signIn.state.subscribe(undefined, on),
    (next) => {
      if (sitting?.state === 'in' && next.start_id !== sitting.start_id) return afterRestart(sitting, next)
      // Another person, or another role, sees another console: nothing of what was answered before stays.
      if (seatOf(sitting) !== seatOf(next)) queryClient.clear()
      // Whoever leaves leaves nothing in the page's memory for the next one.
      if (sitting?.state === 'in' && next.state !== 'in') location.reload()
      else setSitting(next)
    },
    [],
  )
  /** A restart signs nobody out who comes back: what they typed is still there, for them alone. */
  const afterRestart = (before: SignInState, next: SignInState) => {
    if (next.state !== 'in') return setSince(next)
    if (seatOf(next) !== seatOf(before)) return location.reload()
    setSince(null)
    setSitting(next)
    askEverythingAgain()
  }
  if (sitting === null) return <p className="p-6">{words.app.loading}</p>
  if (sitting.state === 'in')
    return (
      <>
        <AtWindow key={seatOf(sitting)} />
        {startId !== sitting.start_id && (
          <Curtain label={words.app.name}>{since ? <Entrance state={since} /> : <Waiting />}</Curtain>
        )}
      </>
    )
  return <Entrance state={sitting} />
}

function Waiting() {
  return (
    <>
      <LostBanner />
      <p className="p-6" role="status">
        {words.startup.opening}
      </p>
    </>
  )
}

/** For whoever is not signed in. */
function Entrance({ state }: { state: SignInState }) {
  if (state.state === 'in') return null
  return (
    <>
      <Announcer />
      <LostBanner />
      {state.state === 'out' ? <SignIn waiting={state.waiting} school={state.school} /> : <Choose name={state.name} />}
    </>
  )
}

function seatOf(sitting: SignInState | null): string {
  return sitting?.state === 'in' ? `${sitting.person.id} ${sitting.person.role}` : ''
}

function AtWindow() {
  const me = useQuery<Me>(['me'], () => trpc.me.get.query())
  const begun = useDraftsBegun()
  usePreferencesApplied()
  if (me.error) return <ErrorNotice inset error={me.error} onRetry={me.refetch} />
  if (!me.data || !begun) return <p className="p-6">{words.app.loading}</p>
  showTimesIn(me.data.time_zone)
  return (
    <MeProvider me={me.data}>
      {/* Another person sees another console: nothing of the former's stays on screen. */}
      <Shell key={me.data.person.id} />
    </MeProvider>
  )
}

/** Theme and density are attributes of the document; styles.css reads them. */
function usePreferencesApplied(): void {
  const data = usePreferences()
  useEffect(() => {
    const root = document.documentElement
    if (!data || data.theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = data.theme
    setSingleKeys(data?.single_keys ?? true)
    root.dataset['density'] = data?.density ?? 'comfortable'
  }, [data])
}
