import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLogFile } from '../../../main/platform/log-file.ts'
import { createLogger, loggerIn, withoutPrivate } from '../../../main/platform/logger.ts'

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

describe('the log file', () => {
  let dir: string
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'psyflo-log-'))))
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const written = (name = 'console') =>
    readFileSync(join(dir, 'logs', `${name}.log`), 'utf8')
      .trim()
      .split('\n')

  it('keeps what happened, and nothing private, for its owner only', () => {
    const logger = loggerIn(dir, { demo: false, logLevel: 'info' })
    logger.info({ status: 200, took_ms: 3, content: 'I told nobody' }, 'request')
    expect(written().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { msg: 'request', status: 200, took_ms: 3, content: '[removed]' },
    ])
    if (process.platform === 'win32') return
    expect(statSync(join(dir, 'logs')).mode & 0o77).toBe(0)
    expect(statSync(join(dir, 'logs', 'console.log')).mode & 0o77).toBe(0)
  })

  it('keeps no more than it is asked to, and a demonstration’s apart', () => {
    const logger = loggerIn(dir, { demo: true, logLevel: 'error' })
    logger.info({}, 'request')
    logger.warn({}, 'slow')
    logger.error({ code: 'EACCES' }, 'failed')
    expect(written('demonstration')).toHaveLength(1)
    expect(readdirSync(join(dir, 'logs'))).toEqual(['demonstration.log'])
  })

  it('goes on in the file of the last start, and never grows without end', () => {
    const line = `${'x'.repeat(39)}\n`
    for (let start = 0; start < 10; start += 1) {
      const file = openLogFile(dir, 'console', { largest: 100, kept: 2 })
      file.write(line)
      file.write(line)
    }
    const files = readdirSync(dir).sort()
    expect(files).toEqual(['console.1.log', 'console.2.log', 'console.log'])
    for (const file of files) expect(statSync(join(dir, file)).size).toBe(80)
  })

  it('writes into no other file where it cannot be opened again, and goes on when it can', () => {
    const logs = join(dir, 'logs')
    const file = openLogFile(logs, 'console', { largest: 100 })
    file.write(`${'x'.repeat(79)}\n`)
    rmSync(logs, { recursive: true })
    file.write(`${'y'.repeat(79)}\n`)
    // The numbers that are free now, the closed log file's among them.
    const others = ['a', 'b', 'c'].map((name) => openSync(join(dir, name), 'w'))
    try {
      file.write('dropped\n')
      for (const name of ['a', 'b', 'c']) expect(statSync(join(dir, name)).size).toBe(0)
      mkdirSync(logs)
      file.write('kept\n')
      expect(readFileSync(join(logs, 'console.log'), 'utf8')).toBe('kept\n')
    } finally {
      others.forEach(closeSync)
    }
  })

  it.skipIf(process.platform === 'win32')('follows no symbolic link to a file elsewhere', () => {
    writeFileSync(join(dir, 'elsewhere'), '')
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'console.log'))
    expect(() => openLogFile(dir, 'console')).toThrow('ELOOP')
    expect(statSync(join(dir, 'elsewhere')).size).toBe(0)
  })

  it('does without where it cannot be written', () => {
    writeFileSync(join(dir, 'logs'), 'a file where the folder would be')
    expect(() => loggerIn(dir, { demo: false, logLevel: 'error' }).info({}, 'request')).not.toThrow()
  })
})
