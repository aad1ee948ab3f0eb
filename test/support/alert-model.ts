/**
 * The state machine of alerts once more, as plainly as it can be said: for one student, without messages of two events,
 * plans or undo. What the program computes is held against it.
 */
import type { AlertAction } from '../../shared/actions.ts'
import type { Trigger } from '../../shared/alerts.ts'

export interface ModelAlert {
  triggers: string[]
  state: 'open' | 'acknowledged' | 'resolved'
  owner: string | null
  to: string | null
  opened: number
  seen: { tier: string; score: number }
}

const half = 30 * 60_000
const rank = (tier: string): number => ['ok', 'caution', 'high', 'crisis'].indexOf(tier)
const worse = (a: { tier: string; score: number }, b: { tier: string; score: number }): boolean =>
  rank(a.tier) > rank(b.tier) || Math.round((a.score - b.score) * 100) >= 5
const worst = (all: { tier: string; score: number }[]) => ({
  tier: all.reduce((tier, one) => (rank(one.tier) > rank(tier) ? one.tier : tier), 'ok'),
  score: Math.max(0, ...all.map(({ score }) => score)),
})

/** Triggers by time; actions by the station's order, those that have none after them, none before what it covers. */
export function modelAlerts(triggers: readonly Trigger[], actions: readonly AlertAction[]): ModelAlert[] {
  const byId = new Map(triggers.map((each) => [each.id, each]))
  const inTurn = actions.toSorted(
    (a, b) => (a.position ?? 1e9) - (b.position ?? 1e9) || a.at - b.at || (a.id < b.id ? -1 : 1),
  )
  let last = -Infinity
  const places = inTurn.map((action, turn) => {
    const place = Math.max(action.at, last, ...action.covers.map((id) => byId.get(id)?.at ?? -Infinity))
    if (action.position !== undefined) last = place
    return { at: place, turn, action }
  })
  const all = [
    ...triggers.map((trigger) => ({ at: trigger.at, turn: -1, trigger, action: undefined, id: trigger.id })),
    ...places.map((place) => ({ ...place, trigger: undefined, id: '' })),
  ].sort((a, b) => a.at - b.at || a.turn - b.turn || (a.id < b.id ? -1 : 1))
  const alerts: ModelAlert[] = []
  const open = (of: Trigger[]): ModelAlert => {
    const fresh = { triggers: of.map(({ id }) => id), opened: of[0]?.at ?? 0, seen: worst([]) }
    return { ...fresh, state: 'open', owner: null, to: null }
  }
  for (const { trigger, action } of all) {
    if (trigger) {
      const known = alerts.findLast(({ state, opened }) => state !== 'resolved' && trigger.at - opened <= half)
      if (!known) alerts.push(open([trigger]))
      else known.triggers.push(trigger.id)
      if (known?.state === 'acknowledged' && worse(trigger, known.seen)) known.state = 'open'
      continue
    }
    for (const alert of [...alerts]) {
      const named = alert.triggers.filter((id) => action.covers.includes(id))
      if (named.length === 0) continue
      const left = alert.triggers.filter((id) => !named.includes(id)).map((id) => byId.get(id) as Trigger)
      const said = worst([action.covered, ...named.map((id) => byId.get(id) as Trigger)])
      const hold = (owner: string): void => {
        const isWorse = left.some((one) => worse(one, said))
        Object.assign(alert, { state: isWorse ? 'open' : 'acknowledged', owner, to: null, seen: said })
      }
      const { by } = action
      if (action.action === 'reopened' && alert.state !== 'open') alert.state = 'open'
      if (alert.state === 'resolved' || action.action === 'reopened') continue
      if (action.action === 'acknowledged' && alert.state === 'acknowledged') alert.seen = worst([alert.seen, said])
      else if (action.action === 'acknowledged' || action.action === 'taken_over') hold(by)
      else if (action.action === 'handed_off' && alert.owner === by) alert.to = action.to ?? null
      else if (action.action === 'hand_off_accepted' && alert.to === by) hold(by)
      else if (action.action === 'hand_off_declined' && alert.to === by) alert.to = null
      else if (action.action === 'returned' && alert.owner === by)
        Object.assign(alert, { state: 'open', owner: null, to: null })
      else if (action.action === 'resolved') {
        if (left.length > 0) alerts.push(open(left))
        const opened = byId.get(named[0] ?? '')?.at ?? alert.opened
        Object.assign(alert, { state: 'resolved', to: null, triggers: named, opened })
      }
    }
  }
  return alerts
}
