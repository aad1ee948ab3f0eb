/** The one port, through a station in this process and through one over REST: the same answers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stationByRest, stationHere, type PolicyService } from '../../../../main/console/policy/index.ts'
import { ConsoleError } from '../../../../shared/errors.ts'
import type { Person } from '../../../../shared/people.ts'
import { seconds } from '../../../../shared/time.ts'
import { flood, json, silence } from '../../../support/http-server.ts'
import {
  filledPolicy,
  listed,
  policyKeeper,
  policyStation,
  tokenOf,
  type PolicyKeeper,
} from '../../../support/policy-station.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const dean: Person = { id: 'dean', name: 'A. Dean', role: 'ADMIN', school_id: testSchool }
const marlow: Person = { id: 'marlow', name: 'J. Marlow', role: 'COUNSELOR', school_id: testSchool }
const hash = (digit: string) => digit.repeat(64)

let keeper: PolicyKeeper
let server: Awaited<ReturnType<typeof policyStation>>
let clock: ReturnType<typeof virtualClock>
const tokens = new Map<string, string>()
beforeEach(async () => {
  keeper = policyKeeper()
  server = await policyStation(keeper)
  clock = virtualClock()
  tokens.set('dean', await tokenOf('dean', 'ADMIN'))
  tokens.set('marlow', await tokenOf('marlow', 'COUNSELOR'))
})
afterEach(() => server.stop())

const byRest = (url = server.url, stopping = new AbortController().signal) =>
  stationByRest({ url, tokenOf: ({ id }) => tokens.get(id) ?? null, clock, stopping })
const failureOf = async (work: Promise<unknown>): Promise<ConsoleError> => {
  const failed = await work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
  if (!(failed instanceof ConsoleError)) throw new Error(String(failed))
  return failed
}

const ways: [string, () => PolicyService][] = [
  ['in this process', () => stationHere(keeper.station)],
  ['over REST', () => byRest()],
]
describe.each(ways)('a station %s', (_, service) => {
  it('has version 0 before anybody saved, and counts from there', async () => {
    expect(await service().read(dean)).toMatchObject({ version: 0, changed_at: null, changed_by: null })
    const saved = { version: 1, policy: filledPolicy, changed_at: Date.UTC(2026, 0, 20, 12), changed_by: 'dean' }
    expect(await service().save(dean, 0, filledPolicy)).toEqual({ changed: saved })
    expect(await service().read(dean)).toEqual(saved)
  })

  it('says what stands where somebody else saved meanwhile, and which gaps there are', async () => {
    await service().save(dean, 0, filledPolicy)
    expect(await service().save(dean, 0, filledPolicy)).toMatchObject({ stale: { version: 1, policy: filledPolicy } })
    const change = await service().save(dean, 1, { ...filledPolicy, people: [listed('marlow', 'J. Marlow')] })
    expect(change).toEqual({
      gaps: [{ path: ['people'], gap: 'No one is an admin, so no one could change this again.' }],
    })
  })

  it('is told who looks after whom', async () => {
    await service().save(dean, 0, filledPolicy)
    await service().assign(dean, [
      { student_hash: hash('a'), person_id: 'marlow' },
      { student_hash: hash('b'), person_id: null },
    ])
    expect([...keeper.assignments]).toEqual([
      [hash('a'), 'marlow'],
      [hash('b'), null],
    ])
    expect(keeper.by).toEqual(['dean'])
  })
})

describe('a test alert', () => {
  const result = {
    sent_at: Date.UTC(2026, 0, 20, 12),
    ways: [{ channel: 'sms' as const, where: '…0100', outcome: 'delivered' as const, code: null, took_ms: 120 }],
  }

  it('is sent to the person who asks for it, and what came of it is answered', async () => {
    const asked: unknown[] = []
    const here = stationHere(keeper.station, { send: async (to) => (asked.push(to), result) })
    expect(await here.testAlert(marlow)).toEqual(result)
    expect(asked).toEqual([{ school_id: testSchool, person: 'marlow' }])
    server.answers(json(result))
    expect(await byRest().testAlert(marlow)).toEqual(result)
    expect(server.asked.at(-1)).toMatchObject({ method: 'POST', path: '/test-alert' })
  })

  it('is refused where nobody is told away from the console, too soon, and to who is not listed', async () => {
    const { code, safe } = await failureOf(stationHere(keeper.station).testAlert(marlow))
    expect([code, safe]).toEqual(['no_test_alerts', 'Nothing was sent.'])
    for (const [status, expected] of [
      [409, 'test_alert_too_soon'],
      [404, 'test_alert_unlisted'],
      [503, 'station_not_ready'],
    ] as const) {
      server.answers((response) => void response.writeHead(status).end())
      expect(await failureOf(byRest().testAlert(marlow))).toMatchObject({
        code: expected,
        safe: expect.stringMatching(status === 503 ? /^It is not known/ : /^Nothing was sent/) as string,
      })
    }
  })
})

describe('a station over REST', () => {
  it('is asked below its base address with the token of whoever asks, and the version', async () => {
    await byRest(`${server.url}/`).save(dean, 0, filledPolicy)
    const [{ method, path, headers } = { method: '', path: '', headers: {} }] = server.asked
    expect([method, path, headers['if-match'], headers.authorization]).toEqual([
      'PUT',
      '/policy',
      '"0"',
      `Bearer ${tokens.get('dean')}`,
    ])
    server.answers(json({ version: 1, policy: filledPolicy, changed_at: null, changed_by: null }))
    await byRest(`${server.url}/psyflo/`).read(dean)
    expect(server.asked.at(-1)?.path).toBe('/psyflo/policy')
  })

  it('is not asked without a token', async () => {
    expect(await failureOf(byRest().read({ ...dean, id: 'nobody' }))).toMatchObject({ code: 'station_no_token' })
    expect(server.asked).toEqual([])
  })

  it('tells an expired token, a person who may not, and what is no such station apart', async () => {
    tokens.set('late', await tokenOf('late', 'ADMIN', '-2h'))
    expect((await failureOf(byRest().read({ ...dean, id: 'late' }))).code).toBe('station_signed_out')
    expect((await failureOf(byRest().save(marlow, 0, filledPolicy))).code).toBe('station_forbidden')
    const codes: [number, string][] = [
      [302, 'station_unknown'],
      [400, 'station_refused'],
      [404, 'station_unknown'],
      [429, 'station_busy'],
      [503, 'station_not_ready'],
    ]
    for (const [status, code] of codes) {
      server.answers((response) => void response.writeHead(status, { location: `${server.url}/elsewhere` }).end())
      expect((await failureOf(byRest().read(dean))).code).toBe(code)
    }
    // A redirect is not followed: the token goes to the configured host alone.
    expect(server.asked.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

  it('is away where it does not answer in ten seconds, where nobody listens, and where the console stops', async () => {
    server.answers(silence)
    const late = failureOf(byRest().save(dean, 0, filledPolicy))
    await expect.poll(() => server.asked.length).toBe(1)
    clock.advance(seconds(10))
    expect(await late).toMatchObject({ code: 'station_away', safe: expect.stringContaining('is not known') as string })
    const stopping = new AbortController()
    const ended = failureOf(byRest(server.url, stopping.signal).read(dean))
    await expect.poll(() => server.asked.length).toBe(2)
    stopping.abort()
    expect(await ended).toMatchObject({
      code: 'station_away',
      safe: expect.stringContaining('Nothing was changed') as string,
    })
    await server.stop()
    expect((await failureOf(byRest().read(dean))).code).toBe('station_away')
  })

  it('is not believed where its answer is no policy, or has no end', async () => {
    for (const answer of [json({ version: 1 }), json('words'), flood().answer]) {
      server.answers(answer)
      expect((await failureOf(byRest().read(dean))).code).toBe('station_unreadable')
    }
  })

  it('says in its errors nothing of what was sent or answered', async () => {
    server.answers(json({ error: 'MARKED answer' }, 400))
    const policy = { ...filledPolicy, people: [listed('dean', 'MARKED name', 'ADMIN')] }
    const failed = await failureOf(byRest().save(dean, 0, policy))
    expect(JSON.stringify({ ...failed, message: failed.message, cause: failed.cause })).not.toMatch(/MARKED|eyJ/)
  })
})
