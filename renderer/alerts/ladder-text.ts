/** What the ladder did about an alert, and does next, in words. Pure: times are UTC milliseconds, `now` is passed in. */
import { seconds } from '../../shared/time.ts'
import { urgentHandOffWaits } from '../../shared/thresholds.ts'
import type { AlertDetail, AlertRow, LadderView, NotificationView, StripView } from '../../shared/views.ts'
import { countdownText, lengthText, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.alerts.ladder

/** So long after its time a step is on its way; after that it is late. */
const onTheWay = seconds(10)

/**
 * “escalates in 4:18”; null where nobody else is told. `escalates`: whether somebody runs the ladder: what nobody runs, or
 * nobody here can know of, is not counted down.
 */
export function stepText(
  { next_step_at }: Pick<AlertRow, 'next_step_at'>,
  now: number,
  escalates: StripView['ladder'],
): string | null {
  if (next_step_at === null || escalates === 'off') return null
  if (escalates === 'unknown') return text.notKnown
  const left = next_step_at - now
  if (left > 0) return text.escalates(countdownText(left))
  return -left < onTheWay ? text.escalating : text.stepLate(countdownText(-left))
}

/** As many names are said; more people are counted. */
const mostNamed = 3

/** “K. Osei is told next, at 10:25 (in 4:18)”; null where nobody else is. `escalates`: as for a row. */
export function nextText(
  { next }: Pick<LadderView, 'next'>,
  now: number,
  escalates: StripView['ladder'],
): string | null {
  if (next === null || escalates === 'off') return null
  if (escalates === 'unknown') return text.nextNotKnown
  const { at, who } = next
  const when = whenText(at, now)
  const left = at - now
  const how = left > 0 ? text.in(countdownText(left)) : -left < onTheWay ? text.now : text.late(countdownText(-left))
  return `${whoIsNext(who, when)} (${how})`
}

function whoFollows(who: readonly string[]): string {
  const [first] = who
  if (first === undefined) return text.follow.unknown
  if (who.length === 1) return text.follow.one(first)
  return who.length > mostNamed ? text.follow.many(who.length) : text.follow.some(words.common.list(who))
}

function whoIsNext(who: readonly string[], when: string): string {
  const [first] = who
  if (first === undefined) return text.next.unknown(when)
  if (who.length === 1) return text.next.one(first, when)
  return who.length > mostNamed ? text.next.many(who.length, when) : text.next.some(words.common.list(who), when)
}

/** “A. Rivera by text 10:16:03: delivered”; of a step that it came, and why it told nobody. */
export function toldText(told: NotificationView, now: number): string {
  const { escalated, channel, to_name, outcome, at, outcome_at, reason, rung, layer, late_by_ms } = told
  const why = reason === null ? null : text.why(reason, { channel })
  const late = late_by_ms === null ? '' : ` (${text.wasLate(late_by_ms === 0 ? null : lengthText(late_by_ms))})`
  if (escalated) {
    const step = `${text.step(rung === null ? layer : rung + 1, whenText(at, now, true))}${late}`
    return why === null ? step : text.stepReason(step, why)
  }
  const who = to_name ?? text.somebody
  const how = text.channel[channel] ?? channel
  const when = whenText(outcome === 'delivered' ? outcome_at : at, now, true)
  return `${text.outcome[outcome](who, how, when, why)}${late}`
}

/**
 * How an urgent hand-off stands while it is not answered: whom it waits for, until when and who is told then, and what
 * happened after that. Null where there is none. `escalates`: whether a station goes on when it is not answered.
 */
export function handOffWaits(
  { state, hand_off, ladder }: Pick<AlertDetail, 'state' | 'hand_off' | 'ladder'>,
  now: number,
  escalates: StripView['ladder'],
): string | null {
  if (state === 'resolved' || !hand_off?.urgent) return null
  const { to_name, at } = hand_off
  const over = Math.max(0, now - at)
  if (escalates !== 'station') return text.handOff.waitsHere[escalates](to_name, lengthText(over))
  const wentOn = ladder.told.find((told) => told.escalated && told.reason === 'hand-off not accepted' && told.at >= at)
  if (wentOn) return text.handOff.wentOn(to_name, whenText(wentOn.at, now))
  const left = urgentHandOffWaits - over
  if (left <= 0) return text.handOff.over(to_name, lengthText(over))
  const until = whenText(at + urgentHandOffWaits, now)
  // Whoever is waited for may stand on the ladder, too; they are not who comes after them.
  const others = (ladder.next?.who ?? []).filter((name) => name !== to_name)
  return text.handOff.waits(to_name, until, countdownText(left), whoFollows(others))
}

/** Whether the sentence of `handOffWaits` says already who is told next. */
export function isHandOffWaiting(
  { state, hand_off }: Pick<AlertDetail, 'state' | 'hand_off'>,
  now: number,
  escalates: StripView['ladder'],
): boolean {
  return (
    state === 'acknowledged' && hand_off?.urgent === true && (escalates !== 'station' || isWithin(hand_off.at, now))
  )
}

const isWithin = (at: number, now: number): boolean => now - at < urgentHandOffWaits
