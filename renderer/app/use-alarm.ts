/**
 * What is heard wherever the person is: new alerts, and again until somebody holds them; crises that could
 * not be read; and that no alert gets through.
 */
import { useCallback, useEffect, useRef } from 'react'
import {
  callNotification,
  handOffNotification,
  lateStartNotification,
  notificationOf,
  outageNotification,
  unreadableNotification,
  type NotificationText,
} from '../../shared/notification-words.ts'
import type { AlertRow, InboxChange, LateStartView, Outage, Preferences } from '../../shared/views.ts'
import { notifyTarget } from '../../shared/thresholds.ts'
import { arrivalSentence } from '../alerts/index.ts'
import { studentName, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce, hush, tell } from './announcer.tsx'
import { createCalls, createTeller, isCrisis, newsOf, type Heard } from './arrivals.ts'
import { notificationState, notify } from './notifications.ts'
import { usePreferences } from './preferences.ts'
import { createRinger, firstRing, loudestRing, type Ring } from './ringing.ts'
import { playSound, soundFor } from './sound.ts'
import { trpc } from './wire.ts'

/** What follows a notification of many within this time needs none of its own (milliseconds). */
const together = 3000

/**
 * Says, sounds and notifies. `hidden`: the screen is hidden, so
 * nothing that names anybody is said. `newestUnreadable`: id of the newest crisis in quarantine, null = none,
 * undefined = not known yet. `outage`: since when no alert gets through; likewise. `unheld`: what waits for
 * somebody. `late`: what came while the console was off, told by one notification. The answer tells of each change which
 * alerts were news; whom the ladder calls here is told, and that is said back.
 */
export function useAlarm({
  hidden,
  newestUnreadable,
  outage,
  unheld,
  late,
}: {
  hidden: boolean
  unheld: readonly AlertRow[]
  newestUnreadable: number | null | undefined
  outage: Outage | null | undefined
  late: LateStartView | null | undefined
}): (change: InboxChange) => AlertRow[] {
  const sound = usePreferences()?.sound ?? 'chime'
  const now = useRef({ hidden, sound, unheld, late })
  useEffect(() => {
    now.current = { hidden, sound, unheld, late }
  }, [hidden, sound, unheld, late])
  useEffect(() => {
    // What was said before it was hidden is not left for others to read.
    if (hidden) hush()
  }, [hidden])

  const lateTold = useRef({ number: 0, at: -Infinity })
  /** All of them came while the console was off, and the one notification about that comes, or came a moment ago. */
  const isToldTogether = useCallback((rows: readonly AlertRow[], late: LateStartView | null | undefined): boolean => {
    if (!late || !rows.every((row) => cameLate(row, late, Date.now()))) return false
    const { number, at } = lateTold.current
    return number === late.number ? performance.now() - at < together : !late.opened
  }, [])
  useEffect(() => {
    if (!late?.settled || late.opened || late.open === 0 || lateTold.current.number === late.number) return
    lateTold.current = { number: late.number, at: performance.now() }
    notify(lateStartNotification(late))
  }, [late])

  const ringer = useRef<ReturnType<typeof createRinger> | null>(null)

  const heard = useRef<Heard>(new Map())
  const teller = useRef<ReturnType<typeof createTeller> | null>(null)
  useEffect(() => {
    const ringing = createRinger({
      ring: () => loudestRing(now.current.unheld, Date.now()),
      play: (ring) => play(ring, now.current.sound),
      now: () => performance.now(),
    })
    ringer.current = ringing
    teller.current = createTeller((rows) => {
      const sentence = now.current.hidden
        ? words.lock.arrived(rows.length, rows.filter(isCrisis).length)
        : arrivalSentence(rows, Date.now())
      // What somebody holds already came to this person by hand.
      const handed = rows.every(({ state }) => state === 'acknowledged')
      const notification = handed ? handOffNotification(rows) : notificationOf(rows, Date.now())
      // It is heard now; the desktop is told of all of it together.
      const isOneOfMany = !handed && isToldTogether(rows, now.current.late)
      raise(sentence, notification, ringing.strike, isOneOfMany ? null : 'alert')
    })
    return () => {
      ringing.stop()
      teller.current?.stop()
    }
  }, [isToldTogether])
  useEffect(() => ringer.current?.changed(), [unheld])

  const before = useRef(0)
  useEffect(() => {
    // By id, not by count: one may be put aside in the moment in which another comes.
    if (newestUnreadable == null || newestUnreadable <= before.current) return
    raise(words.strip.unreadable, unreadableNotification, ringer.current?.strike)
    before.current = newestUnreadable
  }, [newestUnreadable])

  const standing = useRef<{ since: number; takeBack: () => void } | null>(null)
  useEffect(() => {
    if (outage === undefined || (outage !== null) === (standing.current !== null)) return
    if (outage) {
      const sentence = `${words.outage.happened[outage.kind](whenText(outage.since))} ${words.outage.todo[outage.kind]}`
      const takeBack = raise(sentence, outageNotification, ringer.current?.strike, 'outage')
      standing.current = { since: outage.since, takeBack }
    } else if (standing.current) {
      standing.current.takeBack()
      announce(words.outage.over(whenText(standing.current.since)))
      standing.current = null
    }
  }, [outage])

  /** What somebody here was told by the ladder last, until nobody need be told of it any more. */
  const called = useRef<{ keys: readonly string[]; takeBack: () => void } | null>(null)
  useEffect(() => {
    if (called.current === null || called.current.keys.some((key) => unheld.some((row) => row.key === key))) return
    called.current.takeBack()
    called.current = null
  }, [unheld])

  const calls = useRef<ReturnType<typeof createCalls> | null>(null)
  useEffect(() => {
    calls.current = createCalls({
      now: () => Date.now(),
      isSeen: () => document.visibilityState === 'visible' || notificationState() === 'granted',
      say(alerts) {
        const rings = alerts.some((row) => row !== null && now.current.unheld.some(({ key }) => key === row.key))
        const notification = callNotification(alerts.map((row) => row?.tier ?? null))
        const takeBack = tell(callSentence(alerts, now.current.hidden), notification.urgent ? 'assertive' : 'polite')
        called.current = { keys: alerts.flatMap((row) => row?.key ?? []), takeBack }
        // What rings already is not made to ring twice.
        if (!rings) ringer.current?.strike(firstRing(notification.urgent ? 'crisis' : 'high'))
        notify(notification)
      },
      answer: (delivery_ids) => void trpc.alerts.called.mutate({ delivery_ids }).catch(() => undefined),
    })
    const look = () => calls.current?.look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  return useCallback((change) => {
    const news = newsOf(heard.current, change)
    if (news.length > 0) teller.current?.tell(news)
    calls.current?.heard(news)
    calls.current?.take(change.calls)
    return news
  }, [])
}

/** Whether an alert is told with all that came while the console was off; one that is fresh never is. */
function cameLate(row: AlertRow, late: LateStartView, now: number): boolean {
  if (row.reopened !== null) return false
  const { last_trigger_at: at } = row
  return at >= late.from && at <= late.until && now - at >= notifyTarget
}

/** The answer takes the notification back; without a `tag` there is none. */
function raise(
  sentence: string,
  notification: NotificationText,
  strike: ((ring: Ring) => void) | undefined,
  tag: 'alert' | 'outage' | null = 'alert',
): () => void {
  announce(sentence, notification.urgent ? 'assertive' : 'polite')
  strike?.(firstRing(notification.urgent ? 'crisis' : 'high'))
  return tag === null ? () => undefined : notify(notification, tag)
}

function callSentence(alerts: readonly (AlertRow | null)[], hidden: boolean): string {
  const text = words.alerts.ladder.called
  if (hidden) return text.hidden
  const [worst] = alerts.toSorted((a, b) => Number(b?.tier === 'crisis') - Number(a?.tier === 'crisis'))
  return worst ? text[worst.tier](studentName(worst.student)) : text.unknown
}

function play(ring: Ring, chosen: Preferences['sound']): void {
  const sound = soundFor(ring.tier, chosen)
  if (sound) playSound(sound, ring)
}
