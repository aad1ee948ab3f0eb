/** The ladder and the rotas while they are edited: what is wrong with them, and what is done to lists. Pure. */
import { gapsInOnCall, type Ways } from '../../../shared/escalation/index.ts'
import type { OnCall, Rota, Target } from '../../../shared/on-call.ts'
import { policySchema, type Policy, type PolicyGap } from '../../../shared/policy.ts'

/** Edited here, and nothing else of a policy. */
export interface OnCallDraft {
  on_call: OnCall
  hours: Policy['calendar']['hours']
}

export const draftOf = ({ on_call, calendar }: Policy): OnCallDraft => ({ on_call, hours: calendar.hours })

/** A policy with what was typed in it; it need not be one. */
export function policyOf(policy: Policy, { on_call, hours }: OnCallDraft): Policy {
  return { ...policy, on_call, calendar: { ...policy.calendar, hours } }
}

/** Whether two drafts say the same. */
export const isSame = (a: OnCallDraft, b: OnCallDraft): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A gap or a fault at its place. `gap` null = of the wrong form. */
export interface Problem {
  path: PolicyGap['path']
  gap: string | null
}

/** What is wrong with a draft at an instant (UTC milliseconds): its form, else its gaps. */
export function problemsIn(policy: Policy, draft: OnCallDraft, at: number, ways: Ways = null): Problem[] {
  const typed = policyOf(policy, draft)
  const parsed = policySchema.safeParse(typed)
  if (!parsed.success)
    return parsed.error.issues.map(({ path }) => ({
      path: path.map((step) => (typeof step === 'number' ? step : String(step))),
      gap: null,
    }))
  return gapsInOnCall(parsed.data, at, ways)
}

/** What is wrong at a place, or, unless it is to be of that place alone, within it; written as “on_call.rotas.0.name”. */
export function problemAt(problems: readonly Problem[], place: string, alone = false): Problem | undefined {
  return problems.find(({ path }) => {
    const written = path.join('.')
    return written === place || (!alone && written.startsWith(`${place}.`))
  })
}

/** A target, as a choice names it: “rota nights”. */
export function targetKey(target: Target): string {
  switch (target.kind) {
    case 'assigned':
      return 'assigned'
    case 'rota':
      return `rota ${target.rota}`
    case 'role':
      return `role ${target.role}`
    case 'person':
      return `person ${target.person}`
  }
}

/** The list with one entry another one. */
export const replaced = <Entry>(list: readonly Entry[], index: number, part: Partial<Entry>): Entry[] =>
  list.map((entry, at) => (at === index ? { ...entry, ...part } : entry))

/** The list without one entry. */
export const without = <Entry>(list: readonly Entry[], index: number): Entry[] => list.filter((_, at) => at !== index)

/** The list with one entry a place further up (−1) or down (1); the same at either end. */
export function moved<Entry>(list: readonly Entry[], index: number, by: 1 | -1): Entry[] {
  const next = [...list]
  const [entry] = next.splice(index, 1)
  if (entry !== undefined) next.splice(Math.max(0, index + by), 0, entry)
  return next
}

/**
 * The rungs with one of them a place further up or down. What moves is whom a rung tells and how: its time stays with the
 * place, for rungs come one after the other.
 */
export function movedRung(
  rungs: OnCall['ladders']['crisis']['rungs'],
  index: number,
  by: 1 | -1,
): OnCall['ladders']['crisis']['rungs'] {
  return moved(rungs, index, by).map((rung, at) => ({ ...rung, after_minutes: rungs[at]?.after_minutes ?? 0 }))
}

/** A rota of nobody yet that begins on a day (“2026-11-30”). */
export function newRota(id: string, name: string, day: string): Rota {
  const rotation = { people: [], turn_days: 7, starts: day, hands_over_at: '08:00' }
  return { id, name, hours: 'always', rotation, overrides: [] }
}

/** With an after-hours rota more, whom the first rung of the crisis ladder tells besides. */
export function withAfterHours(on_call: OnCall, rota: Rota): OnCall {
  const { crisis } = on_call.ladders
  const target: Target = { kind: 'rota', rota: rota.id }
  const rungs = crisis.rungs.map((rung, index) => (index === 0 ? { ...rung, to: [...rung.to, target] } : rung))
  return {
    ...on_call,
    rotas: [...on_call.rotas, { ...rota, hours: 'after hours' }],
    ladders: { ...on_call.ladders, crisis: { ...crisis, rungs } },
  }
}

/** Rotas that no step of a ladder tells: whoever has one is told of nothing by it. */
export function unusedRotas({ rotas, ladders }: OnCall): Rota[] {
  const targets = Object.values(ladders).flatMap(({ rungs }) => rungs.flatMap(({ to }) => to))
  return rotas.filter(({ id }) => !targets.some((target) => target.kind === 'rota' && target.rota === id))
}

/** Names of the rotas that have nobody yet. */
export const unfinishedRotas = ({ rotas }: OnCall): string[] =>
  rotas.filter(({ rotation }) => rotation.people.length === 0).map(({ name }) => name)

/** What of a policy that is being edited can be drawn: without rotas of nobody; null while it is none. */
export function drawable(policy: Policy): Policy | null {
  const rotas = policy.on_call.rotas.filter(({ rotation }) => rotation.people.length > 0)
  const parsed = policySchema.safeParse({ ...policy, on_call: { ...policy.on_call, rotas } })
  return parsed.success ? parsed.data : null
}

/** Without a rota, and no rung tells it any more. */
export function withoutRota(on_call: OnCall, index: number): OnCall {
  const gone = on_call.rotas[index]?.id
  const freed = ({ rungs, ...ladder }: OnCall['ladders']['crisis']) => ({
    ...ladder,
    rungs: rungs.map((rung) => ({ ...rung, to: rung.to.filter((each) => each.kind !== 'rota' || each.rota !== gone) })),
  })
  const { crisis, high } = on_call.ladders
  return { ...on_call, rotas: without(on_call.rotas, index), ladders: { crisis: freed(crisis), high: freed(high) } }
}
