/** The strip that is always visible: silence can be told from a broken pipe. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { AlertRow, StripView } from '../../shared/views.ts'
import {
  Age,
  clockText,
  countdownText,
  lengthText,
  OverdueMark,
  useNow,
  useTicking,
  whenText,
} from '../controls/index.ts'
import { waitsSince } from '../../shared/inbox-order.ts'
import { acknowledgeTarget, saysLateAfter } from '../../shared/thresholds.ts'
import { words } from '../words/index.ts'
import { Coverage, coverageText } from './coverage.tsx'
import { LateStartFact } from './late-start.tsx'
import { useMe } from './me.tsx'
import { goTo } from './navigation.ts'
import { useNotificationState } from './notifications.ts'
import { QueueTrouble } from './queue-trouble.tsx'
import { checkedAt, isAlarming, isDisconnected, isInDoubt, isUnproven } from './strip-state.ts'
import { turnOnSound, useSoundHeldBack } from './sound.ts'
import { trpc } from './wire.ts'

/** Why nothing comes: nobody answers, or the queue answers and refuses. */
function silence({ since, error }: StripView['connection']): string {
  if (error === null || error.code === 'queue_unreachable')
    return words.strip.silent(clockText(since), error?.safe ?? null)
  return `${error.happened} ${error.safe} ${error.todo}`
}

const grounds = {
  alarming: 'border-crisis bg-crisis-ground',
  unproven: 'border-caution bg-caution-ground',
  well: 'bg-surface',
}

/** Since when something has waited to be sent, UTC milliseconds; null = nothing does. */
function useSendingSince(isSending: boolean): number | null {
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => setSince(isSending ? Date.now() : null), [isSending])
  return since
}

/** `silent`: the socket is open, and the program does not answer on it. */
export function Strip({
  view,
  lost,
  silent: programSilent,
  unheld,
}: {
  view: StripView | null
  lost: boolean
  silent: boolean
  unheld: readonly AlertRow[]
}) {
  const now = useNow(5000)
  const me = useMe()
  const soundHeld = useSoundHeldBack()
  const notifications = useNotificationState()
  const [showsCoverage, setShowsCoverage] = useState(false)
  const sendingSince = useSendingSince((view?.outbox_pending ?? 0) > 0)
  // What is known of the alarm is old by now: none of it may stand here as if it were so.
  if (lost)
    return (
      <header
        aria-label={words.strip.name}
        data-state="alarming"
        className={`border-b px-3 py-1.5 ${grounds.alarming}`}
      >
        <SkipLink />
        <p className="flex items-center gap-1.5 font-semibold text-crisis">
          <Dot state="disconnected" /> {words.strip[programSilent ? 'programSilent' : 'lost']}
        </p>
      </header>
    )
  if (!view) return <header className="min-h-8 border-b bg-surface" aria-label={words.strip.name} />
  const red = isAlarming(view, now)
  const unproven = isUnproven(view, now)
  const look = red ? 'alarming' : unproven || isInDoubt(view, sendingSince, now) ? 'unproven' : 'well'
  const { state } = view.connection
  const silent = isDisconnected(view, now)
  return (
    <header aria-label={words.strip.name} data-state={look} className={`border-b px-3 py-1.5 ${grounds[look]}`}>
      <SkipLink />
      {silent && (
        <p role="alert" className="font-semibold text-crisis">
          {silence(view.connection)} <Link onPress={() => goTo('settings', 'queues')}>{words.strip.test}</Link>
        </p>
      )}
      <QueueTrouble view={view} />
      {/* Said by the announcer, once; here it stays until somebody has dealt with it. */}
      {view.quarantined_crises > 0 && (
        <p className="font-semibold text-crisis">
          {words.strip.unreadable} <Link onPress={() => goTo('alerts')}>{words.strip.openAlerts}</Link>
        </p>
      )}
      {view.outage ? (
        <p className="font-semibold text-crisis">
          {words.outage.happened[view.outage.kind](whenText(view.outage.since))} {words.outage.todo[view.outage.kind]}{' '}
          <Link onPress={() => goTo('alerts')}>{words.strip.openAlerts}</Link>
        </p>
      ) : (
        view.heartbeat_overdue && view.proven_at !== null && <Overdue since={view.proven_at} />
      )}
      {view.missing_heartbeats && (
        <p className={`font-semibold ${red ? 'text-crisis' : 'text-caution'}`}>
          {words.strip.missing(view.missing_heartbeats.ranges)}{' '}
          <Link onPress={() => goTo('settings', 'queues')}>{words.strip.test}</Link>
        </p>
      )}
      {view.unlikely_heartbeat && (
        <p className="font-semibold text-caution">{words.strip.unlikely(view.unlikely_heartbeat.number)}</p>
      )}
      <div className="overflow-hidden">
        <ul className="-ms-4 flex flex-wrap items-center gap-y-0.5 text-ink-soft">
          <Fact>
            <Dot state={silent ? 'disconnected' : state} />
            <span className="font-semibold text-ink">{words.strip[silent ? 'disconnected' : state]}</span>
          </Fact>
          <Fact>
            <Checked view={view} unproven={unproven} red={red} now={now} />
          </Fact>
          <Fact aside={look === 'well' ? 'ample' : 'wide'}>
            {view.last_event_at === null ? (
              words.strip.noEvent
            ) : (
              <>
                {words.strip.lastEvent} <Age at={view.last_event_at} />
              </>
            )}
          </Fact>
          <Fact aside={view.queue_waiting !== 0 ? undefined : look === 'well' ? 'ample' : 'wide'}>
            {view.queue_waiting === null || view.connection.state !== 'connected'
              ? words.strip.unknownWaiting
              : view.queue_waiting === 0
                ? words.strip.nothingWaiting
                : words.strip.waiting(view.queue_waiting)}
          </Fact>
          {(view.queue_age_ms ?? 0) > saysLateAfter && (
            <Fact strong>{words.strip.late(lengthText(view.queue_age_ms ?? 0))}</Fact>
          )}
          {view.quarantined > 0 && (
            <Fact strong>
              {view.quarantined_crises > 0
                ? words.strip.quarantinedCrises(view.quarantined_crises)
                : words.strip.quarantined(view.quarantined)}
            </Fact>
          )}
          {view.outbox_pending > 0 && <Fact>{words.strip.outbox(view.outbox_pending)}</Fact>}
          {view.not_approved && (
            <Fact strong>
              {words.strip.notApproved}{' '}
              <Link onPress={() => goTo('settings', 'queues')}>{words.strip.howApproved}</Link>
            </Fact>
          )}
          {view.degraded.length > 0 && (
            <Fact>
              {words.strip.degraded(view.degraded.map((name) => words.signal[name].toLowerCase()).join(', '))}
            </Fact>
          )}
          <Fact>
            <Coverage view={view} now={now} open={showsCoverage} onToggle={() => setShowsCoverage(!showsCoverage)} />
          </Fact>
          {soundHeld && (
            <Fact strong>
              <span className="max-narrow:sr-only">{words.attention.sound.heldBack}</span>{' '}
              <Link onPress={turnOnSound}>{words.attention.sound.offer}</Link>
            </Fact>
          )}
          {(notifications === 'default' || notifications === 'denied') && (
            <Fact aside="narrow">
              <Link onPress={() => goTo('settings', 'appearance')}>
                <Shorter short={words.strip.notificationsOffShort} full={words.strip.notificationsOff} />
              </Link>
            </Fact>
          )}
          {view.discards && (
            <Fact strong aside="narrow">
              <Shorter short={words.strip.discardsShort} full={words.strip.discards} />
            </Fact>
          )}
          <li className="ms-auto flex flex-wrap items-center gap-x-3 ps-4">
            {me.may_set_up && (
              // On a telephone's width Settings alone offers it.
              <span className="max-[30rem]:hidden">
                <Link onPress={() => goTo('set-up')}>
                  <Shorter short={words.setUp.offerShort} full={words.setUp.offer} />
                </Link>
              </span>
            )}
            {view.demo && (
              <span className="rounded border border-line-strong px-1.5 text-small">
                <Shorter short={words.app.demonstrationShort} full={words.app.demonstration} />
              </span>
            )}
            <LateStartFact />
            <LongestOverdue unheld={unheld} />
            <span className={view.unacknowledged > 0 ? 'font-semibold text-ink' : ''}>
              {words.strip.unacknowledged(view.unacknowledged)}
            </span>
            {/* The tabs of Alerts count them, too. */}
            <span className="max-narrow:hidden">{words.strip.open(view.open)}</span>
          </li>
        </ul>
      </div>
      {showsCoverage && <p className="narrow:hidden">{coverageText(view, now).full}</p>}
    </header>
  )
}

/** How long the longest of what nobody holds is overdue. */
function LongestOverdue({ unheld }: { unheld: readonly AlertRow[] }) {
  const text = useTicking(() => {
    const now = Date.now()
    const open = unheld.filter(({ state }) => state === 'open')
    const over = Math.max(...open.map((row) => now - waitsSince(row) - acknowledgeTarget))
    return over > 0 ? words.alerts.row.over(countdownText(over)) : ''
  })
  return text === '' ? null : <OverdueMark text={text} />
}

function Link({ children, onPress }: { children: ReactNode; onPress: () => void }) {
  return (
    <button type="button" className="min-h-6 rounded text-link underline underline-offset-2" onClick={onPress}>
      {children}
    </button>
  )
}

/** The first stop of the Tab key: past strip and navigation, into the screen. */
function SkipLink() {
  return (
    <a
      href="#/"
      className="sr-only focus:not-sr-only focus:absolute focus:start-2 focus:top-2 focus:z-10 focus:rounded focus:bg-raised focus:p-2 focus:shadow-float"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('screen')?.focus()
      }}
    >
      {words.app.skip}
    </a>
  )
}

/** Whether and when the alarm was checked. What a drill has brought stands here and nowhere else, and that it does is said. */
function Checked({ view, unproven, red, now }: { view: StripView; unproven: boolean; red: boolean; now: number }) {
  const shown = useRef<HTMLSpanElement>(null)
  const number = view.drill?.number ?? null
  useEffect(() => (number === null ? undefined : afterPaint(shown, number)), [number])
  const at = checkedAt(view, now)
  const took = at !== null && at === view.drill?.at && !unproven ? view.drill.took_ms : null
  return (
    <span ref={shown} className={unproven ? `font-semibold ${red ? 'text-ink' : 'text-caution'}` : ''}>
      {unproven && <span aria-hidden="true">▲ </span>}
      {at === null ? (
        words.strip.notProven
      ) : (
        <>
          {unproven ? words.strip.lapsed : words.strip.proven} <Age at={at} />
          {took !== null && words.strip.took(took)}
        </>
      )}
    </span>
  )
}

/** Says that a drill was drawn once it was: in the second frame the first one is on screen. A window that is covered draws nothing. */
function afterPaint(shown: { current: HTMLElement | null }, number: number): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      if (shown.current === null || shown.current.getClientRects().length === 0) return
      // Where main does not hear it, the drill counts as one that no window has drawn.
      trpc.strip.painted.mutate({ number }).catch(() => undefined)
    })
  })
  return () => cancelAnimationFrame(frame)
}

/** Fewer words where the window is not wide; read aloud in full. */
function Shorter({ short, full }: { short: string; full: string }) {
  return (
    <>
      <span aria-hidden="true" className="wide:hidden">
        {short}
      </span>
      <span className="sr-only wide:not-sr-only">{full}</span>
    </>
  )
}

const fromWidth = { narrow: 'hidden narrow:flex', wide: 'hidden wide:flex', ample: 'hidden ample:flex' }

/** A dot stands before each; at the start of a line it falls outside the strip. `aside`: only from that width on. */
function Fact(props: { children: ReactNode; strong?: boolean; aside?: keyof typeof fromWidth | undefined }) {
  const { children, strong = false, aside } = props
  return (
    <li
      className={`${aside ? fromWidth[aside] : 'flex'} items-center before:w-4 before:text-center before:text-ink-faint before:content-['·']`}
    >
      <span className={`inline-flex items-center gap-1.5 ${strong ? 'font-semibold text-ink' : ''}`}>{children}</span>
    </li>
  )
}

function Overdue({ since }: { since: number }) {
  const age = useTicking(() => lengthText(Date.now() - since))
  return <p className="font-semibold text-crisis">{words.strip.overdue(age)}</p>
}

/** Full when connected, half while connecting, crossed out when not: told apart without color. */
function Dot({ state }: { state: StripView['connection']['state'] }) {
  return (
    <svg
      viewBox="0 0 10 10"
      width="10"
      height="10"
      aria-hidden="true"
      className={state === 'disconnected' ? 'text-crisis' : 'text-ink'}
    >
      <circle
        cx="5"
        cy="5"
        r="4"
        fill={state === 'connected' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
      />
      {state === 'connecting' && <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />}
      {state === 'disconnected' && <path d="M2.2 2.2l5.6 5.6" stroke="currentColor" strokeWidth="1.5" />}
    </svg>
  )
}
