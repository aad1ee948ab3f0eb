import type { AlertDetail } from '../../shared/views.ts'

/** What the present person may do with an alert as it stands. */
export function possible(alert: Pick<AlertDetail, 'state' | 'tier' | 'owner' | 'hand_off'>, me: string) {
  const actionable = alert.tier === 'crisis' || alert.tier === 'high'
  const held = actionable && alert.state === 'acknowledged'
  return {
    acknowledge: actionable && alert.state === 'open',
    accept: held && alert.hand_off?.to === me,
    takeOver: held && alert.owner !== null && alert.owner.id !== me,
    handOff: held && alert.owner?.id === me,
    note: actionable,
    resolve: actionable && alert.state !== 'resolved',
  }
}
