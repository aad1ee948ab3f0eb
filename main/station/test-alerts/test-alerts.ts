/** “Send me a test alert”: what of it arrived where, and when. Each of the ways by which an alert would be told. */
import { ConsoleError } from '../../../shared/errors.ts'
import type { Policy } from '../../../shared/policy.ts'
import type { TestAlertResult } from '../../../shared/test-alert.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock, Randomness } from '../../platform/ports.ts'
import { insertTestAlert, lastTestAlert, settleTestAlert, type StationStore } from '../../store/station/index.ts'
import type { Address, Channels, Message, OutsideChannel } from '../channels/index.ts'

export interface TestAlertsOptions {
  store: StationStore
  channels: Pick<Channels, 'available' | 'send'>
  /** Address of a console, which names nobody; null = there is none to give. */
  link: string | null
  policyOf(schoolId: string): Promise<Pick<Policy, 'people'>>
  clock: Clock
  randomness: Randomness
}

export interface TestAlerts {
  /**
   * Tells one person, by all of their own ways, that this is a test. Throws ConsoleError `test_alert_too_soon` within a
   * minute of the last one, `not_in_directory` where nothing is known of them.
   */
  send(to: { school_id: string; person: string }): Promise<TestAlertResult>
}

/** A person sends themselves no more than one in so long: texts and calls cost, and wake whoever sleeps beside them. */
const apart = seconds(60)

export function createTestAlerts(options: TestAlertsOptions): TestAlerts {
  const { store, channels, link, policyOf, clock, randomness } = options
  const message: Message = { kind: 'test', tier: null, categories: [], count: 0, late_ms: 0, link, reply: null }

  return {
    async send({ school_id, person: id }) {
      const person = (await policyOf(school_id)).people.find((each) => each.id === id)
      if (!person) throw notListed()
      const to: Address = { person: id, name: person.name, ...person.channels }
      const ways = waysTo(to, channels.available())
      const test_id = randomness.uuid()
      const sent_at = clock.now()
      const usable = ways.filter(({ problem }) => problem === null)
      await store.asSchool(school_id, async (unit) => {
        const last = await lastTestAlert(unit, { school_id, person: id })
        if (last !== null && Math.abs(sent_at - last) < apart) throw tooSoon(last + apart - sent_at)
        for (const { channel } of usable)
          await insertTestAlert(unit, { school_id, test_id, channel, person: id, sent_at })
      })
      const results = await Promise.all(
        ways.map(async ({ channel, where, problem }) => {
          if (problem !== null) return { channel, where, outcome: problem, code: null, took_ms: null }
          const result = await channels.send(channel, to, message, `${test_id}-${channel}`)
          const code = result.outcome === 'failed' ? result.code : null
          const settled_at = clock.now()
          const settled = { settled_at, outcome: result.outcome, code }
          await store.asSchool(school_id, (unit) => settleTestAlert(unit, { school_id, test_id, channel }, settled))
          return { channel, where, outcome: result.outcome, code, took_ms: settled_at - sent_at }
        }),
      )
      return { sent_at, ways: results }
    },
  }
}

interface WayTo {
  channel: OutsideChannel
  /** Enough of the number or address to know it again; null = none of their own. */
  where: string | null
  problem: 'not set up' | 'no address' | null
}

/** Every way there could be to a person, and what is missing of it. */
function waysTo({ sms, voice, email }: Address, available: readonly OutsideChannel[]): WayTo[] {
  const own = { sms: sms && endOf(sms), voice: voice && endOf(voice), email: email && hinted(email) }
  const problemOf = (channel: OutsideChannel, address: string | null | undefined): WayTo['problem'] =>
    address === null ? 'no address' : available.includes(channel) ? null : 'not set up'
  const personal = (['sms', 'voice', 'email'] as const).map((channel) => ({
    channel,
    where: own[channel],
    problem: problemOf(channel, own[channel]),
  }))
  // The school's own further way has no address, and is nothing anybody misses where there is none.
  return available.includes('other') ? [...personal, { channel: 'other', where: null, problem: null }] : personal
}

const endOf = (number: string): string => `…${number.slice(-4)}`
const hinted = (address: string): string => `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`

function tooSoon(wait: number): ConsoleError {
  return new ConsoleError({
    code: 'test_alert_too_soon',
    happened: 'A test alert was sent to you less than a minute ago.',
    safe: 'Nothing was sent again. Real alerts are sent as always.',
    todo: `Try again in ${Math.max(1, Math.ceil(wait / 1000))} seconds.`,
  })
}

function notListed(): ConsoleError {
  return new ConsoleError({
    code: 'not_in_directory',
    happened: 'You are not in the school’s directory, so the station does not know how to reach you.',
    safe: 'Nothing was sent.',
    todo: 'Ask an admin to add you under Settings → Directory, with your number and e-mail address.',
  })
}
