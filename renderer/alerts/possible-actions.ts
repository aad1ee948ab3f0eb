import type { AlertDetail } from '../../shared/views.ts'

/** What the present person may do with an alert as it stands. */
export function possibleActions(alert: Pick<AlertDetail, 'state' | 'owner' | 'hand_off'>, me: string) {
  const held = alert.state === 'acknowledged'
  return {
    acknowledge: alert.state === 'open',
    accept: held && alert.hand_off?.to === me,
    takeOver: held && alert.owner !== null && alert.owner.id !== me,
    handOff: held && alert.owner?.id === me,
    resolve: alert.state !== 'resolved',
  }
}
