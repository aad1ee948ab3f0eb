/** API keys that the station gives out: shown once, kept as digests, revoked at once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { buildIntakeServer, issuedKeys } from '../../../../main/station/intake/index.ts'
import { seconds } from '../../../../shared/time.ts'
import { createMetrics } from '../../../../main/station/index.ts'
import { DatabaseGone, type StationStore } from '../../../../main/store/station/index.ts'
import {
  crisisWords,
  intakeSchool,
  otherSchool,
  protocolReply,
  school,
  type IntakeSchool,
} from '../../../support/intake-school.ts'
import { onEachStore } from '../../../support/test-stores.ts'

let at: IntakeSchool
afterEach(() => at.close())
const keysAt = () =>
  issuedKeys({
    ...{ store: at.store, clock: at.clock, randomness: systemRandomness },
    ensureSchool: at.options.secretsOf,
  })
const chat = { school_id: school, label: 'the chat', scopes: ['read', 'write'] as const }

onEachStore((kind) => {
  beforeEach(async () => void (at = await intakeSchool({}, kind)))

  it('are found whole, with school and scopes, and stand nowhere in the clear', async () => {
    const keys = keysAt()
    const { key } = await keys.issueApiKey({ ...chat, school_id: school.toUpperCase() })
    expect(await keys.find(key)).toMatchObject({ school_id: school, scopes: ['read', 'write'] })
    for (const wrong of ['', key.slice(0, -1), `${key}x`]) expect(await keys.find(wrong)).toBeNull()
    expect(JSON.stringify(await at.rows('SELECT * FROM api_keys'))).not.toContain(key)
  })

  it('are listed for their own school only, never themselves', async () => {
    const keys = keysAt()
    const { id, key } = await keys.issueApiKey(chat)
    await keys.issueApiKey({ ...chat, school_id: otherSchool, label: 'theirs' })
    const listed = await keys.listApiKeys(school)
    const created_at = at.clock.now()
    expect(listed).toEqual([
      { id, school_id: school, label: 'the chat', scopes: ['read', 'write'], created_at, revoked_at: null },
    ])
    expect(JSON.stringify(listed)).not.toContain(key)
  })

  it('are revoked by their own school, once and at once', async () => {
    const keys = keysAt()
    const { id, key } = await keys.issueApiKey(chat)
    expect(await keys.revokeApiKey({ school_id: otherSchool, id })).toBe(false)
    expect(await keys.find(key)).not.toBeNull()
    expect(await keys.revokeApiKey({ school_id: school, id })).toBe(true)
    expect(await keys.find(key)).toBeNull()
    expect(await keys.revokeApiKey({ school_id: school, id })).toBe(false)
    expect(await keys.listApiKeys(school)).toMatchObject([{ id, revoked_at: at.clock.now() }])
  })

  it('of another station are known within seconds, and forgotten so when it revokes them', async () => {
    const [here, there] = [keysAt(), keysAt()]
    expect(await there.find('something')).toBeNull()
    const { id, key } = await here.issueApiKey(chat)
    at.clock.advance(seconds(5))
    expect(await there.find(key)).not.toBeNull()
    await here.revokeApiKey({ school_id: school, id })
    at.clock.advance(seconds(5))
    expect(await there.find(key)).toBeNull()
  })
})

describe('a key', () => {
  beforeEach(async () => void (at = await intakeSchool()))

  it('that is revoked while in use is refused from then on', async () => {
    const keys = keysAt()
    const { id, key } = await keys.issueApiKey(chat)
    const app = buildIntakeServer({ ...at.serverOptions(''), findCaller: keys.find })
    const start = async () =>
      (await app.inject({ method: 'POST', url: '/sessions', headers: { 'x-api-key': key }, payload: { user_id: 'a' } }))
        .statusCode
    expect(await start()).toBe(201)
    await keys.revokeApiKey({ school_id: school, id })
    expect(await start()).toBe(401)
    await app.close()
  })

  it('that was known holds while the database is away: a crisis is answered also then', async () => {
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    expect(await keys.find(key)).not.toBeNull()
    await at.store.close()
    at.clock.advance(seconds(60))
    expect(await keys.find(key)).toMatchObject({ school_id: school })
  })

  it('that came later than the last look is not called unknown while the database is away', async () => {
    const [here, there] = [keysAt(), keysAt()]
    const { key: early } = await here.issueApiKey(chat)
    expect(await there.find(early)).not.toBeNull()
    const { key: late } = await here.issueApiKey({ ...chat, label: 'later' })
    await at.store.close()
    at.clock.advance(seconds(60))
    await expect(there.find(late)).rejects.toThrow(DatabaseGone)
    expect(await there.find(early)).not.toBeNull()
  })

  it('that nobody could look up is refused with 503, and a crisis with the protocol; without danger nothing is said', async () => {
    const metrics = createMetrics(at.clock, { ofProcess: false })
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    const app = buildIntakeServer({ ...at.serverOptions(''), findCaller: keys.find, metrics })
    await at.store.close()
    const call = (url: string, payload: object) =>
      app.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload })
    const say = (content: string, sender = 'user') => call('/sessions/some-session/messages', { sender, content })
    for (const content of [crisisWords, `${'la '.repeat(100_000)}${crisisWords}`.slice(-250_000)]) {
      const refused = await say(content)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
      expect(refused.json()).toMatchObject({ details: { tier: 'crisis', reply: protocolReply } })
    }
    expect((await say('hello')).json()).not.toHaveProperty('details.tier')
    expect((await say(crisisWords, 'system')).json()).not.toHaveProperty('details.tier')
    expect((await say('hello')).statusCode).toBe(503)
    expect((await call('/sessions', { user_id: 'a' })).statusCode).toBe(503)
    const figures = await metrics.text()
    expect(figures).toMatch(/^psyflo_crises_of_unknown_callers_total 2$/m)
    // Anybody could page people with it.
    expect(figures).toMatch(/^psyflo_crises_unattended_total 0$/m)
    expect(JSON.stringify(at.entries)).not.toContain(crisisWords)
    await app.close()
  })

  it('that nobody could look up is slowed down by address, and little of a long text is read', async () => {
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    expect(await keys.find(key)).not.toBeNull()
    const app = buildIntakeServer({ ...at.serverOptions(''), findCaller: keys.find })
    const { session_id } = await at.intake.startSession({ user_id: 'student-1' })
    await at.store.close()
    at.clock.advance(seconds(60))
    const say = async (presented: string, content: string) =>
      (
        await app.inject({
          method: 'POST',
          url: `/sessions/${session_id}/messages`,
          headers: { 'x-api-key': presented },
          payload: { sender: 'user', content },
        })
      ).statusCode
    const statuses: number[] = []
    for (let number = 0; number < 100; number++) statuses.push(await say(`a-key-of-nobody-${number}`, crisisWords))
    expect(statuses).toEqual([...Array<number>(60).fill(503), ...Array<number>(40).fill(429)])
    expect(at.engine.asked).toHaveLength(60)
    // A known key from the same address is not slowed down.
    expect(await say(key, crisisWords)).toBe(503)
    at.clock.advance(seconds(1))
    at.engine.asked.length = 0
    expect(await say('a-key-of-nobody', 'la '.repeat(300_000))).toBe(503)
    expect(at.engine.asked.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(40_000)
    await app.close()
  })

  it('that is known and whose crisis could not be kept is counted as such', async () => {
    const metrics = createMetrics(at.clock, { ofProcess: false })
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    expect(await keys.find(key)).not.toBeNull()
    const app = buildIntakeServer({ ...at.serverOptions(''), findCaller: keys.find, metrics })
    const { session_id } = await at.intake.startSession({ user_id: 'student-1' })
    await at.store.close()
    at.clock.advance(seconds(60))
    for (const content of [crisisWords, 'hello'])
      await app.inject({
        method: 'POST',
        url: `/sessions/${session_id}/messages`,
        headers: { 'x-api-key': key },
        payload: { sender: 'user', content },
      })
    expect(await metrics.text()).toMatch(/^psyflo_crises_unattended_total 1$/m)
    await app.close()
  })

  it('that was revoked while a look at the database was under way opens nothing from then on', async () => {
    const held = Promise.withResolvers<void>()
    let hold = false
    const asStation: StationStore['asStation'] = async (work, options) => {
      const answer = await at.store.asStation(work, options)
      if (hold) await held.promise
      return answer
    }
    const keys = issuedKeys({
      ...{ store: { ...at.store, asStation }, clock: at.clock, randomness: systemRandomness },
      ensureSchool: at.options.secretsOf,
    })
    const { id, key } = await keys.issueApiKey(chat)
    hold = true
    const looking = keys.find(key)
    // It has read the key as it was, and is told so only once the key is revoked.
    await at.store.asStation(() => Promise.resolve())
    expect(await keys.revokeApiKey({ school_id: school, id })).toBe(true)
    hold = false
    held.resolve()
    expect(await looking).toBeNull()
    expect(await keys.find(key)).toBeNull()
  })

  it('that was known holds also where another was issued or revoked just before the database went away', async () => {
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    const other = await keys.issueApiKey({ ...chat, label: 'another' })
    expect(await keys.find(key)).not.toBeNull()
    await keys.issueApiKey({ ...chat, label: 'a third' })
    await keys.revokeApiKey({ school_id: school, id: other.id })
    await at.store.close()
    expect(await keys.find(key)).toMatchObject({ school_id: school })
    await expect(keys.find(other.key)).rejects.toThrow(DatabaseGone)
  })

  it('is not called unknown where nobody could look', async () => {
    const keys = keysAt()
    const { key } = await keys.issueApiKey(chat)
    await at.store.close()
    await expect(keys.find(key)).rejects.toThrow()
  })
})
