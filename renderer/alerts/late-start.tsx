/** What came while this console was off, one alert after the other, by keyboard from the first to the last. */
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { AlertDetail, LateStartAlert, LateStartView } from '../../shared/views.ts'
import { announce, goTo, trpc, useLateStart, useMe } from '../app/index.ts'
import {
  Button,
  dayClockText,
  EmptyState,
  ErrorNotice,
  forget,
  longAgeText,
  queryClient,
  ReceivedAge,
  StudentName,
  TierBadge,
  useAction,
  useKept,
  useKeys,
  useQuery,
  useTicking,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { actionSentence } from './action-sentence.ts'
import { AlertActions } from './alert-actions.tsx'
import { detailKey } from './inbox-cache.ts'
import { ahead, current, isPastLast, next, notBegun, outcome, previous, type Walk } from './late-start-walk.ts'
import { holderText, reopenedByText, whyText } from './row-text.ts'
import { ViewedBy } from './viewed-by.tsx'
import { useLooking, useViewersFollowed } from './viewers.ts'
import { useSeen } from './use-seen.ts'
import { StandingContext, useStanding } from './use-standing.ts'

const text = words.lateStart
const walkName = 'late start walk'
const alertsKey = ['late-start'] as const

export function LateStartScreen() {
  const view = useLateStart()
  const late = useQuery<LateStartAlert[]>(alertsKey, () => trpc.lateStart.alerts.query())
  const number = view?.number
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: alertsKey })
  }, [view])
  useEffect(() => {
    if (number !== undefined) trpc.lateStart.opened.mutate({ number }).catch(() => undefined)
  }, [number])
  if (late.error) return <ErrorNotice inset error={late.error} onRetry={late.refetch} />
  if (view === undefined || !late.data) return <p className="p-6 text-ink-faint">{words.common.loading}</p>
  if (view === null)
    return (
      <EmptyState
        title={text.nothing}
        action={<Button onClick={() => goTo('alerts')}>{words.strip.openAlerts}</Button>}
      />
    )
  return <WalkThrough view={view} late={late.data} />
}

function WalkThrough({ view, late }: { view: LateStartView; late: readonly LateStartAlert[] }) {
  const [walk, setWalk] = useKept<Walk>(walkName, notBegun)
  const key = current(walk)
  const past = isPastLast(walk)
  const left = ahead(walk, late).length
  useViewersFollowed()
  const heading = useFocusAt(key ?? (past ? 'end' : null))
  const move = (to: Walk) => {
    if (to === walk || (to.at === walk.at && to.visited.length === walk.visited.length)) return
    heading.wants()
    setWalk(to)
  }
  const finish = useAction(
    () => trpc.lateStart.finished.mutate({ number: view.number }),
    () => {
      forget(walkName)
      goTo('alerts')
    },
  )
  const isDone = past && left === 0
  const go = (): void => {
    if (!isDone) move(next(walk, late))
    else if (!finish.busy) void finish.run(undefined)
  }
  const back = (): void => move(previous(walk))
  const open = (): void => {
    if (key !== null) goTo('alerts', key)
  }
  useKeys({
    // Arrows scroll.
    next: (event) => event?.key !== 'ArrowDown' && (go(), true),
    previous: (event) => event?.key !== 'ArrowUp' && (back(), true),
    open: (event) => {
      // A focused control acts by itself.
      if (event?.repeat || (event?.target instanceof Element && event.target.closest('button, a'))) return false
      go()
      return true
    },
    ...(key === null ? {} : { openAlert: open }),
  })
  const steps = { onNext: go, onPrevious: walk.at > 0 ? back : undefined }
  return (
    <div className="mx-auto flex min-h-full max-w-[46rem] flex-col gap-4 p-4 narrow:p-6">
      <h1 className="text-medium font-semibold">{text.title}</h1>
      {finish.error && <ErrorNotice error={finish.error} />}
      {key !== null ? (
        <Step
          key={key}
          alertKey={key}
          late={late.find(({ alert }) => alert.key === key)}
          position={text.position(walk.at + 1, walk.visited.length + left)}
          onOpen={open}
          {...steps}
        />
      ) : past ? (
        <End late={late} visited={walk.visited} left={left} busy={finish.busy} {...steps} />
      ) : (
        <Beginning view={view} left={left} onNext={go} />
      )}
      <p role="status" className="text-ink-soft">
        {view.settled ? '' : text.receiving}
      </p>
    </div>
  )
}

function Beginning({ view, left, onNext }: { view: LateStartView; left: number; onNext: () => void }) {
  const sentence = text.arrived(view.arrived, view.unacknowledged)
  const [first] = useState(sentence)
  useEffect(() => announce(first), [first])
  return (
    <>
      <p className="text-large font-semibold">{sentence}</p>
      <p className="text-ink-soft">{text.off(dayClockText(view.from), dayClockText(view.until))}</p>
      <p className="text-ink-soft">{left > 0 ? text.how(left) : text.noneOpen}</p>
      <div>
        <Button look="primary" shortcut="open" onClick={onNext}>
          {left > 0 ? text.begin : text.see}
        </Button>
      </div>
    </>
  )
}

interface Steps {
  onNext: () => void
  onPrevious: (() => void) | undefined
}

/** One alert: how old it is first, then whose, why, who was told, what was done, and what can be done now. */
function Step({
  alertKey,
  late,
  position,
  onOpen,
  onNext,
  onPrevious,
}: Steps & { alertKey: string; late: LateStartAlert | undefined; position: string; onOpen: () => void }) {
  const me = useMe().person.id
  const detail = useQuery<AlertDetail>(detailKey(alertKey), () => trpc.alerts.detail.query({ key: alertKey }))
  const alert = detail.data
  const region = useRef<HTMLElement>(null)
  // Only the person's own key or click brings an alert here.
  const standing = useStanding(alert, { selected: alertKey, chosen: true, region })
  useSeen(alert, true)
  useLooking(alert?.key ?? null)
  const raised = late?.raised_at ?? alert?.opened_at
  const age = useTicking(() => (raised === undefined ? '' : longAgeText(raised, Date.now())))
  const holder = useTicking(() => (alert ? (holderText(alert, me, Date.now()) ?? '') : ''))
  return (
    <section ref={region} aria-label={words.alerts.detail} className="rounded border bg-surface p-4">
      <p className="mb-2 text-small text-ink-faint">{position}</p>
      {detail.error && <ErrorNotice error={detail.error} onRetry={detail.refetch} />}
      {alert && raised !== undefined && (
        <StandingContext value={standing}>
          <div id="alert-heading" tabIndex={-1} className="mb-2">
            <p className="text-large font-semibold">
              {age}, {dayClockText(raised)}
            </p>
            <h2 className="flex flex-wrap items-baseline gap-x-2 text-medium">
              <TierBadge tier={alert.tier} strong />
              <StudentName student={alert.student} more />
            </h2>
          </div>
          <p>{whyText(alert)}</p>
          <p className="text-ink-soft">
            {holder === '' ? (late?.never_acknowledged ? text.never : text.nobodyHolds) : holder}
            {alert.reopened && ` · ${reopenedByText(alert, me)}`}
            <ViewedBy alertKey={alert.key} />
          </p>
          <Facts title={text.told}>
            {(late?.told ?? []).map((told) => (
              <li key={`${told.at} ${told.name} ${told.channel}`}>
                {text.toldOne(told.name, dayClockText(told.at), told.channel, told.outcome)}
              </li>
            ))}
          </Facts>
          {late?.told.length === 0 && <p className="text-ink-soft">{text.nobodyTold}</p>}
          <Facts title={words.alerts.history.title}>
            {alert.actions.map((action) => (
              <li key={action.id}>{actionSentence(action)}</li>
            ))}
          </Facts>
          {alert.actions.length === 0 && <p className="text-ink-soft">{words.alerts.history.none}</p>}
          <div className="mt-3">
            <AlertActions alert={alert} refetch={detail.refetch} />
          </div>
        </StandingContext>
      )}
      <div role="group" aria-label={text.way} className="mt-4 flex flex-wrap gap-2 border-t pt-3">
        <Button shortcut="next" onClick={onNext}>
          {text.next}
        </Button>
        <Button shortcut="openAlert" onClick={onOpen}>
          {text.open}
        </Button>
        {onPrevious && (
          <Button shortcut="previous" look="quiet" onClick={onPrevious}>
            {text.previous}
          </Button>
        )}
      </div>
    </section>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode[] }) {
  return (
    <>
      <h3 className="mt-3 font-semibold">{title}</h3>
      {children.length > 0 && <ul className="text-ink-soft">{children}</ul>}
    </>
  )
}

/** What others hold or closed, and what became of everything. */
function End({
  late,
  visited,
  left,
  busy,
  onNext,
  onPrevious,
}: Steps & { late: readonly LateStartAlert[]; visited: readonly string[]; left: number; busy: boolean }) {
  const me = useMe().person.id
  const gone = new Set(visited)
  const others = late.filter(({ alert }) => !gone.has(alert.key) && alert.state !== 'open')
  return (
    <section aria-labelledby="alert-heading" className="flex flex-col gap-3">
      <h2 id="alert-heading" tabIndex={-1} className="text-large font-semibold">
        {left > 0 ? text.more(left) : `${text.all} ${text.outcome(outcome(late, me))}`}
      </h2>
      {others.length > 0 && (
        <>
          <h3 className="font-semibold">{text.others}</h3>
          <ul aria-label={text.others} className="rounded border bg-surface">
            {others.map(({ alert, raised_at }) => (
              <li key={alert.key} className="border-b last:border-b-0">
                <a
                  href="#/alerts"
                  className="block px-3 py-2 hover:bg-hover"
                  onClick={(event) => {
                    event.preventDefault()
                    goTo('alerts', alert.key)
                  }}
                >
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <TierBadge tier={alert.tier} />
                    <StudentName student={alert.student} more />
                    <span className="ms-auto text-small text-ink-soft">
                      <ReceivedAge at={raised_at} received_at={alert.received_at} />
                    </span>
                  </span>
                  <span className="block text-ink-soft">
                    {[whyText(alert), holderText(alert, me, Date.now())].filter(Boolean).join(' · ')}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" shortcut="open" busy={busy} onClick={onNext}>
          {left > 0 ? text.next : text.done}
        </Button>
        {onPrevious && (
          <Button shortcut="previous" look="quiet" onClick={onPrevious}>
            {text.previous}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Moves the focus to what a step brought, once it is there; `wants` says that the next one does. */
function useFocusAt(step: string | null): { wants: () => void } {
  const wanted = useRef(false)
  useEffect(() => {
    // What a step shows may still be on its way: it is asked for when it was drawn.
    let frame = 0
    const focus = () => {
      if (!wanted.current) return
      const heading = document.getElementById('alert-heading')
      if (!heading) return void (frame = requestAnimationFrame(focus))
      wanted.current = false
      heading.focus()
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [step])
  return {
    wants: useCallback(() => {
      wanted.current = true
    }, []),
  }
}
