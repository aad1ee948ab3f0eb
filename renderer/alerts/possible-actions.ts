import type { AlertDetail } from '../../shared/views.ts'

/** What the present person may do with an alert as it stands. */
export function possibleActions(alert: Pick<AlertDetail, 'state' | 'owner' | 'hand_off'>, me: string) {
  const { state, owner, hand_off } = alert
  const held = state === 'acknowledged'
  return {
    acknowledge: state === 'open',
    accept: held && hand_off?.to === me,
    decline: hand_off?.to === me && state !== 'resolved',
    takeOver: held && owner !== null && owner.id !== me,
    handOff: held && owner?.id === me,
    withdrawHandOff: hand_off?.by === me && state !== 'resolved',
    returnToQueue: held && owner?.id === me,
    resolve: state !== 'resolved',
    reopen: state === 'resolved',
  }
}
