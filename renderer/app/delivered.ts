/**
 * Everything a person does reaches main or is said not to have: nothing waits in the page for a program that
 * does not answer, to be done when nobody thinks of it any more.
 */
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../shared/api.ts'
import { beginsWithin, givesUpAfter, type Delivery } from '../../shared/delivery.ts'
import type { PersonalError } from '../../shared/errors.ts'
import { words } from '../words/index.ts'

/** How long what failed is remembered, so that trying again is the same act (milliseconds). */
const remembersFor = 600_000
/** How soon a call is on the wire (milliseconds): tRPC sends together what is asked in one turn. */
const leavesWithin = 20

/**
 * Calls before anybody sits at the console. Nothing about a student is done by them, main begins them however late they
 * come, and a password may keep it busy: they are waited for while there is a socket.
 */
const isBeforehand = /^(startup|setUp|signIn)\./

export interface DeliveryOptions {
  /** Whether main answered a moment ago. */
  answers(): boolean
  /** Asks main for a sign; `late` where none comes in time (milliseconds). */
  ask(patience: number, late: () => void): () => void
  /** Calls `lost` where main falls silent, or the socket closes; the answer ends it. */
  watch(lost: () => void): () => void
  /** UTC milliseconds. */
  now(): number
}

/** What leads to main: the link that every mutation passes. */
export function deliveredLink(options: DeliveryOptions): TRPCLink<AppRouter> {
  const failed = createFailed(options.now)
  return () =>
    ({ next, op }) => {
      if (op.type !== 'mutation') return next(op)
      return observable((observer) => {
        const act = actOf(op.path, op.input)
        const stops: (() => void)[] = []
        let over = false
        const end = () => {
          over = true
          stops.splice(0).forEach((stop) => stop())
        }
        /** The first outcome counts: a call that is taken back says a word of its own. */
        const settle = (tell: () => void) => {
          if (over) return
          over = true
          tell()
          end()
        }
        const fail = (personal: PersonalError) => settle(() => observer.error(personalFailure(personal)))
        if (!options.answers()) {
          fail(words.error.notTaken)
          return
        }
        const id = failed.idOf(act)
        const giveUp = (personal: PersonalError) => {
          if (!over) failed.remember(act, id)
          fail(personal)
        }
        const delivery: Delivery = { id, begin_by: options.now() + beginsWithin }
        const call = next({ ...op, input: withDelivery(op.input, delivery) }).subscribe({
          next: (value) => {
            if (!over) observer.next(value)
          },
          error(error) {
            // Main's own word is an answer; anything else is none.
            if (error.data === undefined || error.data === null) return giveUp(words.error.answerLost)
            failed.forget(act)
            settle(() => observer.error(error))
          },
          complete() {
            if (!over) failed.forget(act)
            settle(() => observer.complete())
          },
        })
        stops.push(() => call.unsubscribe())
        if (isBeforehand.test(op.path)) return end
        // Behind the call itself, which leaves a moment later: where this is answered, main has begun.
        const sent = setTimeout(
          () => stops.push(options.ask(givesUpAfter, () => giveUp(words.error.notTaken))),
          leavesWithin,
        )
        stops.push(
          () => clearTimeout(sent),
          options.watch(() => giveUp(words.error.answerLost)),
        )
        return end
      })
    }
}

function withDelivery(input: unknown, delivery: Delivery): unknown {
  if (input === undefined) return { delivery }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input, delivery } : input
}

/** The same act has the same text. */
function actOf(path: string, input: unknown): string {
  return `${path} ${JSON.stringify(input)}`
}

/** Under which id an act was sent that nobody answered: sent again, it is the same one. */
function createFailed(now: () => number) {
  const acts = new Map<string, { id: string; until: number }>()
  return {
    idOf(act: string): string {
      const known = acts.get(act)
      return known && now() < known.until ? known.id : crypto.randomUUID()
    },
    remember(act: string, id: string): void {
      for (const [name, { until }] of acts) if (now() >= until) acts.delete(name)
      acts.set(act, { id, until: now() + remembersFor })
    },
    forget: (act: string) => void acts.delete(act),
  }
}

function personalFailure(personal: PersonalError): TRPCClientError<AppRouter> {
  const { happened: message } = personal
  return TRPCClientError.from({ error: { code: -32_000, message, data: { personal } } } as never)
}
