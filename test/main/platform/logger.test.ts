import { describe, expect, it } from 'vitest'
import { createLogger, withoutPrivate } from '../../../main/platform/logger.ts'

describe('the log', () => {
  it('keeps figures, codes and short words', () => {
    const fields = { count: 3, took_ms: 12.5, code: 'EACCES', ok: true, none: null }
    expect(withoutPrivate(fields)).toEqual(fields)
  })

  it('removes whatever could be a student’s words, a name, an identifier or a secret, at any depth', () => {
    const written = JSON.stringify(
      withoutPrivate({
        content: 'I told nobody',
        reason: 'I told nobody',
        what: 'I told nobody'.repeat(10),
        id: '0b0c4f8e-6a57-4a4f-9a52-3d1f6f6b6f10',
        digest: 'ab'.repeat(32),
        nested: { note: 'I told nobody', list: ['ab'.repeat(32)], deep: { deeper: { deepest: 'I told nobody' } } },
        passphrase: 'short',
      }),
    )
    expect(written).not.toMatch(/told nobody|0b0c4f8e|abab|short/)
  })

  it('keeps an error’s kind and place but never its message', () => {
    const error = Object.assign(new TypeError('Unexpected token in "I told nobody"'), { code: 'ERR_PARSE' })
    const written = withoutPrivate({ error })
    expect(written).toMatchObject({ error: { error: 'TypeError', code: 'ERR_PARSE' } })
    expect(JSON.stringify(written)).toContain('logger.test.ts')
    expect(JSON.stringify(written)).not.toContain('told nobody')
  })

  it('writes one line of JSON, warnings and worse', () => {
    const lines: string[] = []
    const logger = createLogger('warn', { write: (line: string) => void lines.push(line) })
    logger.info({ count: 1 }, 'started')
    logger.warn({ count: 2, content: 'I told nobody' }, 'slow')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'slow', count: 2, content: '[removed]' })
  })
})
