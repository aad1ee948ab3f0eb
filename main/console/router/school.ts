import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import { seconds } from '../../../shared/time.ts'
import type { SchoolQuestion } from '../../../shared/views.ts'
import { seenSchools } from '../../store/console/index.ts'
import { nameSchool } from '../identity/index.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callFor, router } from './trpc.ts'

const name = callFor('school.name')

/** Which school this console serves, where neither configuration nor token says so. */
export const schoolRouter = router({
  question: name.subscription(async function* ({ ctx, signal }): AsyncGenerator<SchoolQuestion> {
    const { changes, clock } = ctx.parts
    yield question(ctx)
    const source = (send: (value: true) => void) => changes.listen(() => send(true))
    let asked = question(ctx) !== null
    for await (const _ of paced<true>(source, { clock, interval: seconds(1), merge: () => true, signal })) {
      // Once it is known it stays known: a console that serves a school has nothing to look up here.
      if (!asked) continue
      const next = question(ctx)
      asked = next !== null
      yield next
    }
  }),
  name: name
    .input(z.object({ school_id: z.string().min(1).max(200).transform(normalSchoolId) }))
    .mutation(({ ctx, input: { school_id } }) => {
      const { db, eventLog, changes, evidenceKey, clock, consoleId } = ctx.parts
      const seen = seenSchools(db).some((school) => school.school_id === school_id)
      // What nobody has seen must at least look like a school's id: a slip would put its crises aside.
      if (!seen && !z.guid().safeParse(school_id).success)
        throw new TRPCError({ code: 'BAD_REQUEST', cause: noSchool() })
      nameSchool({ db, eventLog, changes, evidenceKey, consoleId, schoolId: school_id, now: clock.now() }, ctx.person)
    }),
})

function question({ parts }: Caller): SchoolQuestion {
  return parts.schoolId() === '' ? { schools: seenSchools(parts.db) } : null
}

function noSchool(): ConsoleError {
  return new ConsoleError({
    code: 'school_unreadable',
    happened: 'This is not a school ID (a UUID).',
    safe: 'Nothing was changed.',
    todo: 'Copy it from the chat’s settings, or choose one of the schools in the list.',
  })
}
