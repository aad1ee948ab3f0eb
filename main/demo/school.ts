/** The files of the demonstration school, validated: a typing error is named by file, path and value. */
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { contactKindSchema, contactOutcomeSchema, dispositionSchema } from '../../shared/actions.ts'
import { defaultGuide } from '../../shared/guide.ts'
import { roleSchema } from '../../shared/people.ts'
import { safetyPlanSchema } from '../../shared/student-records.ts'
import { days, hours, minutes } from '../../shared/time.ts'
import { readRoster, type DemonstrationStudent } from './roster.ts'
import { isTrigger, readTranscript } from './transcript.ts'

/** A file of the demonstration school that cannot be read. Holds no text of a transcript. */
export class DemonstrationFileError extends Error {
  readonly file: string
  readonly path: string

  constructor(file: string, path: string, problem: string) {
    super(`${file}: ${path === '' ? '' : `${path}: `}${problem}`)
    this.name = 'DemonstrationFileError'
    this.file = file
    this.path = path
  }
}

const version = z.string().regex(/^\d+\.\d+$/)
const studentId = z.string().regex(/^NG-\d{4}$/)
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time like "12:40"')

const units = { m: minutes, h: hours, d: days } as const
/** A length of time like `4m`, `2h`, `1d`, read into milliseconds. */
const duration = z
  .string()
  .regex(/^\d+[mhd]$/, 'is not a length of time like 4m, 2h or 1d')
  .transform((text) => units[text.slice(-1) as keyof typeof units](Number(text.slice(0, -1))))

const transcript = z.string().transform((text, context) => {
  try {
    return readTranscript(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

const said = { after: duration, by: z.string() }
const text = z.string().min(1)
/** What somebody did, `after` the session's last message that is meant to raise an alert. */
const responseSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...said,
    kind: z.literal('acknowledged'),
    next_action: text.optional(),
    /** When the next action is due, since the acknowledgement. */
    due: duration.optional(),
  }),
  z.strictObject({ ...said, kind: z.literal('noted'), note: text }),
  z.strictObject({ ...said, kind: z.literal('resolved'), disposition: dispositionSchema, note: text }),
  z.strictObject({
    ...said,
    kind: z.literal('step_done'),
    step: z.string().refine((id) => defaultGuide.some((step) => step.id === id), 'is no step of the guide'),
    note: text.optional(),
  }),
  z.strictObject({
    ...said,
    kind: z.literal('contact_attempted'),
    contact: contactKindSchema,
    outcome: contactOutcomeSchema,
    who: text.optional(),
    note: text.optional(),
  }),
  /** `due`: since it was said. */
  z.strictObject({ ...said, kind: z.literal('commitment_made'), next_action: text, due: duration }),
  z.strictObject({ ...said, kind: z.literal('handed_off'), to: z.string(), note: text.optional() }),
  z.strictObject({ ...said, kind: z.literal('safety_plan'), sections: safetyPlanSchema }),
  /** `tomorrow`: when it is due on the day after the console was opened. */
  z.strictObject({ ...said, kind: z.literal('follow_up'), next_action: text, tomorrow: timeOfDay }),
])
export type Response = z.output<typeof responseSchema>

const storySessionSchema = z
  .strictObject({
    /** 1 = the school day before today; at most 30, so that everything lies within 45 days. */
    school_days_ago: z.int().min(1).max(30).optional(),
    at: timeOfDay.optional(),
    /** Instead of the two above, for what happened just before the console was opened; what is nearer is no told past. */
    minutes_ago: z.int().min(20).max(600).optional(),
    /** The student has not left the chat yet. */
    still_open: z.boolean().default(false),
    turns: transcript,
    response: z.array(responseSchema).default([]),
  })
  .refine(
    (session) => (session.minutes_ago === undefined) === (session.school_days_ago !== undefined && !!session.at),
    {
      message: 'needs either school_days_ago and at, or minutes_ago',
    },
  )
  .refine(({ response, turns }) => response.length === 0 || turns.some(isTrigger), {
    message: 'has a response but no turn that is meant to raise an alert',
  })
export type StorySession = z.output<typeof storySessionSchema>

const storySchema = z.strictObject({
  version,
  student: studentId,
  title: z.string().min(1),
  theme: z.string().min(1),
  shape: z.enum(['worsening', 'recovering', 'stable', 'sudden']),
  /** Why this text is fit to be shown; written by whoever read it for care. */
  reviewed: z.string().min(1),
  sessions: z.array(storySessionSchema).min(3),
})
type Story = z.output<typeof storySchema>

const everydaySchema = z.strictObject({
  version,
  /** Words that take the place of `{name}`, drawn anew for every conversation. */
  words: z.record(z.string(), z.array(z.string()).min(3)),
  conversations: z.array(z.strictObject({ mood: z.enum(['easy', 'strained']), turns: transcript })).min(40),
})
export type Everyday = z.output<typeof everydaySchema>

const incidentSchema = z
  .strictObject({ kind: z.enum(['crisis', 'friend', 'high']), student: studentId.optional(), turns: transcript })
  .refine(({ turns }) => turns.some(isTrigger), { message: 'has no turn that is meant to raise an alert' })
export type Incident = z.output<typeof incidentSchema>

const incidentsSchema = z.strictObject({
  version,
  /** What a person watching sees within the first minute. */
  first: incidentSchema,
  /** A friend in danger, two to three minutes in. */
  second: incidentSchema,
  /** Now and then after that. */
  later: z.array(incidentSchema).min(6),
  /** Part of the history of students without a story of their own, with what was done about it. */
  past: z.array(z.strictObject({ turns: transcript, response: z.array(responseSchema).min(2) })).min(4),
})
type Incidents = z.output<typeof incidentsSchema>

const peopleSchema = z.strictObject({
  version,
  school: z.strictObject({ id: z.uuid(), name: z.string().min(1) }),
  people: z.array(z.strictObject({ id: z.string().min(1), name: z.string().min(1), role: roleSchema })).min(1),
})

export interface DemonstrationSchool {
  school: { id: string; name: string }
  people: { id: string; name: string; role: z.output<typeof roleSchema> }[]
  roster: DemonstrationStudent[]
  /** The roster as a file, for the console's own import. */
  rosterCsv: string
  /** Its timetable likewise. */
  timetableCsv: string
  stories: Story[]
  everyday: Everyday
  incidents: Incidents
}

/**
 * Reads the demonstration school from its files (name within resources/demo → text). Throws a
 * DemonstrationFileError for a missing or invalid file, a student who is not on the roster, or a
 * response by nobody in people.yaml.
 */
export function readSchool(files: Record<string, string>): DemonstrationSchool {
  const { school, people } = readYaml(files, 'people.yaml', peopleSchema)
  const rosterCsv = fileNamed(files, 'roster.csv')
  const timetableCsv = fileNamed(files, 'timetable.csv')
  const roster = readRoster(rosterCsv)
  const storyFiles = Object.keys(files).filter((name) => name.startsWith('stories/') && name.endsWith('.yaml'))
  const stories = storyFiles.sort().map((name) => readYaml(files, name, storySchema))
  const everyday = readYaml(files, 'everyday.yaml', everydaySchema)
  const incidents = readYaml(files, 'incidents.yaml', incidentsSchema)

  const onRoster = new Set(roster.map(({ student_id }) => student_id))
  const staff = new Set(people.map(({ id }) => id))
  stories.forEach((story, index) => {
    const file = storyFiles[index] as string
    if (!onRoster.has(story.student)) throw new DemonstrationFileError(file, 'student', 'is not on the roster')
    requireStaff(
      file,
      staff,
      story.sessions.flatMap(({ response }) => response),
    )
  })
  requireStaff(
    'incidents.yaml',
    staff,
    incidents.past.flatMap(({ response }) => response),
  )
  return { school, people, roster, rosterCsv, timetableCsv, stories, everyday, incidents }
}

function requireStaff(file: string, staff: ReadonlySet<string>, responses: readonly Response[]): void {
  const named = responses.flatMap((response) => [
    { path: 'response.by', id: response.by },
    ...(response.kind === 'handed_off' ? [{ path: 'response.to', id: response.to }] : []),
  ])
  const stranger = named.find(({ id }) => !staff.has(id))
  if (stranger) throw new DemonstrationFileError(file, stranger.path, `“${stranger.id}” is not in people.yaml`)
}

function fileNamed(files: Record<string, string>, name: string): string {
  const text = files[name]
  if (text === undefined) throw new DemonstrationFileError(name, '', 'is missing')
  return text
}

function readYaml<Schema extends z.ZodType>(
  files: Record<string, string>,
  name: string,
  schema: Schema,
): z.output<Schema> {
  let content: unknown
  try {
    content = parseYaml(fileNamed(files, name))
  } catch (error) {
    if (error instanceof DemonstrationFileError) throw error
    throw new DemonstrationFileError(name, '', `is not YAML (${(error as Error).message.split('\n')[0]})`)
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new DemonstrationFileError(name, issue?.path.join('.') ?? '', issue?.message ?? 'is not valid')
}
