/** Forty-five days of a school, planned before any of it is played. */
import { hours, minutes, seconds } from '../../shared/time.ts'
import { localTime, schoolDay } from './calendar.ts'
import { chanceFrom, type Chance } from './chance.ts'
import { drawMetadata, fillWords, livedPace, timeTurns } from './conversation.ts'
import type { DemonstrationDoing, SessionMetadata } from './ports.ts'
import type { DemonstrationSchool, Response, StorySession } from './school.ts'
import { isTrigger, type Turn } from './transcript.ts'
import type { RiskTier } from '../../shared/risk.ts'

interface PlannedMessage {
  at: number
  sender: 'user' | 'assistant'
  content: string
  /** The tier the author meant it to raise; null = none in particular. */
  expected: RiskTier | null
}

/** When somebody did something, UTC milliseconds. */
type PlannedAction = DemonstrationDoing & { at: number; by: string }

export interface PlannedSession {
  /** Our own reference, unique in the plan. */
  ref: string
  /** The student's id on the roster. */
  user_id: string
  metadata: SessionMetadata
  started_at: number
  messages: PlannedMessage[]
  /** Null = the student is still in the chat. */
  ended_at: number | null
  /** What was done about its alerts, in order of time. */
  actions: PlannedAction[]
}

/** School days a session may lie back: 30 of them fit into 45 days from any weekday. */
const schoolDays = 30

/**
 * The demonstration school's past: every session of the last 45 days in order of its start, mostly on
 * school days, some in the evening. The same `now` and `seed` give the same plan. Times are UTC ms.
 */
export function planHistory(
  school: DemonstrationSchool,
  { now, seed }: { now: number; seed: number },
): PlannedSession[] {
  const chance = chanceFrom(seed)
  const withStory = new Set(school.stories.map(({ student }) => student))
  const others = school.roster.map(({ student_id }) => student_id).filter((id) => !withStory.has(id))
  const incidents = pastIncidents(school, others, now, chance)
  const sessions = [
    ...school.stories.flatMap((story, index) =>
      story.sessions.map((session, number) =>
        planSession(`story-${index}-${number}`, story.student, sessionStart(session, now), { ...session, now }, chance),
      ),
    ),
    ...incidents,
    ...others.flatMap((student) =>
      withoutOverlaps(
        incidents.filter(({ user_id }) => user_id === student),
        everydaySessions(school, student, now, chance),
      ),
    ),
  ]
  return sessions.sort((a, b) => a.started_at - b.started_at || (a.ref < b.ref ? -1 : 1))
}

/** The added sessions that meet neither a kept one nor each other: nobody is in two chats at once. */
function withoutOverlaps(kept: readonly PlannedSession[], added: readonly PlannedSession[]): PlannedSession[] {
  const all = [...kept]
  for (const session of added) if (!all.some((other) => meet(session, other))) all.push(session)
  return all.filter((session) => !kept.includes(session))
}

function meet(a: PlannedSession, b: PlannedSession): boolean {
  return a.started_at < (b.ended_at ?? Infinity) && b.started_at < (a.ended_at ?? Infinity)
}

/** A response without when and by whom. */
type Said = Response extends infer Kind ? (Kind extends Response ? Omit<Kind, 'after' | 'by'> : never) : never
type Written = { turns: Turn[]; response: Response[]; still_open?: boolean }

function planSession(
  ref: string,
  user_id: string,
  started_at: number,
  written: Written & { now: number },
  chance: Chance,
): PlannedSession {
  const { now } = written
  const messages = timeTurns(written.turns, livedPace, chance).map(({ after, ...turn }) => ({
    at: started_at + seconds(2) + after,
    ...turn,
  }))
  const last = messages.at(-1)?.at ?? started_at
  const trigger = messages.findLast(isTrigger)?.at ?? last
  return {
    ref,
    user_id,
    metadata: drawMetadata(chance),
    started_at,
    messages,
    ended_at: written.still_open ? null : last + seconds(chance.between(40, 240)),
    actions: written.response.map(({ after, by, ...response }) => ({
      at: trigger + after + seconds(chance.between(0, 50)),
      by,
      ...doingOf(response, { said: trigger + after, now }),
    })),
  }
}

/** What was done, with its times. `said`: when, `now`: when the console is opened. */
function doingOf(response: Said, { said, now }: { said: number; now: number }): DemonstrationDoing {
  switch (response.kind) {
    case 'acknowledged': {
      const { due, ...rest } = response
      return { ...rest, ...(due !== undefined && { due_at: said + due }) }
    }
    case 'commitment_made': {
      const { due, ...rest } = response
      return { ...rest, due_at: said + due }
    }
    case 'follow_up': {
      const { tomorrow, ...rest } = response
      return { ...rest, due_at: localTime(now, -1, tomorrow) }
    }
    default:
      return response
  }
}

function sessionStart(session: StorySession, now: number): number {
  if (session.minutes_ago !== undefined) return now - minutes(session.minutes_ago)
  return localTime(now, schoolDay(now, session.school_days_ago ?? 1), session.at ?? '12:00')
}

/** Alerts of students without a story of their own, spread over the six weeks, each with what was done. */
function pastIncidents(school: DemonstrationSchool, others: string[], now: number, chance: Chance): PlannedSession[] {
  const { past } = school.incidents
  const students = chance.shuffled(others)
  const apart = Math.floor((schoolDays - 3) / past.length)
  return past.map((incident, index) => {
    // At least three school days ago, so that what was done about it is over.
    const daysAgo = schoolDay(now, 3 + index * apart + chance.between(0, apart - 1))
    const start = localTime(now, daysAgo, drawTime(chance))
    return planSession(
      `incident-${index}`,
      students[index % students.length] as string,
      start,
      { ...incident, now },
      chance,
    )
  })
}

/** Five to eight everyday sessions, no conversation twice. */
function everydaySessions(school: DemonstrationSchool, student: string, now: number, chance: Chance): PlannedSession[] {
  const { conversations, words } = school.everyday
  const strainedShare = chance.pick([0.1, 0.1, 0.2, 0.5])
  const easy = chance.shuffled(conversations.filter(({ mood }) => mood === 'easy'))
  const strained = chance.shuffled(conversations.filter(({ mood }) => mood === 'strained'))
  const count = chance.between(5, 8)
  return Array.from({ length: count }, (_, index) => {
    const pool = chance.fraction() < strainedShare ? strained : easy
    const conversation = pool.pop() ?? easy.pop()
    if (!conversation) throw new RangeError('more sessions than everyday conversations')
    // One session in each stretch of the six weeks: nobody's sessions fall on each other.
    const stretch = Math.floor(schoolDays / count)
    const start = everydayStart(now, index * stretch, stretch, chance)
    const turns = fillWords(conversation.turns, words, chance)
    return planSession(`everyday-${student}-${index}`, student, start, { turns, response: [], now }, chance)
  })
}

/** A time within some school days before today, or today when it is over by now; now and then on a weekend. */
function everydayStart(now: number, from: number, stretch: number, chance: Chance): number {
  const n = from + chance.between(0, stretch - 1)
  const time = drawTime(chance)
  const weekend = chance.fraction() < 0.08
  const today = localTime(now, 0, time)
  const weekday = new Date(today).getDay()
  if (n === 0 && today < now - minutes(30) && weekday !== 0 && weekday !== 6) return today
  const start = localTime(now, schoolDay(now, Math.max(n, 1)), time)
  if (!weekend) return start
  const toSaturday = 6 - new Date(start).getDay()
  const shifted = start + toSaturday * hours(24)
  return shifted < now - hours(2) ? shifted : start
}

/** Mostly in breaks and lessons, sometimes in the evening, rarely at night. */
function drawTime(chance: Chance): string {
  const when = chance.fraction()
  const [first, last] =
    when < 0.68 ? [8 * 60 + 10, 15 * 60 + 10] : when < 0.95 ? [16 * 60, 21 * 60 + 30] : [22 * 60, 23 * 60]
  const minute = chance.between(first as number, last as number)
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
