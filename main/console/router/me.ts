import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Person } from '../../../shared/people.ts'
import type { Me } from '../../../shared/views.ts'
import { accountOf, readSetting } from '../../store/console/index.ts'
import { colleagues } from './colleague.ts'
import type { Caller } from './context.ts'
import { schoolZone } from './school-zone.ts'
import { callFor, forbidden, notFound, router } from './trpc.ts'

/** Who sits at this window. */
export const meRouter = router({
  get: callFor('strip.see').query(({ ctx }): Me => meOf(ctx, ctx.maySetUp)),
  people: callFor('strip.see').query(({ ctx }): Person[] => colleagues(ctx)),
  become: callFor('strip.see')
    .input(z.object({ personId: z.string() }))
    .mutation(({ ctx, input }): Me => {
      if (!ctx.parts.configuration.demo) {
        throw new TRPCError({
          code: 'FORBIDDEN',
          cause: forbidden('You can be someone else only in the demonstration school.'),
        })
      }
      const person = ctx.parts.people.find(input.personId)
      if (person?.school_id !== ctx.person.school_id) throw notFound('person')
      ctx.parts.windows.seat(ctx.windowId, person.id)
      return meOf({ ...ctx, person }, ctx.maySetUp)
    }),
})

function meOf({ parts, person }: Caller, maySetUp: boolean): Me {
  const { demo, mode } = parts.configuration
  const desk = mode === 'desk'
  return {
    person,
    demo,
    others: demo ? parts.people.ofSchool(person.school_id).filter(({ id }) => id !== person.id) : [],
    time_zone: schoolZone({ parts, person }),
    desk,
    school_name: readSetting(parts.db, 'school_name') ?? null,
    has_account: parts.accounts !== null && accountOf(parts.db, person.id) !== null,
    may_set_up: maySetUp,
  }
}
