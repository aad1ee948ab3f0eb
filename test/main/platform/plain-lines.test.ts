import pino from 'pino'
import { expect, it } from 'vitest'
import { createLogger } from '../../../main/platform/logger.ts'
import { plainLines } from '../../../main/platform/plain-lines.ts'

/** What a terminal shows of these lines, without the clock time. */
function terminal() {
  const shown: string[] = []
  const plain = plainLines({ write: (line) => void shown.push(line.replace(/^\d\d:\d\d:\d\d /, '')) })
  return { shown, plain, logger: createLogger('warn', plain) }
}

it('a terminal is told in a sentence, with neither JSON nor stack nor anything private', () => {
  const { shown, logger } = terminal()
  const error = Object.assign(new RangeError('I told nobody'), { code: 'ECONNREFUSED' })
  logger.warn({ error, waiting: 3, content: 'I told nobody' }, 'could not send')
  logger.error({}, 'nothing gets through')
  logger.info({}, 'request')
  expect(shown).toEqual([
    'Warning: could not send (RangeError, ECONNREFUSED, waiting 3).\n',
    'Error: nothing gets through.\n',
  ])
})

it('is not told the same again and again, but again after a while', () => {
  const { shown, plain } = terminal()
  let minute = 0
  const timestamp = () => `,"time":"${new Date(minute * 60_000).toISOString()}"`
  const logger = pino({ base: null, timestamp }, plain)
  for (; minute < 21; minute += 1) logger.warn('the queue does not answer')
  logger.warn('the topic does not answer')
  expect(shown).toHaveLength(4)
})
