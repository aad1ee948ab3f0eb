/** The assistant's answers that came too late for their message: they are found with the session. */
import { seconds } from '../../shared/time.ts'
import { pause } from '../platform/pause.ts'
import type { Clock } from '../platform/ports.ts'
import type { IntakeClient } from './client.ts'

/** Between two looks, milliseconds. */
const interval = seconds(1)
/** A station waits for an answer for 30 seconds; a little more, because it has to be kept, too. */
const mostLooks = 35

interface LateAnswersOptions {
  client: IntakeClient
  sessionId: string
  clock: Clock
  /** Ends the looking. */
  signal: AbortSignal
  /** Called once for each answer. */
  hear(text: string): void
}

/** Looks into the session while an answer is expected, beside whatever else is said. */
export function lateAnswers({ client, sessionId, clock, signal, hear }: LateAnswersOptions) {
  const known = new Set<string>()
  let since = Infinity
  let expected = 0
  let looksLeft = 0
  let looking = false

  async function look(): Promise<void> {
    looking = true
    for (; expected > 0 && looksLeft > 0; looksLeft--) {
      await pause(clock, interval, signal)
      if (signal.aborted) return
      for (const text of await client.assistantSince(sessionId, since))
        if (!known.has(text) && !signal.aborted) {
          known.add(text)
          expected--
          hear(text)
        }
    }
    looking = false
    expected = 0
  }

  return {
    /** These words of the assistant have been shown. */
    shown: (text: string): void => void known.add(text),
    /** The answer to the message of this sequence number is still to come. */
    expect(sequence: number): void {
      since = Math.min(since, sequence)
      expected++
      looksLeft = mostLooks
      if (!looking) void look()
    },
  }
}
