/** What is missing or contradictory in rotas and ladders, so that somebody might not be told: in sentences for whoever edits them. */
import type { Channel, Ladder, OnCall, Rota, Rung } from '../on-call.ts'
import type { Policy, PolicyGap } from '../policy.ts'
import { days } from '../time.ts'
import { silencesBetween } from './coverage.ts'
import { wallOf } from './wall.ts'
import { policyBy, rungBy, type Ways } from './ways.ts'
import { hasWay } from './who-is-told.ts'

/** How far ahead a time without anybody is looked for, milliseconds. */
const looksAhead = days(56)

type Path = PolicyGap['path']

/**
 * The gaps of a policy's rotas and ladders at an instant (UTC milliseconds): a rota or a rung that cannot tell anybody,
 * somebody whom no channel of a rung reaches, stretches that end before they begin, and any time of the next eight weeks
 * at which a ladder would tell nobody of a student whom no counselor is assigned to. `ways`: those that the station has.
 */
export function gapsInOnCall(policy: Policy, at: number, ways: Ways = null): PolicyGap[] {
  const { on_call } = policy
  const gaps = [
    ...gapsInRotas(policy, at),
    ...gapsInAbsences(on_call),
    ...gapsInLadder(policy, 'crisis', at, ways),
    ...gapsInLadder(policy, 'high', at, ways),
  ]
  // What is missing for good is named where it is missing, and not once more for each time.
  if (gaps.length > 0) return gaps
  return (['crisis', 'high'] as const).flatMap((tier) => gapsInTime(policyBy(policy, ways), tier, at))
}

/**
 * The gaps for which a policy that follows `before` is refused. Who edits rotas, ladders or hours leaves none; who edits
 * the directory opens none that was not there, and nothing else is held up by them. Null = none was saved before.
 */
export function gapsOpened(before: Policy | null, policy: Policy, at: number, ways: Ways = null): PolicyGap[] {
  const gaps = gapsInOnCall(policy, at, ways)
  if (before === null || gaps.length === 0 || JSON.stringify(tells(before)) !== JSON.stringify(tells(policy)))
    return gaps
  const known = new Set(gapsInOnCall(before, at, ways).map((gap) => JSON.stringify(gap)))
  return gaps.filter((gap) => !known.has(JSON.stringify(gap)))
}

/** What says who is told when, but for the people. */
const tells = ({ on_call, calendar: { time_zone, closed, hours } }: Policy) => ({ on_call, time_zone, closed, hours })

function gapsInRotas({ people, calendar, on_call }: Policy, at: number): PolicyGap[] {
  const listed = new Set(people.map(({ id }) => id))
  const now = wallOf(at, calendar.time_zone).text
  return on_call.rotas.flatMap((rota, index): PolicyGap[] => {
    const gaps: PolicyGap[] = []
    const path: Path = ['on_call', 'rotas', index]
    if (on_call.rotas.findIndex(({ id }) => id === rota.id) < index)
      gaps.push({ path: [...path, 'id'], gap: `The rota “${rota.name}” is there twice.` })
    const turns = rota.rotation.people
    if (!turns.some((person) => listed.has(person)))
      gaps.push({
        path: [...path, 'rotation', 'people'],
        gap: `No one on the rota “${rota.name}” is in the directory any more.`,
      })
    else
      for (const [turn, person] of turns.entries())
        if (!listed.has(person))
          gaps.push({
            path: [...path, 'rotation', 'people', turn],
            gap: `Turn ${turn + 1} of the rota “${rota.name}” is of someone who is not in the directory.`,
          })
    for (const [which, { person, from, to }] of rota.overrides.entries()) {
      const place = [...path, 'overrides', which]
      if (to <= from)
        gaps.push({
          path: [...place, 'to'],
          gap: `Cover ${which + 1} of the rota “${rota.name}” ends before it starts.`,
        })
      // One that is over hinders nobody.
      else if (!listed.has(person) && now < to)
        gaps.push({
          path: [...place, 'person'],
          gap: `Cover ${which + 1} of the rota “${rota.name}” is by someone who is not in the directory.`,
        })
    }
    return gaps
  })
}

function gapsInAbsences({ away }: OnCall): PolicyGap[] {
  return away.flatMap(({ from, to }, index) =>
    to <= from ? [{ path: ['on_call', 'away', index, 'to'], gap: `Absence ${index + 1} ends before it starts.` }] : [],
  )
}

type Tier = keyof OnCall['ladders']

const alertsOf: Record<Tier, string> = { crisis: 'a crisis', high: 'a high-risk alert' }

function gapsInLadder(policy: Policy, tier: Tier, at: number, ways: Ways): PolicyGap[] {
  const { rungs }: Ladder = policy.on_call.ladders[tier]
  const path: Path = ['on_call', 'ladders', tier, 'rungs']
  if (rungs.length === 0) return [{ path, gap: `Nobody would be told of ${alertsOf[tier]}: its ladder has no steps.` }]
  return rungs.flatMap((rung, index) => [
    ...gapsInOrder(rungs, index, [...path, index]),
    ...gapsInRung(policy, rung, index, { path: [...path, index], at, ways }),
  ])
}

function gapsInOrder(rungs: readonly Rung[], index: number, path: Path): PolicyGap[] {
  const before = rungs[index - 1]
  const rung = rungs[index]
  if (!before || !rung || before.after_minutes < rung.after_minutes) return []
  return [{ path: [...path, 'after_minutes'], gap: `Step ${index + 1} does not come later than step ${index}.` }]
}

function gapsInRung(
  policy: Policy,
  rung: Rung,
  index: number,
  { path, at, ways }: { path: Path; at: number; ways: Ways },
): PolicyGap[] {
  const place = `step ${index + 1}`
  const gaps: PolicyGap[] = []
  if (rung.to.length === 0) gaps.push({ path: [...path, 'to'], gap: `Nobody is told at ${place}.` })
  if (rung.channels.length === 0)
    gaps.push({ path: [...path, 'channels'], gap: `Step ${index + 1} says no way to tell anyone.` })
  for (const [which, target] of rung.to.entries()) {
    if (target.kind === 'rota' && !policy.on_call.rotas.some(({ id }) => id === target.rota))
      gaps.push({ path: [...path, 'to', which], gap: `Step ${index + 1} tells an on-call rota that is not there.` })
    if (target.kind === 'person' && !policy.people.some(({ id }) => id === target.person))
      gaps.push({ path: [...path, 'to', which], gap: `Step ${index + 1} tells someone who is not in the directory.` })
  }
  if (rung.channels.length === 0) return gaps
  const { channels } = rungBy(rung, ways)
  if (channels.length === 0)
    return [
      ...gaps,
      {
        path: [...path, 'channels'],
        gap: `Step ${index + 1} only ${howOf(rung.channels)}, and this station cannot ${cannot(rung.channels)}: choose another way, or ask the people who run it to set this one up.`,
      },
    ]
  const only =
    channels.length < rung.channels.length ? `by what this station has set up ${place} only` : `${place} only`
  for (const person of namedBy(policy, rung, at)) {
    const listed = policy.people.find(({ id }) => id === person)
    if (listed && !channels.some((channel) => hasWay(listed.channels, channel)))
      gaps.push({
        path: [...path, 'channels'],
        gap: `${listed.name} has no ${lacking(channels)}, and ${only} ${howOf(channels)}.`,
      })
  }
  return gaps
}

/** Ids of those whom a rung names itself or through a rota, each once; a role or “their counselor” names nobody. */
function namedBy({ on_call, calendar }: Policy, { to }: Rung, at: number): Set<string> {
  const now = wallOf(at, calendar.time_zone).text
  const inRota = ({ rotation, overrides }: Rota) => [
    ...rotation.people,
    ...overrides.flatMap((each) => (now < each.to ? each.person : [])),
  ]
  return new Set(
    to.flatMap((target) => {
      if (target.kind === 'person') return target.person
      return target.kind === 'rota' ? on_call.rotas.filter(({ id }) => id === target.rota).flatMap(inRota) : []
    }),
  )
}

/** “phone number or e-mail address”: what would have to be there for these channels. */
function lacking(channels: readonly Channel[]): string {
  const needs = channels.map((channel) => (channel === 'email' ? 'e-mail address' : 'phone number'))
  return [...new Set(needs)].join(' or ')
}

/** “texts and calls”. */
function howOf(channels: readonly Channel[]): string {
  const does: Partial<Record<Channel, string>> = {
    sms: 'texts',
    voice: 'calls',
    email: 'e-mails',
    other: 'asks another service',
  }
  return new Intl.ListFormat('en-US').format(channels.flatMap((channel) => does[channel] ?? []))
}

/** “text or call”. */
function cannot(channels: readonly Channel[]): string {
  const does: Partial<Record<Channel, string>> = { sms: 'text', voice: 'call', email: 'e-mail', other: 'ask one' }
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
    channels.flatMap((channel) => does[channel] ?? []),
  )
}

function gapsInTime(policy: Policy, tier: Tier, at: number): PolicyGap[] {
  const until = at + looksAhead
  const silences = silencesBetween(policy, policy.on_call.ladders[tier].rungs, at, until)
  const [first, ...more] = silences
  if (!first) return []
  const path: Path = ['on_call', 'ladders', tier]
  const whom = `would be told of ${alertsOf[tier]}`
  if (first.from === at && first.to === until)
    return [{ path, gap: `Nobody ${whom} for a student without a counselor of their own.` }]
  const stretch = stretchText(first, { at, until, zone: policy.calendar.time_zone })
  const often = more.length === 0 ? '' : more.length === 1 ? ', and once more' : `, and ${more.length} more times`
  return [{ path, gap: `${stretch} nobody ${whom}${often && `${often} in the next eight weeks`}.` }]
}

/** “From Saturday, November 28, 2:00 AM to 6:00 AM”. */
function stretchText(
  { from, to }: { from: number; to: number },
  { at, until, zone }: { at: number; until: number; zone: string },
): string {
  const day = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'long', month: 'long', day: 'numeric' })
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' })
  const time = (instant: number) => clock.format(instant).replaceAll('\u202F', ' ')
  const both = (instant: number) => `${day.format(instant)}, ${time(instant)}`
  const begins = from === at ? 'From now' : `From ${both(from)}`
  if (to === until) return `${begins} on`
  const sameDay = day.format(from) === day.format(to) && from !== at
  return `${begins} to ${sameDay ? time(to) : both(to)}`
}
