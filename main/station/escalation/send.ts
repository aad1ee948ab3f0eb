/** Messages on their way: taken in hand by one station, sent, and what became of them written down. */
import type { Policy } from '../../../shared/policy.ts'
import { patternCategories, type PatternCategory } from '../../../shared/risk.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock } from '../../platform/ports.ts'
import {
  claimTelling,
  deliveriesOfTelling,
  findAlert,
  settleTelling,
  type AlertRow,
  type Delivery,
  type StationStore,
  type Telling,
  type Unit,
} from '../../store/station/index.ts'
import type { Address, Channels, Message } from '../channels/index.ts'
import { inSchool } from './in-school.ts'
import { settle } from './settle.ts'

/** How long a station has for a message before another one may send it: a channel takes 10 s at most. */
const claimLasts = seconds(25)

export interface SendOptions {
  store: StationStore
  stationId: string
  clock: Clock
  channels: Channels
  policyOf(schoolId: string): Promise<Policy>
  /** Address of a console, which names nobody; null = there is none to give. */
  link: string | null
  onQueued(): void
}

/** Sends one message, if it is in nobody's hands. Throws DatabaseGone: then it is sent again once the claim runs out. */
export async function send(options: SendOptions, name: Pick<Telling, 'school_id' | 'telling_id'>): Promise<void> {
  const { store, clock, channels, onQueued } = options
  const { school_id } = name
  const policy = await options.policyOf(school_id)
  const now = clock.now()
  const claim = { now, by: options.stationId, until: now + claimLasts }
  const taken = await inSchool(store, school_id, (unit) => take(unit, name, claim, options.link))
  if (taken === null) return
  const { telling, message } = taken
  const to = message && addressOf(policy, telling.person)
  const outcome = to
    ? await channels.send(telling.channel, to, message, telling.telling_id)
    : ({ outcome: 'failed', code: message ? 'left the directory' : 'no longer needed' } as const)
  await inSchool(store, school_id, async (unit) => {
    const [at, isDelivered] = [clock.now(), outcome.outcome === 'delivered']
    const state = message === null ? 'dropped' : outcome.outcome
    const code = outcome.outcome === 'failed' ? outcome.code : null
    const reference = outcome.outcome === 'delivered' ? outcome.reference : null
    const deliveries = await deliveriesOfTelling(unit, telling)
    await settle(
      unit,
      deliveries,
      isDelivered ? { state: 'delivered', code: null } : { state: 'failed', code: code ?? 'failed' },
      at,
    )
    await settleTelling(unit, telling, { state, settled_at: at, code, reference })
  })
  onQueued()
}

/** The message as it is now, which from here on is of nothing more; `message` null = nobody need hear it any more. */
async function take(
  unit: Unit,
  name: Pick<Telling, 'school_id' | 'telling_id'>,
  claim: Parameters<typeof claimTelling>[2],
  link: string | null,
): Promise<{ telling: Telling; message: Message | null } | null> {
  const telling = await claimTelling(unit, name, claim)
  if (telling === null) return null
  if (telling.kind === 'alarm failing') return { telling, message: { ...nothing, kind: 'alarm failing', link } }
  const alerts = new Map<string, AlertRow>()
  for (const delivery of await deliveriesOfTelling(unit, telling)) {
    const alert = await stillNeeds(unit, delivery)
    if (alert) alerts.set(alert.alert_key, alert)
  }
  if (alerts.size === 0) return { telling, message: null }
  const [only, ...others] = alerts.values()
  const categories = new Set([...alerts.values()].flatMap(({ document }) => document.categories))
  const message: Message = {
    kind: telling.kind === 'hand off' ? 'hand off' : others.length > 0 ? 'several' : 'alert',
    tier: [...alerts.values()].some(({ tier }) => tier === 'crisis') ? 'crisis' : 'high',
    categories: [...categories].sort(bySeverity),
    count: alerts.size,
    late_ms: telling.late_ms,
    link,
    reply: others.length === 0 && only ? only.number : null,
  }
  return { telling, message }
}

const nothing = { tier: null, categories: [], count: 0, late_ms: 0, reply: null } as const

/** The alert of a delivery, while the ladder still runs as it did. */
async function stillNeeds(unit: Unit, { school_id, alert_key, run }: Delivery): Promise<AlertRow | null> {
  const alert = await findAlert(unit, { school_id, alert_key })
  return alert?.run === run ? alert : null
}

function addressOf({ people }: Policy, id: string): Address | null {
  const person = people.find((each) => each.id === id)
  return person ? { person: id, name: person.name, ...person.channels } : null
}

const bySeverity = (a: PatternCategory, b: PatternCategory): number => patternCategories[b] - patternCategories[a]
