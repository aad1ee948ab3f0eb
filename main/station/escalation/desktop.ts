/** Consoles answer that they have shown an alert to somebody; those that do not have failed to. */
import { z } from 'zod'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Clock } from '../../platform/ports.ts'
import { findDelivery, unansweredDeliveries, type StationStore } from '../../store/station/index.ts'
import type { Channels } from '../channels/index.ts'
import { inSchool } from './in-school.ts'
import { settle } from './settle.ts'

/** Nobody is told anywhere but at their console. */
export const desktopOnly: Channels = {
  available: () => [],
  send: () => Promise.resolve({ outcome: 'failed', code: 'not set up' }),
}

/** Of what a console says, all that the ladder takes its word for. */
const answerSchema = z.object({
  event_type: z.literal('ALERT_NOTIFIED'),
  school_id: z.string().max(200).default(''),
  channel: z.literal('desktop'),
  outcome: z.literal('delivered'),
  delivery_id: z.string().min(1).max(200),
})

/** Silent desktops that are looked at together. */
const atOnce = 100

/** Takes in the answer of a console; false where it is of no delivery to a desktop. */
export async function takeAnswer(
  { store, clock }: { store: StationStore; clock: Clock },
  message: Record<string, unknown>,
): Promise<boolean> {
  const { data: answer } = answerSchema.safeParse(message)
  if (!answer) return false
  const { delivery_id } = answer
  const school_id = normalSchoolId(answer.school_id)
  return inSchool(store, school_id, async (unit) => {
    const delivery = await findDelivery(unit, { school_id, delivery_id })
    if (delivery?.channel !== 'desktop') return false
    await settle(unit, [delivery], { state: 'delivered', code: null }, clock.now())
    return true
  })
}

/** Gives up desktops that have not answered in time. Answers how many there were. */
export async function giveUpSilent({ store, clock }: { store: StationStore; clock: Clock }): Promise<number> {
  const again = { mayBeDoneAgain: true }
  const silent = await store.asStation((unit) => unansweredDeliveries(unit, clock.now(), atOnce), again)
  for (const delivery of silent)
    await inSchool(store, delivery.school_id, (unit) =>
      settle(unit, [delivery], { state: 'failed', code: 'no answer' }, clock.now()),
    )
  return silent.length
}
