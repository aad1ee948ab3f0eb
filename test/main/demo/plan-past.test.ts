import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSchool, planHistory, planLive, type LiveConversation } from '../../../main/demo/index.ts'
import { toldAfter } from '../../../shared/thresholds.ts'
import { days, minutes, seconds } from '../../../shared/time.ts'

const school = loadSchool(join(import.meta.dirname, '../../../resources/demo'))
/** A Tuesday noon, a Sunday night, a Monday before school, a Saturday evening after a change of the clocks. */
const moments = ['2026-01-20T12:00', '2026-03-01T23:30', '2026-05-04T06:10', '2026-11-07T19:00'].map((text) =>
  new Date(text).getTime(),
)
const isAlert = (expected: string | null) => expected === 'high' || expected === 'crisis'
/** When a conversation is meant to raise its first alert, since going live; null = never. */
const firstTrigger = ({ starts, turns }: LiveConversation): number | null => {
  const turn = turns.find(({ expected }) => isAlert(expected))
  return turn ? starts + turn.after : null
}

describe('the planned history', () => {
  it('is the same for the same seed and moment, and another for another seed', () => {
    const now = moments[0] as number
    expect(planHistory(school, { now, seed: 7 })).toEqual(planHistory(school, { now, seed: 7 }))
    expect(planHistory(school, { now, seed: 8 })).not.toEqual(planHistory(school, { now, seed: 7 }))
  })

  it.each(moments)('lies within the last 45 days, in order, and nothing is yet to come (%i)', (now) => {
    const plan = planHistory(school, { now, seed: 1 })
    for (const session of plan) {
      const times = [
        session.started_at,
        ...session.messages.map(({ at }) => at),
        ...(session.ended_at === null ? [] : [session.ended_at]),
      ]
      expect(times).toEqual([...times].sort((a, b) => a - b))
      for (const at of [...times, ...session.actions.map((action) => action.at)]) {
        expect(at, session.ref).toBeLessThan(now)
        expect(at, session.ref).toBeGreaterThan(now - days(45))
      }
    }
    expect(new Set(plan.map(({ ref }) => ref)).size).toBe(plan.length)
  })

  it.each(moments)('is a past: nothing was said so near that it would have to be heard (%i)', (now) => {
    for (const seed of [1, 2, 3, 20_260_120])
      for (const { messages, ref } of planHistory(school, { now, seed }))
        // The protocol reply to the last of them is said a second after it.
        for (const { at } of messages) expect(at + seconds(1), ref).toBeLessThan(now - toldAfter)
  })

  it.each(moments)('has every student, and no student in two sessions at once (%i)', (now) => {
    const plan = planHistory(school, { now, seed: 1 })
    expect(new Set(plan.map(({ user_id }) => user_id))).toEqual(new Set(school.roster.map((row) => row.student_id)))
    const lastEnd = new Map<string, number>()
    for (const { user_id, started_at, ended_at, ref } of plan) {
      expect(started_at, ref).toBeGreaterThanOrEqual(lastEnd.get(user_id) ?? 0)
      lastEnd.set(user_id, ended_at ?? now)
    }
  })

  it('is as large as a demonstration that loads within seconds', () => {
    const messages = planHistory(school, { now: moments[0] as number, seed: 1 }).flatMap((session) => session.messages)
    expect(messages.length).toBeGreaterThanOrEqual(1500)
    expect(messages.length).toBeLessThanOrEqual(3500)
  })

  it('lies mostly on school days and in school hours, with some evenings', () => {
    const starts = planHistory(school, { now: moments[0] as number, seed: 1 }).map(
      (session) => new Date(session.started_at),
    )
    const share = (holds: (start: Date) => boolean) => starts.filter(holds).length / starts.length
    expect(share((start) => start.getDay() !== 0 && start.getDay() !== 6)).toBeGreaterThan(0.85)
    expect(share((start) => start.getHours() >= 8 && start.getHours() < 16)).toBeGreaterThan(0.5)
    expect(share((start) => start.getHours() >= 20)).toBeGreaterThan(0.05)
  })

  it.each(moments)('leaves a few recent alerts to people: each held with time left, one high open (%i)', (now) => {
    const raised = planHistory(school, { now, seed: 1 }).filter(({ messages }) =>
      messages.some(({ expected }) => isAlert(expected)),
    )
    const unresolved = raised.filter(({ actions }) => !actions.some(({ kind }) => kind === 'resolved'))
    expect(raised.length).toBeGreaterThanOrEqual(15)
    expect(unresolved.length).toBeGreaterThanOrEqual(2)
    expect(unresolved.length).toBeLessThanOrEqual(4)
    for (const { started_at } of unresolved) expect(started_at).toBeGreaterThan(now - minutes(180))

    const open = unresolved.filter(({ actions }) => actions.length === 0)
    expect(open).toHaveLength(1)
    expect(open[0]?.messages.every(({ expected }) => expected !== 'crisis')).toBe(true)
    expect(open[0]?.started_at).toBeGreaterThan(now - minutes(30))
    for (const { actions } of unresolved.filter((session) => !open.includes(session)))
      expect(actions[0]).toMatchObject({
        kind: 'acknowledged',
        due_at: expect.toSatisfy((at) => at > now + minutes(20)),
      })
  })

  it.each(moments)(
    'leaves three cases half-way: one at work, one handed on, one resolved with a follow-up (%i)',
    (now) => {
      const recent = planHistory(school, { now, seed: 1 }).filter(({ started_at }) => started_at > now - minutes(300))
      const having = (...kinds: string[]) =>
        recent.filter(({ actions }) => kinds.every((kind) => actions.some((action) => action.kind === kind)))
      const all = (kind: string) =>
        having(kind).flatMap(({ actions }) => actions.filter((action) => action.kind === kind))

      const [atWork] = having('step_done', 'contact_attempted', 'commitment_made')
      const of = (kind: string) => atWork?.actions.filter((action) => action.kind === kind)
      expect(of('resolved')).toEqual([])
      expect(of('step_done')).toHaveLength(2)
      expect(of('contact_attempted')).toMatchObject([
        { contact: 'guardian', outcome: 'no answer' },
        { contact: 'guardian', outcome: 'no answer' },
      ])
      const soon = expect.toSatisfy((at: number) => at > now + minutes(5) && at < now + minutes(30))
      expect(of('commitment_made')).toMatchObject([{ due_at: soon }])

      expect(all('handed_off')).toMatchObject([{ by: 'm-lindqvist', to: 'a-rivera' }])
      expect(having('handed_off', 'resolved')).toEqual([])

      expect(having('safety_plan', 'follow_up', 'resolved')).toHaveLength(1)
      const [followUp] = all('follow_up')
      const tomorrow = new Date(now)
      tomorrow.setDate(tomorrow.getDate() + 1)
      tomorrow.setHours(8, 10, 0, 0)
      expect(followUp).toMatchObject({ due_at: tomorrow.getTime() })
    },
  )

  it('answers within five minutes mostly, and a few times late', () => {
    const waits = planHistory(school, { now: moments[0] as number, seed: 1 }).flatMap(({ messages, actions }) => {
      const trigger = messages.findLast(({ expected }) => isAlert(expected))
      const seen = actions.find(({ kind }) => kind === 'acknowledged')
      return trigger && seen ? [seen.at - trigger.at] : []
    })
    const late = waits.filter((wait) => wait > minutes(5))
    expect(Math.min(...waits)).toBeGreaterThan(seconds(30))
    expect(late.length).toBeGreaterThanOrEqual(2)
    expect(late.length / waits.length).toBeLessThan(0.4)
  })
})

describe('the live script', () => {
  const take = (seed: number, until: number): LiveConversation[] => {
    const taken: LiveConversation[] = []
    for (const conversation of planLive(school, { seed })) {
      if (conversation.starts > until) return taken
      taken.push(conversation)
    }
    return taken
  }
  const threeHours = minutes(180)

  it('is the same for the same seed', () => {
    expect(take(3, minutes(30))).toEqual(take(3, minutes(30)))
    expect(take(4, minutes(30))).not.toEqual(take(3, minutes(30)))
  })

  it.each([1, 2, 3])(
    'begins with an everyday message, a crisis within the minute, a friend in danger after two (%i)',
    (seed) => {
      const script = take(seed, minutes(5))
      const alerts = script.flatMap((conversation) => firstTrigger(conversation) ?? [])
      expect(script[0]?.starts).toBeLessThan(seconds(10))
      expect(script[0] && firstTrigger(script[0])).toBeNull()
      expect(alerts[0]).toBeGreaterThanOrEqual(seconds(20))
      expect(alerts[0]).toBeLessThanOrEqual(seconds(45))
      expect(alerts[1]).toBeGreaterThanOrEqual(seconds(120))
      expect(alerts[1]).toBeLessThanOrEqual(seconds(190))
    },
  )

  it('goes on without end: no silence over half a minute, an alert in six to ten minutes', () => {
    const script = take(5, threeHours)
    const messages = script
      .flatMap(({ starts, turns }) => turns.map(({ after }) => starts + after))
      .sort((a, b) => a - b)
    messages.slice(1).forEach((at, index) => expect(at - (messages[index] as number)).toBeLessThan(seconds(30)))
    const alerts = script.flatMap((conversation) => firstTrigger(conversation) ?? []).slice(1)
    expect(alerts.length).toBeGreaterThan(15)
    alerts.slice(1).forEach((at, index) => {
      expect(at - (alerts[index] as number)).toBeGreaterThan(minutes(5))
      expect(at - (alerts[index] as number)).toBeLessThan(minutes(11))
    })
  })

  it('never has a student in two conversations at once', () => {
    const until = new Map<string, number>()
    for (const { user_id, starts, ends } of take(6, threeHours)) {
      expect(starts).toBeGreaterThanOrEqual(until.get(user_id) ?? 0)
      until.set(user_id, starts + ends)
    }
  })
})
