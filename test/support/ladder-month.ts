/** Weeks of a school's alerts at one or two stations that sleep, end and start again, and what should have come of them. */
import { openStationStore } from '../../main/store/station/index.ts'
import type { Runner } from '../../main/station/escalation/index.ts'
import type { Policy } from '../../shared/policy.ts'
import { days, minutes, seconds } from '../../shared/time.ts'
import { ladderHouse, ladderPolicy } from './ladder.ts'
import { seeded } from './seeded.ts'
import type { StoreKind } from './test-stores.ts'

/** One firing of a rung: of which session, which rung, when, whether it counts as late. */
interface Fired {
  session: string
  rung: number
  due_at: number
  at: number
  late: boolean
}

export interface Month {
  fired: Fired[]
  expected: Omit<Fired, 'due_at'>[]
  /** Deliveries that stand twice for one firing. */
  doubled: number
  errors: string[]
}

/** Minutes after the alert of the rungs, and of the last one coming again. */
const after = [0, 5, 10]
const repeat = 5

/** A rota that changes hands within the week, so that whom a rung tells hangs on the day, and on summer time. */
function monthPolicy(): Policy {
  const policy = ladderPolicy()
  const people = ['assigned', 'backup', 'admin']
  const rotation = { people, turn_days: 3, starts: '2026-03-01', hands_over_at: '02:30' }
  const rungOf = (after_minutes: number) => ({
    after_minutes,
    to: [{ kind: 'rota' as const, rota: 'rota' }],
    channels: ['sms' as const],
  })
  const ladder = { rungs: after.map(rungOf), repeat_minutes: repeat }
  policy.on_call = {
    rotas: [{ id: 'rota', name: 'On call', hours: 'always', rotation, overrides: [] }],
    away: [],
    ladders: { crisis: ladder, high: ladder },
  }
  return policy
}

/** Runs `length` milliseconds from 1 March 2026, across the night in which New York's clocks go forward. */
export async function runMonth(
  kind: StoreKind,
  { seed, length, alerts, stations }: { seed: number; length: number; alerts: number; stations: number },
): Promise<Month> {
  const chance = seeded(seed)
  const start = Date.UTC(2026, 2, 1, 5)
  const at = await ladderHouse(kind, { policy: monthPolicy(), start })
  const others = await Promise.all(Array.from({ length: stations - 1 }, () => openStationStore(at.database)))
  const all = [at.own(), ...others.map((store, index) => at.station(`station-${index + 2}`, store))]
  const running = new Map<number, Runner>()
  /** When anything ran, as far as that is known. */
  const awake: { from: number; to: number }[] = []
  const arrivals = Array.from({ length: alerts }, () => start + Math.floor(chance() * length)).sort((a, b) => a - b)
  const acknowledged = new Map<string, number>()
  const opened = new Map<string, number>()
  let coming = arrivals.map((when, index) => ({ when, session: `session-${index}` }))
  let answers: { when: number; session: string }[] = []

  const wake = (index: number): void => {
    if (running.size === 0) awake.push({ from: at.clock.now(), to: Infinity })
    running.set(index, at.start(all[index]))
  }
  const sleep = async (index: number): Promise<void> => {
    const runner = running.get(index)
    if (!runner) return
    running.delete(index)
    await at.stop(runner)
    const last = awake.at(-1)
    if (running.size === 0 && last) last.to = at.clock.now()
  }
  all.forEach((_, index) => wake(index))
  let nextTurn = start + Math.floor(chance() * days(1))
  try {
    while (at.clock.now() < start + length || answers.length > 0) {
      const now = at.clock.now()
      const due = running.size > 0 ? await at.nextDue() : Infinity
      // A look comes up to a second after its time, and now and then the machine is busy.
      const lag = Math.floor(chance() * (chance() < 0.05 ? 3_500 : 1_000))
      const next = Math.min(
        Math.max(due, now) + lag,
        nextTurn,
        coming[0]?.when ?? Infinity,
        answers[0]?.when ?? Infinity,
      )
      at.clock.set(Math.max(next, now))
      for (const runner of running.values()) runner.wake()
      await at.idle()
      if (next >= nextTurn) {
        const index = Math.floor(chance() * all.length)
        if (running.has(index)) {
          await sleep(index)
          // A restart is a matter of seconds; a sleep may last the night.
          nextTurn += chance() < 0.5 ? Math.floor(chance() * seconds(20)) : Math.floor(chance() * minutes(600))
        } else {
          for (const each of all.keys()) if (!running.has(each)) wake(each)
          await at.idle()
          nextTurn += Math.floor(chance() * days(1.2))
        }
      }
      // Nothing is said to a station that does not run, and nobody answers to it.
      const [first] = running.keys()
      const reachable = running.size > 0
      const shift = (list: typeof coming) =>
        reachable ? list : list.map((each) => ({ ...each, when: Math.max(each.when, nextTurn + 1) }))
      coming = shift(coming)
      answers = shift(answers)
      if (!reachable || first === undefined) continue
      while (coming[0] && coming[0].when <= at.clock.now()) {
        const { session } = coming.shift() as (typeof coming)[number]
        opened.set(session, at.clock.now())
        await at.crisis(session, {}, all[first])
        // Nights and restarts that fall into a ladder are what is of interest.
        if (chance() < 0.4) nextTurn = Math.min(nextTurn, at.clock.now() + Math.floor(chance() * minutes(20)))
        answers.push({ when: at.clock.now() + Math.floor(chance() * minutes(40)) + seconds(1), session })
        answers.sort((a, b) => a.when - b.when)
      }
      while (answers[0] && answers[0].when <= at.clock.now()) {
        const { session } = answers.shift() as (typeof answers)[number]
        acknowledged.set(session, at.clock.now())
        await at.act(session, 'acknowledged', {}, all[first])
      }
    }
    const fired = (await at.ladderEvents())
      .filter(({ event_type }) => event_type === 'ALERT_ESCALATED')
      .map(({ session_id, rung, due_at, timestamp, late }) => ({
        session: session_id,
        rung: rung ?? -1,
        due_at: due_at ?? -1,
        at: timestamp,
        late: late === true,
      }))
    const expected = [...opened].flatMap(([session, from]) =>
      expectedOf(session, from, acknowledged.get(session) ?? Infinity, awake),
    )
    const doubled = await at.rows(`SELECT alert_key FROM deliveries GROUP BY alert_key, run, firing, person, channel
      HAVING count(*) > 1`)
    return {
      fired,
      expected,
      doubled: doubled.length,
      errors: at.entries.filter(({ level }) => level === 'error').map(({ message }) => message),
    }
  } finally {
    for (const index of all.keys()) await sleep(index)
    for (const store of others) await store.close()
    await at.close()
  }
}

/** What the ladder of one alert should have done: each rung in its time, or once, late, when something ran again. */
function expectedOf(
  session: string,
  from: number,
  until: number,
  awake: readonly { from: number; to: number }[],
): Omit<Fired, 'due_at'>[] {
  const fired: Omit<Fired, 'due_at'>[] = []
  const gapAfter = (rung: number) => minutes(rung < after.length - 1 ? after[rung + 1]! - after[rung]! : repeat)
  let [rung, due] = [0, from]
  while (due < until) {
    const time = due
    const span = awake.find((each) => time < each.to)
    if (!span) break
    const at = Math.max(span.from, due)
    if (at >= until) break
    const late = at - due > seconds(5)
    while (rung < after.length - 1 && due + gapAfter(rung) <= at) {
      due += gapAfter(rung)
      rung += 1
    }
    fired.push({ session, rung, at, late })
    // A last rung that should have come again by then comes again from then on.
    due = due + gapAfter(rung) > at ? due + gapAfter(rung) : at + gapAfter(rung)
    rung = Math.min(rung + 1, after.length - 1)
  }
  return fired
}

/** The time within which `share` of the firings that were due while something ran came, milliseconds. */
export function driftAt({ fired }: Pick<Month, 'fired'>, share: number): number {
  const drifts = fired.filter(({ late }) => !late).map(({ at, due_at }) => at - due_at)
  drifts.sort((a, b) => a - b)
  return drifts[Math.min(drifts.length - 1, Math.ceil(drifts.length * share) - 1)] ?? 0
}
