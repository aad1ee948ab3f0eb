import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveIntake } from '../../../../main/station/intake/index.ts'
import { createLogger } from '../../../../main/platform/logger.ts'
import type { Logger } from '../../../../main/platform/ports.ts'
import { brokenWords, crisisWords, intakeSchool, type IntakeSchool } from '../../../support/intake-school.ts'
import { onEachStore } from '../../../support/test-stores.ts'

const key = 'marked-key-0123456789'
const mark = 'MARKED-words-of-a-student'
const student = 'MARKED-student-id'

onEachStore((kind) => {
  let at: IntakeSchool
  beforeEach(async () => void (at = await intakeSchool({}, kind)))
  afterEach(() => at.close())

  it('no word, id, hash or key goes into a log line, a refusal or a plain file, on any path', async () => {
    const written: string[] = []
    const lines = createLogger('info', { write: (line: string) => void written.push(line) })
    const logger: Logger = {
      info: (fields, message) => (at.logger.info(fields, message), lines.info(fields, message)),
      warn: (fields, message) => (at.logger.warn(fields, message), lines.warn(fields, message)),
      error: (fields, message) => (at.logger.error(fields, message), lines.error(fields, message)),
    }
    const limited = { ...at.serverOptions(key), logger, rateLimit: { perSecond: 1, burst: 16 } }
    const served = await serveIntake(limited, { host: '127.0.0.1', port: 0 })
    const refusals: string[] = []
    const call = async (method: string, path: string, body?: string, type = 'application/json', bearer = key) => {
      const response = await fetch(`${served.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      if (!response.ok) refusals.push(text)
      return text
    }
    const { session_id } = JSON.parse(await call('POST', '/sessions', JSON.stringify({ user_id: student }))) as {
      session_id: string
    }
    const path = `/sessions/${session_id}`
    const say = (content: string, more: object = {}) =>
      call('POST', `${path}/messages`, JSON.stringify({ sender: 'user', content, ...more }))

    await say(mark)
    await say(`${mark} ${crisisWords}`)
    await say(`${mark} ${brokenWords}`)
    await say(mark.repeat(1000))
    await say(mark.repeat(50_000))
    await say(mark, { client_message_id: 'twice' })
    await say(`${mark} other`, { client_message_id: 'twice' })
    await say(mark, { sender: mark })
    await call('POST', `${path}/messages`, `{"content": "${mark}`)
    await call('POST', `${path}/messages`, mark, 'text/plain')
    await call('POST', `/sessions/${mark}/messages?${mark}`, '{}')
    await call('GET', `/sessions?user_id=${student}&status=${mark}`)
    await call('GET', `/${mark}`)
    await call('GET', path, undefined, undefined, mark)
    await call('POST', `${path}/end`)
    await say(`${mark} ${crisisWords}`)
    while ((await call('GET', path)).includes(session_id)) continue
    await say(`${mark} ${crisisWords}`)
    await at.run('DROP TABLE outbox')
    at.clock.advance(60_000)
    await say(`${mark} ${crisisWords}`)
    await served.close()

    const hash = String((await at.rows('SELECT student_hash FROM sessions'))[0]?.student_hash)
    const logged = `${JSON.stringify(at.entries)}${written.join('')}`
    expect(at.entries.length).toBeGreaterThan(20)
    expect(refusals.length).toBeGreaterThan(8)
    for (const secret of [mark, student, hash, session_id, key, crisisWords]) {
      expect(logged).not.toContain(secret)
      expect(refusals.join('\n')).not.toContain(secret)
      for (const file of readdirSync(at.folder))
        expect(readFileSync(join(at.folder, file)).includes(secret)).toBe(false)
    }
    // The log’s own tidying must not be what saves us: nothing was there to remove.
    expect(written.join('')).not.toContain('[removed]')
  })
})
