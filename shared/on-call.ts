/**
 * Who is told of an alert, how and when: rotas, absences and the escalation ladder of a school. Dates and clock times are
 * those of the school's time zone; durations are minutes.
 */
import { z } from 'zod'
import { roleSchema } from './people.ts'

const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]+$/)
const name = z.string().trim().min(1).max(200)
const dateSchema = z.iso.date()
const clockTimeSchema = z.iso.time({ precision: -1 })
/** “2026-03-08T16:30”: a day and a clock time of the school. */
const wallTimeSchema = z.iso.datetime({ local: true, precision: -1 })

/**
 * How a person is told. `desktop`: at a console where they are signed in; `voice` and `other` go to the school's signed
 * webhook, `other` without an address of its own.
 */
export const channelSchema = z.enum(['desktop', 'sms', 'voice', 'email', 'other'])
export type Channel = z.infer<typeof channelSchema>

/** Part of the week in which a rota counts: by the school's hours and the days without school. */
export const rotaHoursSchema = z.enum(['always', 'school hours', 'after hours'])

const rotaSchema = z.object({
  id,
  name,
  hours: rotaHoursSchema,
  /** Whose turn it is, one after the other; the first has the turn that begins on `starts`. */
  rotation: z.object({
    people: z.array(id).min(1).max(50),
    /** Days of one turn: 7 = weekly. */
    turn_days: z.int().min(1).max(28),
    starts: dateSchema,
    /** When one hands over to the next. */
    hands_over_at: clockTimeSchema,
  }),
  /** Somebody else instead, for a while; of several the last in the list counts. */
  overrides: z.array(z.object({ person: id, from: wallTimeSchema, to: wallTimeSchema })).max(200),
})
export type Rota = z.output<typeof rotaSchema>

/** Whom a rung tells. `assigned`: the counselor who looks after the student. */
const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assigned') }),
  z.object({ kind: z.literal('rota'), rota: id }),
  z.object({ kind: z.literal('role'), role: roleSchema }),
  z.object({ kind: z.literal('person'), person: id }),
])
export type Target = z.output<typeof targetSchema>

const rungSchema = z.object({
  after_minutes: z.int().min(0).max(240),
  to: z.array(targetSchema).max(20),
  channels: z.array(channelSchema).max(5),
})
export type Rung = z.output<typeof rungSchema>

const ladderSchema = z.object({
  rungs: z.array(rungSchema).max(10),
  /** The last rung comes again so often until somebody acknowledges. */
  repeat_minutes: z.int().min(1).max(60),
})
export type Ladder = z.output<typeof ladderSchema>

export const onCallSchema = z.object({
  rotas: z.array(rotaSchema).max(20),
  /** Who cannot be told for a while. */
  away: z.array(z.object({ person: id, from: wallTimeSchema, to: wallTimeSchema })).max(500),
  ladders: z.object({ crisis: ladderSchema, high: ladderSchema }),
})
export type OnCall = z.output<typeof onCallSchema>

/** The hours of a school week; school ends with the first minute after `to`. */
export const schoolHoursSchema = z.array(
  z.object({ weekday: z.int().min(1).max(7), from: clockTimeSchema, to: clockTimeSchema }),
)

/** Until a school says its own: Monday to Friday, 8 to 4. */
export const usualSchoolHours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: '08:00', to: '16:00' }))

/**
 * Before a school has said whom to call: everybody is told at their console, and by text, call and mail where the
 * directory knows how. A number nobody has entered is no gap here, for a console is always a way.
 */
export const usualOnCall: OnCall = {
  rotas: [],
  away: [],
  ladders: {
    crisis: {
      rungs: [
        { after_minutes: 0, to: [{ kind: 'assigned' }], channels: ['desktop', 'sms'] },
        { after_minutes: 5, to: [{ kind: 'assigned' }], channels: ['desktop', 'voice'] },
        {
          after_minutes: 10,
          to: [
            { kind: 'role', role: 'COUNSELOR' },
            { kind: 'role', role: 'ADMIN' },
          ],
          channels: ['desktop', 'sms', 'email'],
        },
      ],
      repeat_minutes: 5,
    },
    high: {
      rungs: [
        { after_minutes: 0, to: [{ kind: 'assigned' }], channels: ['desktop', 'sms'] },
        { after_minutes: 30, to: [{ kind: 'role', role: 'COUNSELOR' }], channels: ['desktop', 'sms'] },
        // A school with an admin alone has somebody, too.
        {
          after_minutes: 60,
          to: [
            { kind: 'role', role: 'COUNSELOR' },
            { kind: 'role', role: 'ADMIN' },
          ],
          channels: ['desktop', 'sms'],
        },
      ],
      repeat_minutes: 30,
    },
  },
}
