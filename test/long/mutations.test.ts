/** Small mistakes put into what decides about an alarm, one at a time: each must make a unit test fail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../shared/time.ts'
import { createMutatedCopy, difference, mutate, type MutatedCopy, type Mutation } from '../support/mutated-copy.ts'
import { mutations as alerts } from './mutations/alerts.ts'
import { mutations as authorization } from './mutations/authorization.ts'
import { mutations as committer } from './mutations/committer.ts'
import { mutations as context } from './mutations/context.ts'
import { mutations as decision } from './mutations/decision.ts'
import { mutations as outbox } from './mutations/outbox.ts'
import { mutations as policy } from './mutations/policy.ts'

const subjects: Record<string, Mutation[]> = { alerts, decision, context, committer, outbox, policy, authorization }
const all = Object.values(subjects).flat()

/**
 * Each takes seconds, and together they take longer than everything else: one run tries a fifth of them, another
 * fifth each day; MUTATIONS=all tries every one.
 */
const parts = 5
const today = Math.floor(Date.now() / days(1)) % parts
const isTried = (mutation: Mutation) => process.env['MUTATIONS'] === 'all' || all.indexOf(mutation) % parts === today
const tried = all.filter(isTried)

/** Copies that are free; whoever finds none waits for the next that is given back. */
const free: MutatedCopy[] = []
const waiting: ((copy: MutatedCopy) => void)[] = []
async function withCopy<T>(work: (copy: MutatedCopy) => Promise<T>): Promise<T> {
  const copy = free.pop() ?? (await new Promise<MutatedCopy>((take) => waiting.push(take)))
  try {
    return await work(copy)
  } finally {
    const next = waiting.shift()
    if (next) next(copy)
    else free.push(copy)
  }
}

const copies: MutatedCopy[] = []
beforeAll(async () => {
  // One for each of two cores.
  copies.push(createMutatedCopy(), createMutatedCopy())
  free.push(...copies)
  // A mutation is caught by a test that passes without it, in a copy as it stands here.
  const files = [...new Set(tried.flatMap(({ tests }) => tests))]
  const shares = copies.map((_, share) => files.filter((_, index) => index % copies.length === share))
  const runs = await Promise.all(shares.map((share) => withCopy((copy) => copy.test(share))))
  for (const { passed, output } of runs) if (!passed) throw new Error(`The tests fail without any mutation:\n${output}`)
}, 300_000)
afterAll(() => copies.forEach((copy) => copy.remove()))

it('is at least sixty mistakes, each with a place and a name of its own', () => {
  for (const mutation of all) expect(() => mutate(mutation), mutation.says).not.toThrow()
  expect(new Set(all.map(({ says }) => says)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(60)
})

describe.each(Object.entries(subjects))('%s is caught where', (_, mutations) => {
  it.concurrent.each(mutations.filter(isTried).map((mutation) => [mutation.says, mutation] as const))(
    '%s',
    async (_, mutation) => {
      const { passed, failed, output } = await withCopy((copy) => copy.test(mutation.tests, mutation))
      if (passed) throw new Error(`No test has seen this in ${mutation.tests.join(', ')}:\n${difference(mutation)}`)
      // A source that cannot be read any more is no wrong behavior: a test has to have failed.
      if (failed.length === 0) throw new Error(`The tests did not run:\n${difference(mutation)}\n${output}`)
    },
  )
})
