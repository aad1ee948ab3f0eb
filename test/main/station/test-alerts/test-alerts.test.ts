import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noChannels, type ChannelAccess } from '../../../../main/platform/channel-access.ts'
import type { Station } from '../../../../main/station/index.ts'
import { testAlertResultSchema } from '../../../../shared/test-alert.ts'
import { seconds } from '../../../../shared/time.ts'
import { httpServer, json, type HttpServer } from '../../../support/http-server.ts'
import { school } from '../../../support/intake-school.ts'
import { mailServer, type MailServer } from '../../../support/mail-server.ts'
import { listed, somePolicy } from '../../../support/policies.ts'
import { testSecret } from '../../../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../../../support/station.ts'
import { onEachStore } from '../../../support/test-stores.ts'
import { textReceiver, type TextReceiver } from '../../../support/text-receiver.ts'

const secret = 'a webhook secret of thirty-two characters or more'
const directory = somePolicy({
  people: [
    listed('admin-1', { role: 'ADMIN' }),
    listed('marlow', { channels: { sms: '+15550142001', voice: '+15550142002', email: 'marlow@school.example' } }),
  ],
})

onEachStore((kind) => {
  let house: StationHouse
  let telephones: TextReceiver
  let mails: MailServer
  let webhook: HttpServer
  let station: Station
  beforeEach(async () => {
    ;[house, telephones, mails, webhook] = await Promise.all([
      stationHouse(kind),
      textReceiver(),
      mailServer(),
      httpServer(json({})),
    ])
  })
  afterEach(async () => {
    await house.close()
    await Promise.all([telephones.stop(), mails.stop(), webhook.stop()])
  })
  const start = async (changes: Partial<ChannelAccess> = {}): Promise<void> => {
    const all = { sms: telephones.access, webhook: { url: webhook.url, secret }, email: mails.access }
    station = await house.start({ channels: { ...noChannels, ...all, ...changes } })
    await station.policy.save({ school_id: school, by: 'admin-1', version: 0, policy: directory })
  }
  const ask = async (sub: string) => {
    const now = Math.floor(house.clock.now() / 1000)
    const token = await new SignJWT({ role: 'COUNSELOR', school_id: school })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(sub)
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .sign(new TextEncoder().encode(testSecret))
    const response = await fetch(new URL('/test-alert', station.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }

  it('goes to the caller alone, by each of their own ways, and says what arrived where', async () => {
    await start()
    const { status, body } = await ask('marlow')
    expect(status).toBe(200)
    const { sent_at, ways } = testAlertResultSchema.parse(body)
    expect(sent_at).toBe(house.clock.now())
    expect(ways).toMatchObject([
      { channel: 'sms', where: '…2001', outcome: 'delivered', took_ms: 0 },
      { channel: 'voice', where: '…2002', outcome: 'delivered' },
      { channel: 'email', where: 'm…@school.example', outcome: 'delivered' },
      { channel: 'other', where: null, outcome: 'delivered' },
    ])
    expect(telephones.texts.map(({ text }) => text)).toEqual([
      'PsyFlo: Test alert. No student is at risk. You do not need to do anything.',
    ])
    expect(webhook.asked.map(({ body: told }) => JSON.parse(told) as unknown)).toMatchObject([
      { channel: 'voice', kind: 'test', tier: null },
      { channel: 'other', kind: 'test', tier: null },
    ])
    expect(mails.mails[0]?.source).toContain('Subject: PsyFlo: Test alert')
    const kept = await house.rows('SELECT channel, person, outcome FROM test_alerts ORDER BY channel')
    expect(kept.map(({ channel, outcome }) => `${String(channel)} ${String(outcome)}`)).toEqual([
      'email delivered',
      'other delivered',
      'sms delivered',
      'voice delivered',
    ])
  })

  it('is sent once a minute at most, whatever station is asked', async () => {
    await start()
    expect((await ask('marlow')).status).toBe(200)
    house.clock.advance(seconds(59))
    expect(await ask('marlow')).toMatchObject({ status: 409, body: { details: { code: 'test_alert_too_soon' } } })
    expect(telephones.texts).toHaveLength(1)
    house.clock.advance(seconds(1))
    expect((await ask('marlow')).status).toBe(200)
    expect((await ask('admin-1')).status).toBe(200)
  })

  it('names what is missing, and what its provider refused', async () => {
    await start({ email: null })
    telephones.refuses({ status: 403, code: 'AuthorizationError' })
    const { body } = await ask('marlow')
    expect(testAlertResultSchema.parse(body).ways).toMatchObject([
      { channel: 'sms', outcome: 'failed', code: 'AuthorizationErrorException' },
      { channel: 'voice', outcome: 'delivered' },
      { channel: 'email', outcome: 'not set up', took_ms: null },
      { channel: 'other', outcome: 'delivered' },
    ])
    const nobody = await ask('admin-1')
    expect(testAlertResultSchema.parse(nobody.body).ways.map(({ outcome }) => outcome)).toEqual([
      'no address',
      'no address',
      'no address',
      'delivered',
    ])
  })

  it('is for people of the directory, who are signed in', async () => {
    await start()
    expect((await ask('somebody else')).status).toBe(404)
    expect((await fetch(new URL('/test-alert', station.url), { method: 'POST' })).status).toBe(401)
    expect(telephones.texts).toEqual([])
  })
})
