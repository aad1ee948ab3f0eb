/** What happens on screen after the history: an endless, calm stream with an alert now and then. */
import { minutes, seconds } from '../../shared/time.ts'
import { chanceFrom, type Chance } from './chance.ts'
import { drawMetadata, fillWords, livePace, timeTurns, type Pace, type TimedTurn } from './conversation.ts'
import type { SessionMetadata } from './ports.ts'
import type { DemonstrationSchool, Incident } from './school.ts'

export interface LiveConversation {
  /** Our own reference, unique in the plan. */
  ref: string
  user_id: string
  metadata: SessionMetadata
  /** Since going live, milliseconds; never less than that of the conversation before. */
  starts: number
  turns: TimedTurn[]
  /** Since the conversation began: when the student leaves the chat. */
  ends: number
}

const firstEveryday = seconds(3)
const firstIncident = seconds(5)
const secondIncident = seconds(130)

/** The first conversation wastes nobody's minute: it rises and breaks within half of one. */
const openingPace: Pace = { student: [4, 5], assistant: [2, 2] }

/**
 * The live script: conversations in order of their start, without end. An everyday message within the
 * first seconds, the first crisis within a minute, a friend in danger two to three minutes in, then one
 * alert in 6–10 minutes. The same seed gives the same script. No student is in two conversations at once.
 */
export function* planLive(school: DemonstrationSchool, { seed }: { seed: number }): Generator<LiveConversation, never> {
  const chance = chanceFrom(seed)
  const busyUntil = new Map<string, number>()
  const withStory = new Set(school.stories.map(({ student }) => student))
  const others = school.roster.map(({ student_id }) => student_id).filter((id) => !withStory.has(id))
  const incidents = incidentsInTurn(school, chance)
  let number = 0
  let nextEveryday = firstEveryday
  let nextIncident = firstIncident
  let incidentCount = 0

  const conversation = (user_id: string, starts: number, turns: TimedTurn[], stays: number): LiveConversation => {
    const ends = (turns.at(-1)?.after ?? 0) + stays
    busyUntil.set(user_id, starts + ends + minutes(4))
    return { ref: `live-${number++}`, user_id, metadata: drawMetadata(chance), starts, turns, ends }
  }
  const freeStudent = (at: number) => {
    const free = others.filter((id) => (busyUntil.get(id) ?? 0) <= at)
    return chance.pick(free.length > 0 ? free : others)
  }

  for (;;) {
    if (nextEveryday <= nextIncident) {
      const { turns } = chance.pick(school.everyday.conversations)
      const timed = timeTurns(fillWords(turns, school.everyday.words, chance), livePace, chance)
      yield conversation(freeStudent(nextEveryday), nextEveryday, timed, seconds(chance.between(25, 90)))
      nextEveryday += seconds(chance.between(22, 45))
      continue
    }
    const incident = incidents.next().value
    const timed = timeTurns(incident.turns, incidentCount === 0 ? openingPace : livePace, chance)
    const student = incident.student ?? freeStudent(nextIncident)
    // After a crisis the student is still chatting for a while: that is worth knowing to whoever answers.
    yield conversation(student, nextIncident, timed, minutes(chance.between(4, 8)))
    incidentCount += 1
    nextIncident = incidentCount === 1 ? secondIncident : nextIncident + seconds(chance.between(6 * 60, 10 * 60))
  }
}

function* incidentsInTurn(school: DemonstrationSchool, chance: Chance): Generator<Incident, never> {
  yield school.incidents.first
  yield school.incidents.second
  for (;;) yield* chance.shuffled(school.incidents.later)
}
