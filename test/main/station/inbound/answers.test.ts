import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noChannels } from '../../../../main/platform/channel-access.ts'
import { isSignedBy, signingKey } from '../../../../main/platform/signing.ts'
import { signedHeaders } from '../../../../main/platform/webhook-signature.ts'
import type { IntakeSettings } from '../../../../main/station/intake/index.ts'
import type { Station } from '../../../../main/station/index.ts'
import { minutes } from '../../../../shared/time.ts'
import type { Channel } from '../../../../shared/on-call.ts'
import type { Policy } from '../../../../shared/policy.ts'
import { intakeClient } from '../../../../main/chat/index.ts'
import { cautionWords, crisisWords, otherSchool, school, scriptedEngine } from '../../../support/intake-school.ts'
import { httpServer, json } from '../../../support/http-server.ts'
import { mailServer } from '../../../support/mail-server.ts'
import { listed, somePolicy } from '../../../support/policies.ts'
import { chatAt, stationHouse, type StationHouse } from '../../../support/station.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { onEachStore } from '../../../support/test-stores.ts'
import { textReceiver, type TextReceiver } from '../../../support/text-receiver.ts'

const secret = 'a webhook secret of thirty-two characters or more'
const [marlow, osei, stranger] = ['+15550142001', '+15550142002', '+15550142009']
const everybody = [{ kind: 'role' as const, role: 'COUNSELOR' as const }]
const ladder = { rungs: [{ after_minutes: 0, to: everybody, channels: ['sms' as const] }], repeat_minutes: 30 }

/** Two counselors with telephones, whom every alert is texted to at once. */
const directory: Policy = somePolicy({
  people: [
    listed('admin-1', { role: 'ADMIN' }),
    listed('marlow', { channels: { sms: marlow, voice: null, email: null } }),
    listed('osei', { channels: { sms: osei, voice: null, email: null } }),
  ],
  on_call: { rotas: [], away: [], ladders: { crisis: ladder, high: ladder } },
})

const atDesktops = { ...ladder, rungs: [{ after_minutes: 0, to: everybody, channels: ['desktop' as const] }] }
/** The same where the station itself texts nobody. */
const atConsoles: Policy = {
  ...directory,
  on_call: { rotas: [], away: [], ladders: { crisis: atDesktops, high: atDesktops } },
}

const highWords = 'xx-high-xx'
/** An engine that knows words of high risk, too. */
function engine() {
  const scripted = scriptedEngine()
  return {
    ...scripted,
    assess(input: Parameters<typeof scripted.assess>[0]) {
      const isHigh = input.text.includes(highWords)
      const found = scripted.assess(isHigh ? { ...input, text: cautionWords } : input)
      return isHigh ? { ...found, tier: 'high' as const } : found
    },
  }
}

onEachStore((kind) => {
  let house: StationHouse
  let telephones: TextReceiver
  let station: Station
  let texts = 0
  beforeEach(async () => {
    ;[house, telephones] = await Promise.all([stationHouse(kind), textReceiver()])
    texts = 0
  })
  afterEach(async () => {
    await house.close()
    await telephones.stop()
  })

  const start = async (
    changes: Partial<typeof noChannels> = {},
    keys: IntakeSettings['keys'] = [],
    policy = directory,
  ): Promise<void> => {
    const webhook = { url: 'http://127.0.0.1:9/', secret }
    const channels = { ...noChannels, webhook, sms: telephones.access, ...changes }
    station = await house.start({
      settings: { keys, bufferSize: 20 },
      channels,
      ladder: {},
      assessment: { engine: engine(), services: null },
    })
    const saved = await station.policy.save({ school_id: school, by: 'admin-1', version: 0, policy })
    expect(saved).toHaveProperty('changed')
  }
  /** A student writes; answers what was texted to J. Marlow about it. */
  const alarm = async (user_id: string, words = crisisWords): Promise<string> => {
    const chat = chatAt(station)
    const { session_id } = await chat.startSession({ user_id })
    await chat.send(session_id, { sender: 'user', content: words, client_message_id: 'one' })
    return said(marlow)
  }
  /** The next text to a number. */
  const said = (number: string): Promise<string> =>
    vi.waitFor(() => {
      const found = telephones.texts.findIndex((text, index) => index >= texts && text.number === number)
      expect(found).toBeGreaterThanOrEqual(0)
      texts = found + 1
      return telephones.texts[found]?.text ?? ''
    })
  const numberIn = (text: string): string => /Reply ACK (\d+)/.exec(text)?.[1] ?? ''
  const send = async (
    from: string,
    text: string,
    { id = `m-${Math.random()}`, at = house.clock.now(), by = secret } = {},
  ) => {
    const body = JSON.stringify({ from, text })
    const headers = { 'content-type': 'application/json', ...signedHeaders(by, { id, at, body }) }
    const response = await fetch(new URL('/inbound/sms', station.url), { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as { answer?: string | null } }
  }
  const records = async () =>
    (await house.rows(`SELECT body FROM outbox WHERE event_type = 'ALERT_ACTION' ORDER BY position`)).map(
      ({ body }) => JSON.parse(String(body)) as Record<string, unknown>,
    )
  const alerts = () => house.rows('SELECT state, owner, tier, number FROM alerts ORDER BY opened_at, tier')

  // What the database has no part in is tried on one of them.
  const onOne = it.runIf(kind === 'file')

  describe('a text that answers an alert', () => {
    it('takes it: a record like any other, with its place, signed by the station, and no text after it', async () => {
      await start()
      const number = numberIn(await alarm('student-1'))
      expect(await send(marlow, `ack ${number}.`)).toEqual({ status: 200, body: { answer: null } })
      expect(await said(marlow)).toMatch(
        /^PsyFlo: YOU HAVE IT: CRISIS, .*just now\. Contact the student within 15 minutes/,
      )
      const [record] = await records()
      expect(record).toMatchObject({
        action: 'acknowledged',
        by: 'marlow',
        by_name: 'Name of marlow',
        owner: 'marlow',
        school_id: school,
        position: 1,
        next_action: 'Contact the student',
        due_at: new Date(house.clock.now() + minutes(15)).toISOString(),
      })
      expect(record?.['console_id']).toMatch(/^sms:/)
      expect(record).not.toHaveProperty('unvouched')
      expect(await alerts()).toMatchObject([{ state: 'acknowledged', owner: 'marlow' }])
      expect(await house.rows(`SELECT kind FROM timers WHERE kind = 'rung'`)).toEqual([])
    })

    it('is signed with a key that only this database has', async () => {
      await start()
      await send(marlow, `ACK ${numberIn(await alarm('student-1'))}`)
      const [record = {}] = await records()
      const { position: _, ...message } = record
      const [kept] = await house.rows(`SELECT value FROM settings WHERE name = 'signing_key'`)
      const key = signingKey(await house.unwrap(String(kept?.['value'])))
      expect(isSignedBy(key.publicKey, message)).toBe(true)
      expect(isSignedBy(key.publicKey, { ...message, by: 'osei' })).toBe(false)
    })

    it('changes nothing where somebody else has it, and says so', async () => {
      await start()
      const number = numberIn(await alarm('student-1'))
      await send(marlow, `ACK ${number}`)
      house.clock.advance(1000)
      await send(osei, `ACK ${number}`)
      expect(
        await vi.waitFor(
          () =>
            telephones.texts.filter(({ number: to }) => to === osei)[1]?.text ?? Promise.reject(new Error('not yet')),
        ),
      ).toContain('Somebody else already has it')
      expect(await alerts()).toMatchObject([{ state: 'acknowledged', owner: 'marlow' }])
      expect((await records()).map(({ by }) => by)).toEqual(['marlow', 'osei'])
    })

    it('without a number takes the most urgent, and says what still waits', async () => {
      await start()
      await alarm('student-1', highWords)
      house.clock.advance(minutes(2))
      await alarm('student-2')
      await send(marlow, 'Ack!')
      expect(await said(marlow)).toMatch(/YOU HAVE IT: CRISIS.*1 more waits: reply ACK again\.$/)
      await send(marlow, 'ACK')
      expect(await said(marlow)).toContain('YOU HAVE IT: high risk')
      expect((await alerts()).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged'])
    })

    it('covers what was there when it was told, and nothing worse that came since', async () => {
      await start()
      const chat = chatAt(station)
      const { session_id } = await chat.startSession({ user_id: 'student-1' })
      await chat.send(session_id, { sender: 'user', content: highWords, client_message_id: 'one' })
      const number = numberIn(await said(marlow))
      house.clock.advance(1000)
      // As after another crisis in this minute: the next text waits, and J. Marlow has not heard of it yet.
      await house.run(`UPDATE tell_windows SET crisis_at = ${house.clock.now()}`)
      await chat.send(session_id, { sender: 'user', content: crisisWords, client_message_id: 'two' })
      await vi.waitFor(async () =>
        expect(await house.rows(`SELECT telling_id FROM tellings WHERE state = 'waiting'`)).not.toEqual([]),
      )
      await send(marlow, `ACK ${number}`)
      await vi.waitFor(() =>
        expect(telephones.texts.map(({ text }) => text).join('\n')).toContain('It got WORSE since'),
      )
      expect(await alerts()).toMatchObject([{ state: 'open' }])
    })

    it('counts once, however often it is handed over, and on whatever way', async () => {
      await start()
      const number = numberIn(await alarm('student-1'))
      await Promise.all([1, 2, 3].map(() => send(marlow, `ACK ${number}`, { id: 'the same' })))
      await send(marlow, `ACK ${number}`, { id: 'the same' })
      expect(await records()).toHaveLength(1)
      expect(telephones.texts.filter(({ text }) => text.includes('YOU HAVE IT'))).toHaveLength(1)
    })

    it('counts once in all the schools of whoever sent it', async () => {
      const key = 'k'.repeat(40)
      await start({}, [{ key, school_id: otherSchool, scopes: ['read', 'write'] }])
      const ofBoth: Policy = { ...directory, people: directory.people.map((person) => ({ ...person, school_ids: [otherSchool] })) } // prettier-ignore
      const saved = await station.policy.save({ school_id: otherSchool, by: 'admin-1', version: 0, policy: ofBoth })
      expect(saved).toHaveProperty('changed')
      await alarm('student-1')
      house.clock.advance(minutes(2))
      const { signal } = new AbortController()
      const target = () => ({ url: station.url, key })
      const chat = intakeClient({ target, clock: virtualClock(), signal, tries: 1 })
      const { session_id } = await chat.startSession({ user_id: 'student-2' })
      await chat.send(session_id, { sender: 'user', content: crisisWords, client_message_id: 'one' })
      await said(marlow)
      await send(marlow, 'ACK', { id: 'the same' })
      await send(marlow, 'ACK', { id: 'the same' })
      expect(await records()).toHaveLength(1)
      expect(await alerts()).toMatchObject([{ state: 'acknowledged' }, { state: 'open' }])
    })

    it('that was long on its way takes nothing of which it cannot speak, and says so', async () => {
      await start()
      await alarm('student-1', highWords)
      house.clock.advance(minutes(2))
      const at = house.clock.now()
      house.clock.advance(minutes(2))
      await alarm('student-2')
      await send(marlow, 'ACK', { at })
      expect(await said(marlow)).toMatch(/YOU HAVE IT: high risk.*1 more waits: reply ACK again\.$/)
      expect(await alerts()).toMatchObject([
        { state: 'acknowledged', tier: 'high' },
        { state: 'open', tier: 'crisis' },
      ])
      await send(marlow, 'ACK')
      expect(await said(marlow)).toContain('YOU HAVE IT: CRISIS')
    })

    onOne('that was sent before any alert reached its sender takes none, and says so', async () => {
      await start()
      const at = house.clock.now()
      house.clock.advance(minutes(2))
      await alarm('student-1')
      await send(marlow, 'ACK', { at })
      expect(await said(marlow)).toContain('NOT TAKEN. You sent that before an alert reached you.')
      expect(await records()).toEqual([])
      expect(await alerts()).toMatchObject([{ state: 'open' }])
    })

    onOne('of a number that is not in the directory changes nothing, and learns nothing', async () => {
      await start()
      const number = numberIn(await alarm('student-1'))
      const before = telephones.texts.length
      expect(await send(stranger, `ACK ${number}`)).toEqual({ status: 200, body: { answer: null } })
      expect(await records()).toEqual([])
      expect(telephones.texts).toHaveLength(before)
    })

    onOne('is not believed unsigned, signed by another, or after a quarter of an hour', async () => {
      await start()
      const number = numberIn(await alarm('student-1'))
      const text = `ACK ${number}`
      expect((await send(marlow, text, { by: 'another secret of thirty-two characters' })).status).toBe(401)
      expect((await send(marlow, text, { at: house.clock.now() - minutes(16) })).status).toBe(401)
      const unsigned = await fetch(new URL('/inbound/sms', station.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from: marlow, text }),
      })
      expect(unsigned.status).toBe(401)
      expect(await records()).toEqual([])
      expect(await alerts()).toMatchObject([{ state: 'open' }])
      const figures = await (await fetch(new URL('/metrics', station.url))).text()
      expect(figures).toContain('psyflo_answers_total{outcome="wrong signature"} 2')
      expect(figures).toContain('psyflo_answers_total{outcome="too old"} 1')
      expect(figures).toMatch(/psyflo_deliveries_total\{channel="sms",outcome="delivered"\} 2/)
    })

    onOne('that is not understood, or names no alert, takes nothing, and says so', async () => {
      await start()
      await alarm('student-1')
      await send(marlow, 'I cannot')
      expect(await said(marlow)).toContain('NOT TAKEN: that was not understood')
      await send(marlow, 'ACK 87')
      expect(await said(marlow)).toContain('NOT TAKEN. No alert 87')
      expect(await records()).toEqual([])
    })

    onOne('is answered where it came from, if the station texts nobody itself', async () => {
      // A service of the school's own may text all the same.
      await start({ sms: null }, [], atConsoles)
      expect((await send(marlow, 'ACK')).body.answer).toContain('No alert that was texted to you is waiting')
      expect((await send(marlow, 'what?')).body.answer).toContain('NOT TAKEN')
    })

    onOne('can be sent nowhere where nobody may send one', async () => {
      await start({ webhook: null })
      expect((await send(marlow, 'ACK')).status).toBe(404)
    })

    onOne('follows mails and calls that hold nobody’s name or words, and no address beside its own', async () => {
      const mails = await mailServer()
      const service = await httpServer(json({ reference: 'call-7' }))
      try {
        const email = 'marlow@school.example'
        const voice = '+15550142101'
        const webhook = { url: `${service.url}/told`, secret }
        await start({ webhook, email: mails.access, consoleUrl: 'https://console.school.example/' })
        const channels = { sms: marlow, voice, email }
        const everyWay = { ...ladder, rungs: [{ after_minutes: 0, to: everybody, channels: ['sms', 'voice', 'email', 'other'] satisfies Channel[] }] } // prettier-ignore
        const policy: Policy = {
          ...directory,
          people: [listed('admin-1', { role: 'ADMIN' }), listed('marlow', { channels })],
          on_call: { ...directory.on_call, ladders: { crisis: everyWay, high: everyWay } },
        }
        const saved = await station.policy.save({ school_id: school, by: 'admin-1', version: 1, policy })
        expect(saved).toHaveProperty('changed')
        await alarm('student-1', `${crisisWords} and my own words`)
        await vi.waitFor(() => {
          expect(mails.mails).toHaveLength(1)
          expect(service.asked).toHaveLength(2)
        })
        const hash = createHmac('sha256', station.salt).update('student-1').digest('hex')
        const [session] = await house.rows('SELECT session_id, alert_key FROM alerts')
        const ofStudent = ['my own words', crisisWords, 'student-1', hash, String(session?.['session_id']), String(session?.['alert_key'])] // prettier-ignore
        const [mail] = mails.mails
        const calls = service.asked.map(({ path, headers, body }) => JSON.stringify({ path, headers, body }))
        for (const said of [mail?.source ?? '', ...calls])
          for (const word of [...ofStudent, 'Name of', marlow, school, secret]) expect(said).not.toContain(word)
        // Each says to whom it goes, and to nobody else; addresses that are kept by others on the way say nothing at all.
        expect(mail?.source).not.toContain(voice)
        expect(calls.join()).not.toContain(email)
        expect(service.asked.map(({ path }) => path)).toEqual(['/told', '/told'])
        expect(mail?.source).toMatch(/^https:\/\/console\.school\.example\/$/m)
        for (const { body } of service.asked)
          expect(JSON.parse(body)).toMatchObject({ person: 'marlow', link: 'https://console.school.example/' })
      } finally {
        await Promise.all([mails.stop(), service.stop()])
      }
    })

    onOne('leaves no name, number, pseudonym or word in a text or a log', async () => {
      await start()
      const number = numberIn(await alarm('student-1', `${crisisWords} and my own words`))
      await send(marlow, `ACK ${number} my reply`)
      await send(stranger, 'my reply')
      await send(marlow, 'my reply', { by: 'another secret of thirty-two characters' })
      await said(marlow)
      const hash = createHmac('sha256', station.salt).update('student-1').digest('hex')
      const [session] = await house.rows('SELECT session_id FROM sessions')
      const everything = JSON.stringify([telephones.texts.map(({ text }) => text), house.entries])
      const private_ = [
        'Name of',
        'marlow',
        'my own words',
        'my reply',
        'student-1',
        hash,
        String(session?.['session_id']),
      ]
      for (const word of [...private_, marlow, stranger]) expect(everything).not.toContain(word)
    })
  })
})
