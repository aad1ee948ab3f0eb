/** Strip above, screens at the left, the chosen screen beside them. */
import { Suspense, useCallback, useEffect, useState } from 'react'
import { may } from '../../shared/permissions.ts'
import type { AlertRow, InboxChange, LateStartView, StripView } from '../../shared/views.ts'
import { applyInboxChange } from '../alerts/index.ts'
import { EmptyState, queryClient, useLatest, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Announcer } from './announcer.tsx'
import { LostBanner, useWire } from './connection.tsx'
import { FollowLink } from './follow-link.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { LateStartContext, useLateStartOpened } from './late-start.tsx'
import { LockedContext } from './locked.ts'
import { LockCurtain } from './lock-curtain.tsx'
import { useMe } from './me.tsx'
import { Navigation } from './navigation-bar.tsx'
import { goTo, usePlace } from './navigation.ts'
import { NewCrisisBar, useNewCrises } from './new-crisis.tsx'
import { Palette } from './palette.tsx'
import { routes } from './routes.tsx'
import { ReportsBar } from './reports-bar.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'
import { useShellKeys } from './use-shell-keys.ts'
import { Strip } from './strip.tsx'
import { useUnheld } from './unheld.ts'
import { useAlarm } from './use-alarm.ts'
import { UndoBar } from './undo-bar.tsx'
import { trpc } from './wire.ts'

export function Shell() {
  const me = useMe()
  const { screen, subject } = usePlace()
  const { state: wire, lost } = useWire()
  const [layer, setLayer] = useState<'keys' | 'palette' | null>(null)
  const [locked, setLocked] = useState(false)
  const strip = useLatest<StripView>((on) => trpc.strip.watch.subscribe(undefined, on), [])
  const [late, setLate] = useState<LateStartView | null | undefined>(undefined)
  useSubscription<LateStartView | null>((on) => trpc.lateStart.watch.subscribe(undefined, on), setLate, [])
  useLateStartOpened(late)
  const unacknowledged = strip?.unacknowledged ?? 0
  const allowed = routes.filter((route) => may(me.person.role, route.needs))
  const route = allowed.find((candidate) => candidate.screen === screen)

  const { unheld, change: applyToUnheld } = useUnheld(me.person.id)
  const { crises, arrived } = useNewCrises(screen === 'alerts' ? subject : null, me.person.id)
  const openNewCrisis = (): boolean => {
    const wanted = crises[0] ?? unheld[0]
    if (wanted) goTo('alerts', wanted.key)
    return wanted !== undefined
  }
  const alarm = useAlarm({
    hidden: locked,
    unheld,
    newestUnreadable: strip?.newest_quarantined_crisis,
    outage: strip?.outage,
    late,
  })
  // One subscription for the window: what is heard and what is listed are the same change.
  useSubscription<InboxChange>(
    (on) => trpc.alerts.changes.subscribe(undefined, on),
    (change) => {
      applyInboxChange(queryClient, change, me.person.id)
      applyToUnheld(change)
      arrived(alarm(change), change)
    },
    [],
  )
  useShellKeys({
    routes: allowed,
    openKeys: () => setLayer('keys'),
    openPalette: () => setLayer('palette'),
    openNewCrisis,
    lock: () => setLocked(true),
  })
  useEffect(() => {
    document.title = words.app.title(unacknowledged)
  }, [unacknowledged])
  const close = useCallback(() => setLayer(null), [])

  // What came while the console was off is no news where it is being gone through.
  const isFresh = ({ last_trigger_at }: AlertRow) =>
    !late || last_trigger_at < late.from || last_trigger_at > late.until
  return (
    <LateStartContext value={late}>
      <Announcer />
      {locked && <LockCurtain unacknowledged={unacknowledged} onOpen={() => setLocked(false)} />}
      <div hidden={locked} className={locked ? '' : 'flex h-full min-h-[44rem] flex-col narrow:min-h-[26rem]'}>
        <LostBanner />
        <Strip view={strip} lost={lost} silent={wire === 'silent'} unheld={unheld} />
        <div className="flex min-h-0 flex-1 flex-col narrow:flex-row">
          <Navigation
            routes={allowed}
            screen={screen}
            unacknowledged={unacknowledged}
            onKeys={() => setLayer('keys')}
            onLock={() => setLocked(true)}
          />
          <main id="screen" tabIndex={-1} className="min-h-0 min-w-0 flex-1 overflow-auto outline-none">
            {route ? (
              <ScreenBoundary key={route.screen}>
                <Suspense fallback={<p className="p-6 text-ink-faint">{words.common.loading}</p>}>
                  <LockedContext value={locked}>
                    <route.Component />
                  </LockedContext>
                </Suspense>
              </ScreenBoundary>
            ) : (
              <EmptyState title={words.app.notForRole(words.app.screens[screen], words.role[me.person.role])} />
            )}
          </main>
        </div>
        <ReportsBar />
        <UndoBar />
        <NewCrisisBar crises={screen === 'late-start' ? crises.filter(isFresh) : crises} onOpen={openNewCrisis} />
        {layer === 'keys' && <KeysDialog onClose={close} />}
        {layer === 'palette' && <Palette onClose={close} />}
        <FollowLink />
      </div>
    </LateStartContext>
  )
}
