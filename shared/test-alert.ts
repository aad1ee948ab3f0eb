/** What came of a test alert: what arrived where, and when. */
import { z } from 'zod'
import { channelSchema } from './on-call.ts'

const wayResultSchema = z.object({
  channel: channelSchema.exclude(['desktop']),
  /** Enough of the number or address to know it again; null = the way has none, or the person has none for it. */
  where: z.string().max(300).nullable(),
  /** `not set up`: nobody has configured that way at the station. `no address`: the directory has none of this person. */
  outcome: z.enum(['delivered', 'failed', 'not set up', 'no address']),
  /** Why it failed, as the provider calls it. */
  code: z.string().max(200).nullable(),
  /** How long its provider took to take it, milliseconds; null = nothing was sent. */
  took_ms: z.int().min(0).nullable(),
})

export const testAlertResultSchema = z.object({
  /** UTC milliseconds. */
  sent_at: z.int(),
  ways: z.array(wayResultSchema).max(10),
})
export type TestAlertResult = z.output<typeof testAlertResultSchema>
