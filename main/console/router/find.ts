import { z } from 'zod'
import { TRPCError } from '@trpc/server'
import { ConsoleError } from '../../../shared/errors.ts'
import { linkIdSchema, linkKindSchema, type LinkKind } from '../../../shared/links.ts'
import { may } from '../../../shared/permissions.ts'
import type { Found, StudentLabel } from '../../../shared/views.ts'
import { alertRow, inboxPage, studentByHash, studentPage } from '../../store/console/index.ts'
import { followLink, linkTo } from '../links.ts'
import type { Caller } from './context.ts'
import { callFor, forbidden, notFound, router } from './trpc.ts'

const see = callFor('alerts.see')

/** How many of each are answered. */
const handful = 5
/** Four letters or digits stand in many a hash; the pseudonym is its beginning. */
const manyHashes = 100

/** Students and alerts by what a person types, and by an address that was copied. */
export const findRouter = router({
  look: see.input(z.object({ text: z.string().trim().min(1).max(200) })).query(({ ctx, input }): Found => {
    // As it stands on screen: “Student 7F3A”.
    const text = input.text.replace(/^student\s+/i, '')
    return { students: students(ctx, text), alerts: alerts(ctx, text) }
  }),
  link: see
    .input(z.object({ kind: linkKindSchema, subject: z.string().min(1).max(200) }))
    .query(({ ctx, input: { kind, subject } }): { id: string } => {
      mayOpen(ctx, kind)
      const known = subjectOf(ctx, kind, subject)
      if (known === null) throw notFound(kind === 'students' ? 'student' : 'alert')
      return { id: linkTo(ctx.parts, ctx.person.school_id, kind, known) }
    }),
  follow: see
    .input(z.object({ kind: linkKindSchema, id: linkIdSchema }))
    .query(async ({ ctx, input: { kind, id } }): Promise<{ subject: string }> => {
      mayOpen(ctx, kind)
      const found = await followLink(ctx.parts, ctx.person.school_id, kind, id)
      const subject = found === null ? null : subjectOf(ctx, kind, found)
      if (subject === null) throw new TRPCError({ code: 'NOT_FOUND', cause: leadsNowhere() })
      return { subject }
    }),
})

function students({ parts, person }: Caller, search: string): Found['students'] {
  if (!may(person.role, 'students.see')) return []
  const { rows } = studentPage(parts.db, {
    school: person.school_id,
    search,
    offset: 0,
    limit: howMany(search),
    now: parts.clock.now(),
  })
  return bestOf(rows, search)
}

const howMany = (search: string) => (/^[0-9a-f]{2,}$/i.test(search) ? manyHashes : handful)

/** Those whom the pseudonym names, where it names somebody: a hash that holds the same letters elsewhere is no other name. */
function bestOf<Row extends { student: StudentLabel }>(rows: Row[], search: string): Row[] {
  const named = rows.filter(({ student }) => student.pseudonym.startsWith(search.toUpperCase()))
  return (named.length > 0 ? named : rows).slice(0, handful)
}

function alerts({ parts, person }: Caller, search: string): Found['alerts'] {
  const found = (text: string) =>
    inboxPage(parts.db, {
      school: person.school_id,
      person: person.id,
      filter: 'all',
      search: text,
      offset: 0,
      limit: howMany(text),
      now: parts.clock.now(),
    }).rows.flatMap((row) => (row.kind === 'alert' ? [row] : []))
  const rows = bestOf(found(search), search)
  // A category is written with a hyphen by some.
  return rows.length > 0 || !search.includes('-') ? rows : found(search.replaceAll('-', ' ')).slice(0, handful)
}

function mayOpen({ person }: Caller, kind: LinkKind): void {
  if (kind === 'students' && !may(person.role, 'students.see'))
    throw new TRPCError({ code: 'FORBIDDEN', cause: forbidden() })
}

/** What is opened, within the caller's school: an alert may have been merged with another. */
function subjectOf({ parts, person }: Caller, kind: LinkKind, subject: string): string | null {
  if (kind === 'students')
    return studentByHash(parts.db, person.school_id, subject, parts.clock.now())?.student.student_hash ?? null
  const alert = parts.lifecycle.find(subject)
  return alert && alertRow(parts.db, person.school_id, alert.key) ? alert.key : null
}

function leadsNowhere(): ConsoleError {
  return new ConsoleError({
    code: 'link_unknown',
    happened: 'This link opens nothing here.',
    safe: 'Nothing was shown or changed.',
    todo: 'It may belong to another school or another console, or its records are no longer kept. Ask the person who gave it to you which student it is about.',
  })
}
