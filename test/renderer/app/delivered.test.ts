import { TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deliveredLink } from '../../../renderer/app/delivered.ts'
import { personalErrorOf } from '../../../renderer/controls/personal-error.ts'
import type { Delivery } from '../../../shared/delivery.ts'

/** A page before a main that this test plays. */
function page() {
  const sent: { input: { delivery: Delivery }; answer: (value: unknown) => void; fail: (error: unknown) => void }[] = []
  const listeners = new Set<() => void>()
  const main = { answers: true, signs: true }
  const link = deliveredLink({
    answers: () => main.answers,
    ask: (patience, late) => {
      const timer = main.signs ? undefined : setTimeout(late, patience)
      return () => clearTimeout(timer)
    },
    watch: (lost) => {
      listeners.add(lost)
      return () => void listeners.delete(lost)
    },
    now: () => Date.now(),
  })({} as never)
  const act = (input: object, path = 'alerts.note') => {
    const outcome: { value?: unknown; error?: string; code?: string } = {}
    link({
      op: { id: 1, type: 'mutation', path, input, context: {}, signal: null },
      next: (op) =>
        observable((observer) => {
          sent.push({
            input: op.input as { delivery: Delivery },
            answer(value) {
              observer.next({ result: { type: 'data', data: value } } as never)
              observer.complete()
            },
            fail: (error) => observer.error(error as never),
          })
        }),
    }).subscribe({
      next: ({ result }) => void (outcome.value = 'data' in result ? result.data : undefined),
      error(error) {
        const personal = personalErrorOf(error)
        outcome.error = personal.happened
        outcome.code = personal.code
      },
    })
    return outcome
  }
  return { sent, main, act, lose: () => [...listeners].forEach((lost) => lost()) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('what a person does', () => {
  it('is sent once, with an id and the time until which it may be begun, and its answer comes back', () => {
    const { sent, act } = page()
    const outcome = act({ key: 'k', note: 'called' })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.input).toMatchObject({ key: 'k', note: 'called', delivery: { begin_by: Date.now() + 4_000 } })
    vi.advanceTimersByTime(60_000)
    expect(outcome).toEqual({})
    sent[0]?.answer('done')
    expect(outcome).toEqual({ value: 'done' })
  })

  it('is not sent to a program that does not answer, and says so at once', () => {
    const { sent, main, act } = page()
    main.answers = false
    expect(act({ note: 'called' })).toMatchObject({ code: 'not_taken' })
    expect(sent).toEqual([])
  })

  it('is given up where no sign comes that it was begun; what comes of it later is not told', () => {
    const { sent, main, act } = page()
    main.signs = false
    const outcome = act({ note: 'called' })
    vi.advanceTimersByTime(4_900)
    expect(outcome).toEqual({})
    vi.advanceTimersByTime(200)
    expect(outcome.error).toBe('Not recorded yet: the program does not answer.')
    sent[0]?.answer('done')
    expect(outcome.value).toBeUndefined()
  })

  it('is waited for where it only opens the console: a password may keep the program busy', () => {
    const { sent, main, act } = page()
    main.signs = false
    const outcome = act({ password: 'typed' }, 'signIn.signIn')
    vi.advanceTimersByTime(60_000)
    expect(outcome).toEqual({})
    sent[0]?.answer('in')
    expect(outcome).toEqual({ value: 'in' })
  })

  it('is said to be uncertain where contact is lost after it was begun', () => {
    const one = page()
    const outcome = one.act({ note: 'called' })
    vi.advanceTimersByTime(1_000)
    one.lose()
    expect(outcome.code).toBe('answer_lost')

    const other = page()
    const closed = other.act({ note: 'called' })
    other.sent[0]?.fail(TRPCClientError.from(new Error('WebSocket closed')))
    expect(closed.code).toBe('answer_lost')
  })

  it('is the same act when it is tried again after that, and another one when it says something else or was refused', () => {
    const { sent, main, act } = page()
    const ids = () => sent.map(({ input }) => input.delivery.id)
    main.signs = false
    act({ note: 'called' })
    vi.advanceTimersByTime(6_000)
    act({ note: 'called' })
    act({ note: 'called twice' })
    expect(new Set(ids()).size).toBe(2)
    expect(ids()[0]).toBe(ids()[1])
    const personal = { code: 'refused', happened: 'No.', safe: 'Nothing was changed.', todo: 'Ask.' }
    sent[1]?.fail(TRPCClientError.from({ error: { code: -32_000, message: 'No.', data: { personal } } } as never))
    act({ note: 'called' })
    expect(ids()[3]).not.toBe(ids()[1])
    // Long afterwards the same words are said anew.
    vi.advanceTimersByTime(6_000)
    vi.advanceTimersByTime(600_000)
    act({ note: 'called' })
    expect(new Set(ids()).size).toBe(4)
  })
})
