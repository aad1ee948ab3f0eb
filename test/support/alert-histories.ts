/** Random histories of one session: a station, three consoles with clocks of their own, and everything on its way between them. */
import fc from 'fast-check'
import type { AlertAction } from '../../shared/actions.ts'
import { coverageOf, type Alert, type Trigger } from '../../shared/alerts.ts'
import { createReduction, type Reduction } from '../../shared/reduction.ts'
import { minutes } from '../../shared/time.ts'
import { action, identity, start, trigger } from './alerts.ts'

const people = ['marlow', 'osei', 'rivera'] as const
const kinds = [
  'acknowledged', 'acknowledged', 'taken_over', 'handed_off', 'hand_off_accepted', 'hand_off_declined', 'returned',
  'resolved', 'resolved', 'reopened', 'noted',
] as const // prettier-ignore

const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step: fc.constant('said' as const), tier: fc.constantFrom('high' as const, 'crisis' as const), score: fc.integer({ min: 70, max: 99 }) }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('act' as const), who: fc.nat({ max: 2 }), kind: fc.constantFrom(...kinds), alert: fc.nat({ max: 3 }), all: fc.boolean(), to: fc.constantFrom(...people) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('relay' as const), who: fc.nat({ max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('deliver' as const), who: fc.nat({ max: 2 }), which: fc.nat({ max: 9 }), again: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 25 }) }) },
) // prettier-ignore

/** What happens, and by how many minutes the clock of each console is wrong. */
export const someHistory = fc.record({
  skews: fc.tuple(...people.map(() => fc.integer({ min: -15, max: 15 }))),
  steps: fc.array(steps, { minLength: 3, maxLength: 30, size: 'max' }),
})
export type History = typeof someHistory extends fc.Arbitrary<infer Value> ? Value : never

type Mail = { trigger: Trigger } | { action: AlertAction }

/** Plays a history to its end, when everything has arrived everywhere. */
export function play({ skews, steps: all }: History): {
  triggers: Trigger[]
  actions: AlertAction[]
  consoles: Alert[][]
} {
  const triggers: Trigger[] = []
  const relayed: AlertAction[] = []
  const consoles = people.map((person, index) => ({
    ...{ person, skew: minutes(skews[index] ?? 0), reduction: createReduction() as Reduction },
    inbox: [] as Mail[],
    outbox: [] as AlertAction[],
  }))
  let now = start
  let made = 0
  const publish = (mail: Mail): void => consoles.forEach(({ inbox }) => inbox.push(mail))
  const relay = (of: (typeof consoles)[number] | undefined): void => {
    const sent = of?.outbox.shift()
    if (!sent) return
    const placed = { ...sent, position: relayed.length + 1 }
    relayed.push(placed)
    publish({ action: placed })
  }
  const take = (of: (typeof consoles)[number], mail: Mail | undefined): void => {
    if (mail === undefined) return
    if ('trigger' in mail) of.reduction.add([mail.trigger], [])
    else of.reduction.add([], [mail.action])
  }
  for (const each of all) {
    const at = consoles['who' in each ? each.who : 0] as (typeof consoles)[number]
    if (each.step === 'wait') now += minutes(each.minutes)
    else if (each.step === 'said') {
      const said = trigger({ id: identity(made++), at: now, tier: each.tier, score: each.score / 100, categories: [] })
      triggers.push(said)
      publish({ trigger: said })
      now += 1000
    } else if (each.step === 'relay') relay(at)
    else if (each.step === 'deliver') {
      const which = each.which % Math.max(1, at.inbox.length)
      take(at, each.again ? at.inbox[which] : at.inbox.splice(which, 1)[0])
    } else {
      const seen = at.reduction.alerts()
      const alert = seen[each.alert % Math.max(1, seen.length)]
      if (!alert) continue
      const covers = each.all ? alert.triggers : alert.triggers.slice(0, 1)
      const id = `action-${String(made++).padStart(3, '0')}`
      const done = action(each.kind, covers, {
        id,
        at: now + at.skew,
        by: at.person,
        to: each.to,
        covered: coverageOf(covers),
      })
      at.reduction.add([], [done])
      at.outbox.push(done)
      now += 1000
    }
  }
  for (const each of consoles) while (each.outbox.length > 0) relay(each)
  for (const each of consoles) each.inbox.forEach((mail) => take(each, mail))
  return { triggers, actions: relayed, consoles: consoles.map(({ reduction }) => reduction.alerts()) }
}
