/**
 * The alerts of the station's schools, reduced as every console reduces them: in the unit of work in which a message, or a
 * record of what somebody did, is kept. What an alert needs of the ladder is a row by the time that unit ends.
 */
import { isVoid, type Alert } from '../../../shared/alerts.ts'
import { createReduction, type Reduction } from '../../../shared/reduction.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Clock } from '../../platform/ports.ts'
import {
  addAlertSteps,
  alertsOfSession,
  alertStepsOf,
  deleteTimer,
  lockAlertSession,
  mergeAlert,
  nextAlertNumber,
  putAlert,
  schoolsOfAlertSession,
  setTimer,
  takeAlertSteps,
  type AlertDocument,
  type AlertRow,
  type AlertStep,
  type SessionKey,
  type Unit,
} from '../../store/station/index.ts'
import { promiseEnds } from './promise.ts'
import { concernsNow, runName, runOf } from './runs.ts'
import { actionStep, isVoidStep, readSteps, triggerStep } from './steps.ts'

export interface AlertBook {
  /** Opens what belongs to these schools, before a unit of work in which it is read. */
  openFor(schools: readonly string[]): Promise<void>
  /** Events of a session, as they stand on the wire, are published with this unit. */
  said(unit: Unit, key: SessionKey, events: readonly object[]): Promise<void>
  /**
   * The same of an event of another producer, in a unit of work of the station's own: what was done about the session
   * before anything told of which school it is goes with it.
   */
  saidElsewhere(unit: Unit, key: SessionKey, event: object): Promise<void>
  /** A record is relayed with this unit, with its place in the order. `school_id`: '' = it names none. */
  done(unit: Unit, school_id: string, event: Record<string, unknown>): Promise<void>
  /** The alerts of a session as they stand. */
  alertsOf(unit: Unit, key: SessionKey): Promise<Alert[]>
}

export interface AlertBookOptions {
  clock: Clock
  /** Opens the words of a school's records; null where this station does not serve it. */
  keyOf(schoolId: string): Promise<Pick<EvidenceKey, 'open'> | null>
  /** Whether this station runs the ladder: without it no timer is set. */
  ladder: boolean
  /** Told of each record that changes nothing and is not kept here, as its session has too many of them. */
  onLeftOut?(): void
}

/** Triggers that are named in what is told of an alert. */
const mostNamed = 500
/** Records of one session that change nothing, kept to be found again; whoever may send them may send any number. */
const mostVoid = 1_000
/** Sessions whose reduction is held: those that were heard of last. */
const mostSessions = 200

interface Held {
  /** How much of the session it holds. */
  steps: number
  last_step: string
  reduction: Reduction
  /** Records in it that change nothing. */
  voids: number
  /** Ids of triggers of a told past. */
  told: Set<string>
}

export function createAlertBook({ clock, keyOf, ladder, onLeftOut }: AlertBookOptions): AlertBook {
  const held = new Map<string, Held>()
  const keys = new Map<string, Pick<EvidenceKey, 'open'> | null>()
  const nameOf = ({ school_id, session_id }: SessionKey): string => JSON.stringify([school_id, session_id])

  /** The reduction of a locked session; what a unit of work that failed has left here is not what is kept. */
  const reductionOf = async (unit: Unit, key: SessionKey): Promise<Held> => {
    const kept = await lockAlertSession(unit, key)
    const name = nameOf(key)
    const known = held.get(name)
    if (known && known.steps === kept.steps && known.last_step === kept.last_step) return known
    const fresh: Held = { steps: 0, last_step: '', reduction: createReduction(), voids: 0, told: new Set() }
    take(fresh, kept.steps === 0 ? [] : await alertStepsOf(unit, key), key)
    return hold(name, { ...fresh, ...kept })
  }
  const hold = (name: string, session: Held): Held => {
    held.delete(name)
    held.set(name, session)
    const [oldest] = held.size > mostSessions ? held.keys() : []
    if (oldest !== undefined) held.delete(oldest)
    return session
  }
  const take = (session: Held, steps: readonly AlertStep[], { school_id }: SessionKey) => {
    for (const { step_id, kind, told } of steps) if (kind === 'trigger' && told) session.told.add(step_id)
    const { triggers, actions } = readSteps(steps, keys.get(school_id) ?? null)
    session.voids += actions.filter(isVoid).length
    return session.reduction.add(triggers, actions)
  }

  const add = async (unit: Unit, key: SessionKey, steps: readonly AlertStep[]): Promise<void> => {
    if (steps.length === 0) return
    const session = await reductionOf(unit, key)
    const kept = withoutVoids(steps, mostVoid - session.voids)
    for (let left = kept.length; left < steps.length; left += 1) onLeftOut?.()
    const fresh = await addAlertSteps(unit, key, kept)
    if (fresh.length === 0) return
    const concerned = take(session, fresh, key)
    session.steps += fresh.length
    session.last_step = fresh.at(-1)?.step_id ?? session.last_step
    const touched = concerned && new Set([...concerned].map((alert) => alert.key))
    const alerts = session.reduction.alerts().filter((alert) => touched === null || touched.has(alert.key))
    await bringInLine(unit, key, alerts, { all: touched === null, isTold: (id) => session.told.has(id) })
  }

  /** What is kept of alerts, and their timers, follow what they are now. */
  const bringInLine = async (
    unit: Unit,
    key: SessionKey,
    alerts: readonly Alert[],
    { all, isTold }: { all: boolean; isTold(id: string): boolean },
  ): Promise<void> => {
    const before = new Map((await alertsOfSession(unit, key)).map((row) => [row.alert_key, row]))
    const left = new Set(all ? before.keys() : [])
    for (const alert of alerts) {
      // An earlier trigger that came late has given it another key, or has made one alert of two: the first was told first.
      const known = [alert.key, ...alert.aliases].flatMap((alias) => before.get(alias) ?? [])
      const [first] = known.toSorted((a, b) => (a.run_began_at ?? Infinity) - (b.run_began_at ?? Infinity))
      for (const { alert_key } of known) left.delete(alert_key)
      await follow(unit, key, alert, first ?? null, isTold)
      const gone = new Set(known.map(({ alert_key }) => alert_key).filter((other) => other !== alert.key))
      for (const alert_key of gone) await mergeAlert(unit, { school_id: key.school_id, alert_key }, alert.key)
    }
    // Every trigger is in some alert: what is left has lost all of its own to others.
    const [into] = alerts
    for (const alert_key of left) if (into) await mergeAlert(unit, { school_id: key.school_id, alert_key }, into.key)
  }

  const follow = async (
    unit: Unit,
    key: SessionKey,
    alert: Alert,
    before: AlertRow | null,
    isTold: (id: string) => boolean,
  ): Promise<void> => {
    const now = clock.now()
    const run = runOf(alert, isTold)
    const name = run && runName(run)
    const begins = name !== null && name !== before?.last_run
    const isNews = concernsNow(alert, isTold)
    const number = before?.number || (isNews ? await nextAlertNumber(unit, key.school_id) : 0)
    const ladderOf = begins
      ? { last_run: name, run_began_at: now, rung: 0, firing: 0, next_at: now, fired_at: null, fired_rung: null }
      : {
          last_run: before?.last_run ?? null,
          run_began_at: before?.run_began_at ?? null,
          rung: before?.rung ?? 0,
          firing: before?.firing ?? 0,
          next_at: before?.next_at ?? null,
          fired_at: before?.fired_at ?? null,
          fired_rung: before?.fired_rung ?? null,
        }
    const row: AlertRow = {
      school_id: key.school_id,
      alert_key: alert.key,
      session_id: key.session_id,
      student_hash: alert.student_hash,
      tier: alert.tier,
      state: alert.state,
      opened_at: alert.opened_at,
      owner: alert.owner?.id ?? null,
      due_at: alert.due_at,
      number,
      document: documentOf(alert),
      run: name,
      ...ladderOf,
    }
    await putAlert(unit, row)
    if (ladder) await setTimersOf(unit, row, before, { now, isNews, alert })
  }

  const setTimersOf = async (
    unit: Unit,
    row: AlertRow,
    before: AlertRow | null,
    { now, isNews, alert }: { now: number; isNews: boolean; alert: Alert },
  ): Promise<void> => {
    const named = { school_id: row.school_id, alert_key: row.alert_key, session_id: row.session_id }
    const renamed = before !== null && before.alert_key !== row.alert_key
    const common = { ...named, rung: row.rung, firing: row.firing, reason: null, created_at: now }
    // One that stands is left alone: it may have been brought forward.
    if (row.run === null) {
      if (before?.run) await deleteTimer(unit, { ...named, kind: 'rung' })
    } else if (before === null || renamed || before.run !== row.run) {
      // Where an acknowledgement was taken back the ladder stands where it stood, and goes on from there. While it rested
      // nothing was due: what would have come meanwhile comes now, and is not late.
      const next = row.next_at ?? now
      const due_at = before?.run === row.run ? next : Math.max(next, now)
      await setTimer(unit, { ...common, kind: 'rung', run: row.run, due_at })
    }
    const due = dueOf(row, isNews)
    const was = before && !renamed ? dueOf(before, isNews) : null
    if (due !== null && due !== was) {
      const due_at = (await promiseEnds(unit, row.school_id, alert)) ?? due
      await setTimer(unit, { ...common, kind: 'due', run: 'due', due_at })
    }
    if (due === null && (was !== null || renamed)) await deleteTimer(unit, { ...named, kind: 'due' })
  }

  const said: AlertBook['said'] = async (unit, { school_id, session_id }, events) => {
    const now = clock.now()
    const steps = events.flatMap((event) => triggerStep(event as Record<string, unknown>, now, school_id) ?? [])
    await add(unit, { school_id, session_id }, steps)
  }
  /** Whoever names no school means the only one in which there is such a session. */
  const schoolsKnowing = async (unit: Unit, session_id: string): Promise<string[]> => {
    await lockAlertSession(unit, { school_id: '', session_id })
    return schoolsOfAlertSession(unit, session_id)
  }

  return {
    async openFor(schools) {
      for (const school of new Set(schools)) if (!keys.get(school)) keys.set(school, await keyOf(school))
    },
    said,
    async saidElsewhere(unit, key, event) {
      const nameless = { school_id: '', session_id: key.session_id }
      // Held by whoever relays what names no school, so that of two at once neither misses the other's.
      await lockAlertSession(unit, nameless)
      await add(unit, key, await takeAlertSteps(unit, nameless))
      await said(unit, key, [event])
    },
    async done(unit, school_id, event) {
      const action = event['event_type'] === 'ALERT_ACTION' ? actionStep(event) : null
      if (action === null) return
      const { session_id } = action.said
      const schools = school_id === '' ? await schoolsKnowing(unit, session_id) : []
      // Of no school that is known yet: it waits for what tells.
      const of = (schools.length === 1 ? schools[0] : undefined) ?? school_id
      await add(unit, { school_id: of, session_id }, [action.step])
    },
    async alertsOf(unit, key) {
      return (await reductionOf(unit, key)).reduction.alerts()
    },
  }
}

/** What counts, and so many of those that change nothing. */
function withoutVoids(steps: readonly AlertStep[], most: number): AlertStep[] {
  let left = most
  return steps.filter((step) => !isVoidStep(step) || left-- > 0)
}

/** Until when its holder has promised something; null = nothing that is watched. */
function dueOf({ state, due_at }: Pick<AlertRow, 'state' | 'due_at'>, isNews: boolean): number | null {
  return state === 'acknowledged' && isNews ? due_at : null
}

function documentOf({ aliases, triggers, categories, score, tier, opened_at }: Alert): AlertDocument {
  const named = triggers.slice(-mostNamed)
  return {
    aliases,
    covers: [...new Set(named.map(({ idempotency_key }) => idempotency_key))],
    trigger_ids: named.map(({ id }) => id),
    categories,
    score,
    said_at: triggers.reduce((latest, each) => (each.tier === tier ? Math.max(latest, each.at) : latest), opened_at),
  }
}
