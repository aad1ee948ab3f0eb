/** Whether anybody is called when nobody takes an alert: what every screen of this console says, from one place. */
import type { StripView } from '../../shared/views.ts'
import type { Proof } from './proof.ts'

/**
 * What the newest heartbeat says, as long as it is not too old to say anything of now. A back end that never said it is
 * believed to do what this console was configured with (`configured`; null = with nothing). Else it is not known.
 */
export function ladderNow(
  { heard, saidOfLadder }: Pick<Proof, 'heard' | 'saidOfLadder'>,
  configured: 'station' | 'off' | null,
): StripView['ladder'] {
  const said = heard()?.ladder ?? null
  if (said !== null) return said === 'on' ? 'station' : 'off'
  // One that said it before and is silent now may have stopped, or been set up otherwise.
  return saidOfLadder() === null ? (configured ?? 'unknown') : 'unknown'
}
