/** What came of a test alert, in words. Pure. */
import type { Ways } from '../../../shared/escalation/index.ts'
import type { TestAlertResult } from '../../../shared/test-alert.ts'
import { clockText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { isSetUp } from './ways.ts'

const text = words.onCall.check

/**
 * One way, and what arrived by it. `sentAt`: UTC milliseconds; `setUp`: the ways that the station has, null = not known.
 * Of a way that is not set up nobody misses a number: that is said first.
 */
export function wayText(
  { channel, where, outcome, code, took_ms }: TestAlertResult['ways'][number],
  sentAt: number,
  setUp: Ways,
): string {
  return text.way(words.onCall.channelChoice[channel], where, what())

  function what(): string {
    const said = text.outcome
    if (outcome === 'delivered')
      return said.delivered(clockText(sentAt + (took_ms ?? 0), true), took_ms === null ? null : text.seconds(took_ms))
    if (outcome === 'failed') return said.failed(code)
    if (outcome === 'not set up' || !isSetUp(channel, setUp)) return said['not set up']
    return said['no address'](channel)
  }
}
