/** When nobody was awake here: noticed by a mark that is written while the program runs, and kept until people were told. */
import { z } from 'zod'
import { lateStartAfter } from '../../../shared/thresholds.ts'
import { days, minutes, seconds } from '../../../shared/time.ts'
import type { Cancel, Clock, Logger } from '../../platform/ports.ts'
import { readSetting, writeSetting, type Database } from '../../store/console/index.ts'

/** UTC milliseconds. */
interface Absence {
  /** Counts the absences of this console, from 1: times are no order where a clock is set. */
  number: number
  from: number
  until: number
  /** The desktop was told what came meanwhile. */
  told: boolean
}

export interface Absences {
  /** Those of the last two weeks, twenty at most, oldest first. */
  all(): readonly Absence[]
  /** The desktop was told of what came in every one of them. */
  told(): void
  /** Looks whether the machine slept since the last look, before anybody hears of what came meanwhile. */
  look(): void
  /** Writes the last mark. */
  stop(): void
}

const markName = 'last_awake'
const listName = 'absences'
const markEvery = minutes(1)
/** So often it is looked whether the machine slept. */
const lookEvery = seconds(5)
/** Older ones are forgotten: what nobody went through in that time stands in the inbox. */
const keptFor = days(14)
const mostKept = 20

const absencesSchema = z.array(z.object({ number: z.int(), from: z.number(), until: z.number(), told: z.boolean() }))

/**
 * Marks every minute that the program is awake. Where the last mark is 30 minutes old or more, at the start or after
 * a sleep of the machine, that was an absence; `onAbsence` is told of it. A clock that is set back makes none.
 */
export function watchAbsences(options: { db: Database; clock: Clock; logger: Logger; onAbsence(): void }): Absences {
  const { db, clock, logger, onAbsence } = options
  let absences = readAbsences(db)
  let last = Number(readSetting(db, markName) ?? clock.now())
  let marked = -Infinity

  /** A full disk, say: what is known stands in memory, and the next look writes it. */
  const write = (name: string, value: string): boolean => {
    try {
      writeSetting(db, name, value)
      return true
    } catch (error) {
      logger.warn({ error }, 'since when the console is awake could not be written; tried again')
      return false
    }
  }
  const mark = (now: number): void => {
    if (write(markName, String(now))) marked = now
  }
  const keep = (next: Absence[]): void => {
    absences = next
    write(listName, JSON.stringify(next))
  }
  const look = (): void => {
    const now = clock.now()
    const from = last
    last = now
    if (now - from >= lateStartAfter) {
      // First the absence, then the mark: an end between the two finds it again.
      const number = (absences.at(-1)?.number ?? 0) + 1
      const recent = absences.filter(({ until }) => until > now - keptFor).slice(1 - mostKept)
      keep([...recent, { number, from, until: now, told: false }])
      mark(now)
      onAbsence()
    } else if (now < marked || now - marked >= markEvery) mark(now)
  }

  let cancel: Cancel = clock.after(lookEvery, function again() {
    cancel = clock.after(lookEvery, again)
    look()
  })
  look()
  return {
    all: () => absences,
    told() {
      if (absences.some(({ told }) => !told)) keep(absences.map((absence) => ({ ...absence, told: true })))
    },
    look,
    stop() {
      cancel()
      look()
      mark(clock.now())
    },
  }
}

function readAbsences(db: Database): Absence[] {
  try {
    return absencesSchema.parse(JSON.parse(readSetting(db, listName) ?? '[]'))
  } catch {
    return []
  }
}
