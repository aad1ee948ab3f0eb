/** Consoles answer that they have shown an alert to somebody; those that do not have failed to. */
import { toldAtConsoleSchema } from '../../../shared/console-messages.ts'
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

/** Silent desktops that are looked at together. */
const atOnce = 100

/** Takes in the answer of a console; false where it is of no delivery to a desktop. */
export async function takeAnswer(
  { store, clock }: { store: StationStore; clock: Clock },
  message: Record<string, unknown>,
): Promise<boolean> {
  const { data: answer } = toldAtConsoleSchema.safeParse(message)
  if (!answer) return false
  const { delivery_id, school_id = '' } = answer
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
