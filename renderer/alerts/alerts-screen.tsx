/** Alerts: the inbox, the chosen alert, and who the student is. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { ArrowLeft } from 'lucide-react'
import type { AlertDetail as AlertDetailView, InboxItem, StripView } from '../../shared/views.ts'
import { checkedAt, Columns, ladderNow, trpc, useMe, useWire } from '../app/index.ts'
import { Button, EmptyState, ErrorNotice, useKeys, useLatest, useMedia, useNow, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { forgetOpenForm } from './action-form.tsx'
import { AlertDetail, AlertContext } from './alert-detail.tsx'
import { EscalatesContext } from './escalates.ts'
import { detailKey } from './inbox-cache.ts'
import { Inbox } from './inbox.tsx'
import { NotApprovedNotice } from './not-approved.tsx'
import { OutageNotice } from './outage.tsx'
import { QuarantineBanner } from './quarantine.tsx'
import { SchoolQuestion } from './school-question.tsx'
import { useInbox } from './use-inbox.ts'
import { sayRefusal, StandingContext, useStanding } from './use-standing.ts'
import { Watched } from './watched.tsx'
import { useLooking, useViewersFollowed } from './viewers.ts'
import { useSeen } from './use-seen.ts'

export function AlertsScreen() {
  const me = useMe()
  const inbox = useInbox()
  const strip = useLatest<StripView>((on) => trpc.strip.watch.subscribe(undefined, on), [])
  const now = useNow(5000)
  const escalates = ladderNow(strip, useWire().lost, now)
  const listRef = useRef<VirtuosoHandle>(null)
  const [reading, setReading] = useState(false)
  const two = useMedia('(min-width: 47.5rem)')
  const three = useMedia('(min-width: 80rem)')
  const { selected, chosen, chooseShown, watched } = inbox
  const detail = useQuery<AlertDetailView>(
    detailKey(selected),
    () => trpc.alerts.detail.query({ key: selected ?? '' }),
    // What is chosen on the watch list is a session.
    { enabled: selected !== null && inbox.filter !== 'watch' },
  )
  const shown = inbox.filter === 'watch' ? undefined : detail.data
  const isOnScreen = shown !== undefined && (two || reading)
  const region = useRef<HTMLElement>(null)
  const standing = useStanding(isOnScreen ? shown : undefined, { selected, chosen, region })
  useSeen(detail.data, chosen)
  useViewersFollowed()
  useLooking(isOnScreen && chosen ? shown.key : null)

  const headingWanted = useRef(false)
  const focusDetail = useCallback(() => {
    setReading(true)
    headingWanted.current = true
    requestAnimationFrame(() => focusHeading(headingWanted))
  }, [])
  // An alert that is still on its way is focused when it has come.
  useEffect(() => focusHeading(headingWanted), [detail.data])
  // A form that was open is there again when the window is drawn anew, and not when the person was elsewhere.
  useEffect(() => () => forgetOpenForm(), [selected])
  const { choose, chosenHere } = inbox
  useEffect(() => {
    if (!chosen || selected === chosenHere.current) return
    chosenHere.current = selected
    focusDetail()
  }, [chosen, selected, chosenHere, focusDetail])
  const open = useCallback(
    (item: InboxItem) => {
      choose(item)
      if (!two) focusDetail()
    },
    [choose, two, focusDetail],
  )
  const step = (by: 1 | -1) => {
    const index = inbox.move(by)
    if (index < 0) return
    const inList =
      document.activeElement instanceof HTMLElement && document.activeElement.dataset['alert'] !== undefined
    listRef.current?.scrollIntoView({
      index,
      done: () => {
        if (inList) focusRow()
      },
    })
  }
  const focusRow = () =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-alert][aria-current]')?.focus())
  useKeys({
    // Arrows scroll whatever else has the focus.
    next: (event) => (event?.key !== 'ArrowDown' || inRow(event)) && (step(1), true),
    previous: (event) => (event?.key !== 'ArrowUp' || inRow(event)) && (step(-1), true),
    open: (event) => {
      if (!selected || !(inRow(event) || event?.target === document.body)) return false
      chooseShown()
      focusDetail()
      return true
    },
    back: () => {
      setReading(false)
      focusRow()
    },
    // Nothing on screen takes them: they say so.
    ...(isOnScreen ? {} : refusedKeys),
  })

  const inboxColumn = (
    <div className="flex h-full min-h-0 flex-col">
      <SchoolQuestion />
      <OutageNotice outage={strip?.outage ?? null} />
      <NotApprovedNotice />
      <QuarantineBanner />
      <div className="min-h-0 flex-1">
        <Inbox
          filter={inbox.filter}
          onFilter={inbox.setFilter}
          search={inbox.search}
          onSearch={inbox.setSearch}
          counts={inbox.counts}
          rows={inbox.rows}
          selected={detail.data && selected && detail.data.aliases.includes(selected) ? detail.data.key : selected}
          onOpen={open}
          me={me.person.id}
          checkedAt={strip && checkedAt(strip, now)}
          listRef={listRef}
        />
      </div>
    </div>
  )
  const nothing = watched ? (
    <Watched session={watched} />
  ) : detail.error && inbox.filter !== 'watch' ? (
    <ErrorNotice inset error={detail.error} onRetry={detail.refetch} />
  ) : selected === null || inbox.filter === 'watch' ? (
    <EmptyState title={words.alerts.empty.choose}>{words.alerts.empty.chooseHint}</EmptyState>
  ) : null
  const alert = (withContext: boolean) => (
    <section
      ref={region}
      aria-label={words.alerts.detail}
      data-chosen={chosen}
      className="h-full overflow-y-auto bg-ground"
      tabIndex={0}
      // Whoever works in it has chosen it.
      onPointerDownCapture={chooseShown}
      onFocusCapture={chooseShown}
    >
      {shown ? (
        <StandingContext value={standing}>
          {/* By what was chosen: an earlier message that arrives late gives the alert another key, and must close nothing. */}
          <AlertDetail key={selected} alert={shown} withContext={withContext} refetch={detail.refetch} />
        </StandingContext>
      ) : (
        nothing
      )}
      {/* Below, where nothing moves when it goes: the button that is being pressed least of all. */}
      {shown && !chosen && (
        <p className="sticky bottom-0 border-t bg-raised px-3 py-1 text-ink-soft">{words.attention.shown}</p>
      )}
    </section>
  )
  const heading = <h1 className="sr-only">{words.alerts.list}</h1>

  if (!two)
    return (
      <EscalatesContext value={escalates}>
        <div className="h-full">
          {heading}
          {reading && selected ? (
            <div className="flex h-full flex-col">
              <Button look="quiet" className="m-1 self-start" onClick={() => setReading(false)}>
                <ArrowLeft size={14} aria-hidden="true" /> {words.alerts.back}
              </Button>
              <div className="min-h-0 flex-1">{alert(true)}</div>
            </div>
          ) : (
            inboxColumn
          )}
        </div>
      </EscalatesContext>
    )
  const columns = [
    { id: 'inbox', size: three ? 30 : 42, min: '17rem', content: inboxColumn },
    { id: 'alert', size: three ? 44 : 58, min: '22rem', content: alert(!three) },
  ]
  if (three)
    columns.push({
      id: 'context',
      size: 26,
      min: '15rem',
      content: (
        <aside aria-label={words.alerts.context} className="h-full overflow-y-auto bg-ground p-3" tabIndex={0}>
          {shown && <AlertContext key={selected} alert={shown} refetch={detail.refetch} />}
        </aside>
      ),
    })
  return (
    <EscalatesContext value={escalates}>
      <div className="h-full">
        {heading}
        <Columns name={three ? 'alerts-three' : 'alerts-two'} columns={columns} />
      </div>
    </EscalatesContext>
  )
}

const sayChooseFirst = () => {
  sayRefusal('not chosen')
}
const refusedKeys = {
  acknowledge: sayChooseFirst,
  handOff: sayChooseFirst,
  note: sayChooseFirst,
  resolve: sayChooseFirst,
  reveal: sayChooseFirst,
}

function focusHeading(wanted: RefObject<boolean>): void {
  const heading = wanted.current ? document.getElementById('alert-heading') : null
  if (!heading) return
  wanted.current = false
  heading.focus()
}

function inRow(event: KeyboardEvent | undefined): boolean {
  return event?.target instanceof HTMLElement && event.target.dataset['alert'] !== undefined
}
