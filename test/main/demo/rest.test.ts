import { afterEach, beforeEach, expect, it } from 'vitest'
import { restIntake } from '../../../main/demo/index.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import { crisisWords, intakeSchool, protocolReply, type IntakeSchool } from '../../support/intake-school.ts'

const key = 'key-of-the-desk-0001'
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
beforeEach(async () => {
  at = await intakeSchool()
  served = await serveIntake(at.serverOptions(key), { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await served.close()
  await at.close()
})

const live = (apiKey = key) =>
  restIntake({ origin: served.url, apiKey, clock: at.clock, signal: new AbortController().signal })
const metadata = { locale: 'en-US', channel: 'web', device: 'phone' }
const words = (session_id: string, content: string) =>
  ({ session_id, sender: 'user', content, client_message_id: 'm1' }) as const

it('starts, sends and ends as a chat does, and hears the protocol reply', async () => {
  const { session_id } = await live().startSession({ user_id: 'NG-1001', metadata })
  expect((await at.intake.session(session_id)).metadata).toEqual(metadata)
  expect(await live().send(words(session_id, crisisWords))).toMatchObject({ reply: protocolReply })
  await live().endSession({ session_id })
  expect((await at.intake.session(session_id)).status).toBe('ended')
})

it('says that it was refused and nothing of the words', async () => {
  await expect(live('another key').startSession({ user_id: 'NG-1001', metadata })).rejects.toMatchObject({
    failure: 401,
  })
  const sending = live().send(words('no such session', 'xx-words-of-a-student-xx'))
  await expect(sending).rejects.toMatchObject({ failure: 404 })
  await expect(sending).rejects.not.toThrow('xx-words')
})
