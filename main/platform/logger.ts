import { join } from 'node:path'
import pino, { type DestinationStream } from 'pino'
import { openLogFile } from './log-file.ts'
import { plainLines } from './plain-lines.ts'
import type { Logger } from './ports.ts'

/** Names of fields that could carry a student's words, a person's name or a secret. */
const personal =
  /text|content|message|body|reason|evidence|note|name|student|session|hash|person|phone|contact|passphrase|token|secret|key|cookie|url|path/i

/** A digest, a UUID or anything long enough to be a sentence has no place in a log. */
const identifier = /[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const removed = '[removed]'

export type LogLevel = 'info' | 'warn' | 'error'

/** Lines from `level` on: by default warnings and worse, in words on standard error; as JSON to any other destination. */
export function createLogger(level: LogLevel = 'warn', destination: DestinationStream = terminal()): Logger {
  return withoutPrivateFields(pino({ ...form, level }, destination))
}

/**
 * The logger of a program on this data directory: warnings and worse in words on the terminal, which people read
 * while something is wrong, and everything from `level` on as JSON in `logs/PROGRAM.log` (a demonstration:
 * `logs/demonstration.log`), which is read afterwards.
 */
export function loggerIn(
  dataDir: string,
  { demo, logLevel: level }: { demo: boolean; logLevel: LogLevel },
  program: 'console' | 'station' = 'console',
): Logger {
  const warnings = level === 'info' ? 'warn' : level
  try {
    const file = openLogFile(join(dataDir, 'logs'), demo ? 'demonstration' : program)
    const streams = [
      { level: warnings, stream: terminal() },
      { level, stream: file },
    ] as const
    return withoutPrivateFields(pino({ ...form, level }, pino.multistream([...streams])))
  } catch (error) {
    const logger = createLogger(warnings)
    logger.error({ error }, 'the log file cannot be written')
    return logger
  }
}

const form = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
const terminal = () => plainLines(pino.destination({ dest: 2, sync: true }))

/** Logs hold figures and codes only: every field passes `withoutPrivate`, whoever wrote the call. */
function withoutPrivateFields(logger: pino.Logger): Logger {
  return {
    info: (fields, message) => logger.info(withoutPrivate(fields), message),
    warn: (fields, message) => logger.warn(withoutPrivate(fields), message),
    error: (fields, message) => logger.error(withoutPrivate(fields), message),
  }
}

/** The fields that may be written: figures, codes, short words. Errors keep their name and code, never their message. */
export function withoutPrivate(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const figure = typeof value === 'number' || typeof value === 'boolean'
      return [name, personal.test(name) && !figure ? removed : tidy(value, depth)]
    }),
  )
}

function tidy(value: unknown, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return value.length > 80 || identifier.test(value) ? removed : value
  if (value instanceof Error) return describe(value)
  if (depth >= 2) return removed
  if (Array.isArray(value)) return value.slice(0, 20).map((each) => tidy(each, depth + 1))
  if (typeof value === 'object') return withoutPrivate(value as Record<string, unknown>, depth + 1)
  return removed
}

/** Name, code and where it was thrown; an error's message may quote what it choked on. */
function describe(error: Error): Record<string, unknown> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const at = (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line))
  return { error: error.name, code, at: at?.trim().replace(/\(?(?:file:\/\/)?[^() ]*[\\/]([^\\/]+:\d+:\d+)\)?/, '$1') }
}
