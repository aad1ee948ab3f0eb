/**
 * Whom a rung tells, written down: a delivery for each person and way. What goes away from the consoles is a message of its
 * own, or joins one that waits: within a minute a person gets by one way the first alert alone, the first crisis alone, and
 * of all others together one message. What is handed to them urgently goes at once, too, the first within a minute.
 */
import type { Channel } from '../../../shared/on-call.ts'
import { desktopAnswersWithin } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import type { Randomness } from '../../platform/ports.ts'
import {
  enqueue,
  handOffWasTold,
  insertDelivery,
  insertTelling,
  keepTellWindow,
  lockTellWindow,
  runsHeardSince,
  type AlertRow,
  type Delivery,
  type Telling,
  type Unit,
} from '../../store/station/index.ts'
import type { OutsideChannel } from '../channels/index.ts'
import { runNamed } from './runs.ts'
import { notified } from './wire.ts'

/** Within so long a person gets by one way no second message that could have waited for it. */
const bundlingWindow = seconds(60)

/** Within so long nobody is told again that the same alert was handed to them: it was taken back in between. */
const handedAgainWithin = seconds(30)

/** Tells one person of an alert by one way; answers the message that is due now, if there is one. */
export async function tell(
  unit: Unit,
  randomness: Randomness,
  alert: AlertRow,
  to: { person: string; channel: Channel; isUsable: boolean; rung: number; late_ms: number; handOff: boolean },
  now: number,
): Promise<{ delivery: Delivery; dueNow: string | null }> {
  const { person, channel, rung, late_ms } = to
  const common = { school_id: alert.school_id, person, late_ms, now, tier: alert.tier }
  const isOut = channel !== 'desktop' && to.isUsable
  const kind = to.handOff ? 'hand off' : 'alert'
  const heardOf = isOut && to.handOff ? { ...alert, person, channel } : null
  const heard = heardOf ? await runsHeardSince(unit, heardOf, now - handedAgainWithin) : []
  const hasHeard = heard.some((run) => runNamed(run).why === 'hand off')
  const telling = isOut && !hasHeard ? await message(unit, randomness, { ...common, channel, kind }) : null
  const delivery: Delivery = {
    school_id: alert.school_id,
    delivery_id: randomness.uuid(),
    alert_key: alert.alert_key,
    session_id: alert.session_id,
    run: alert.run ?? '',
    firing: alert.firing,
    rung,
    person,
    channel,
    telling_id: telling?.id ?? null,
    state: hasHeard ? 'delivered' : to.isUsable ? 'attempted' : 'failed',
    attempted_at: now,
    answer_by: channel === 'desktop' ? now + desktopAnswersWithin : null,
    settled_at: to.isUsable && !hasHeard ? null : now,
    code: to.isUsable ? null : 'not set up',
  }
  await insertDelivery(unit, delivery)
  await enqueue(unit, [notified(alert, delivery, now, { late: late_ms > 0 })])
  return { delivery, dueNow: telling && telling.due_at <= now ? telling.id : null }
}

interface Asked {
  school_id: string
  person: string
  channel: OutsideChannel
  kind: Extract<Telling['kind'], 'alert' | 'hand off'>
  tier: 'high' | 'crisis'
  late_ms: number
  now: number
}

async function message(unit: Unit, randomness: Randomness, asked: Asked): Promise<{ id: string; due_at: number }> {
  const { school_id, person, channel, kind, tier, late_ms, now } = asked
  const begin = async (due_at: number, as = kind): Promise<{ id: string; due_at: number }> => {
    const id = randomness.uuid()
    await insertTelling(unit, {
      school_id,
      telling_id: id,
      kind: as,
      person,
      channel,
      late_ms,
      due_at,
      created_at: now,
    })
    return { id, due_at }
  }
  const window = await lockTellWindow(unit, { school_id, person, channel })
  if (kind === 'hand off') {
    // Somebody asks this person, and waits: the first is no one of several.
    if (!(await handOffWasTold(unit, asked, { now, within: bundlingWindow }))) return begin(now, kind)
    if (window.telling_id !== null) return { id: window.telling_id, due_at: Infinity }
    const waits = await begin(now + bundlingWindow, 'alert')
    await keepTellWindow(unit, { ...window, told_at: waits.due_at, telling_id: waits.id })
    return waits
  }
  const isFirstCrisis = tier === 'crisis' && !isWithin(window.crisis_at, now)
  if (isFirstCrisis || (window.telling_id === null && !isWithin(window.told_at, now))) {
    const told_at = window.telling_id === null ? now : window.told_at
    await keepTellWindow(unit, { ...window, told_at, crisis_at: tier === 'crisis' ? now : window.crisis_at })
    return begin(now)
  }
  if (window.telling_id !== null) return { id: window.telling_id, due_at: Infinity }
  const waits = await begin(window.told_at + bundlingWindow)
  await keepTellWindow(unit, { ...window, told_at: waits.due_at, telling_id: waits.id })
  return waits
}

/** A time further ahead than a window was written by a clock that was wrong. */
const isWithin = (at: number, now: number): boolean => now - at < bundlingWindow && at <= now + bundlingWindow
