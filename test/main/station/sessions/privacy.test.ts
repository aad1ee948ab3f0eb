import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Assessment } from '../../../../shared/assessment.ts'
import type { AssessmentPorts, Engine } from '../../../../main/analysis/index.ts'
import { createLogger } from '../../../../main/platform/logger.ts'
import type { Logger } from '../../../../main/platform/ports.ts'
import { assessMessage } from '../../../../main/station/sessions/assess.ts'
import { createPipeline, Refusal, type Pipeline } from '../../../../main/station/sessions/index.ts'
import { findSession, messagesOf } from '../../../../main/store/station/index.ts'
import { engine, said } from '../../../evaluation/engine.ts'
import { intakeSchool, school as school_id, type IntakeSchool } from '../../../support/intake-school.ts'

/** What students may write, each with a mark of its own beside what the engine reads. */
const messages = {
  crisis: 'markzebra i want to kill myself tonight markyucca',
  high: 'i told markquince about cutting, my friend markquince wants to die',
  jest: 'lol this markfjord homework makes me want to die haha markfjord 😂',
  'another language': 'я очень устал, маркёлка, markyolka je ne veux plus vivre',
  'a script that is not read by words': '我想死 markbambus 今日はとても疲れました',
  megabyte: `${'i want to die markmammoth and so on '.repeat(30_000)}`,
  'broken Unicode': 'i want to die \ud83d markorphan\udc00 \u0000 \ufffe mark\u0301orphan \udfff',
  markup: '{"text": "markjason i give up"}\n<b>markjason</b> ${markjason} %s %o',
  harmless: 'i had a good day with markteapot',
} as const
const mark = /mark(?:[a-z]|\u0301){5,}|маркёлка/i

const timer = { after: () => () => undefined }
const quoting = (text: string): never => {
  throw new Error(`cannot read “${text}”`, { cause: text })
}
const manyServices: Record<string, AssessmentPorts | null> = {
  'local signals alone': null,
  'services that quote the student': {
    timer,
    clinical: { ask: async (text) => ({ score: 1, detected: true, marker: 'CRISIS', reasoning: text.slice(0, 200), patterns: [text.slice(0, 50)] }) },
  },
  'services that fail and quote the student': {
    timer,
    clinical: { ask: async (text) => quoting(text) },
    adapters: [{ name: 'test', assess: quoting }],
    similarity: { ready: () => true, compare: async (sentences) => quoting(sentences.join()) },
  },
  'services that answer with the student’s words': {
    timer,
    clinical: { ask: async (text) => text },
    adapters: [{ name: 'test', assess: (text) => text as unknown as { tier: 'ok' } }],
  },
} // prettier-ignore
const engines: Record<string, Engine> = {
  'an engine in order': engine,
  'an engine that fails and quotes the student': {
    ...engine,
    assess: ({ text }) => quoting(text),
    assessWith: async ({ text }) => quoting(text),
  },
  'an engine that throws the student’s words': {
    ...engine,
    assess: ({ text }) => {
      throw text
    },
    assessWith: ({ text }) => Promise.reject(text as unknown as Error),
  },
}
const each = Object.entries(engines).flatMap(([withEngine, given]) =>
  Object.entries(manyServices).map(([withServices, services]) => [withEngine, withServices, given, services] as const),
)

/** The log as it is written, and what was handed to it before its own tidying. */
function capturedLog() {
  const written: string[] = []
  const handed: string[] = []
  const lines = createLogger('info', { write: (line: string) => void written.push(line) })
  const at = (level: keyof Logger) => (fields: Record<string, unknown>, message: string) => {
    handed.push(everythingIn([fields, message]))
    lines[level](fields, message)
  }
  const logger: Logger = { info: at('info'), warn: at('warn'), error: at('error') }
  return { logger, written, all: () => [...written, ...handed].join('\n') }
}

/** A value as text, with what JSON leaves out of errors. */
function everythingIn(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Error
      ? { ...inner, name: inner.name, message: inner.message, stack: inner.stack, cause: inner.cause }
      : inner,
  )
}
const told = ({ notes, reasons }: Pick<Assessment, 'notes' | 'reasons'>) => everythingIn([notes, reasons])

it.each(each)('%s with %s: no words in a log line, a note or a reason', async (_, __, given, services) => {
  const { logger, all } = capturedLog()
  for (const text of Object.values(messages)) {
    // What was said before is known, too.
    const recent = [{ role: 'student' as const, text: messages.high }]
    const decided = await assessMessage({ engine: given, services, logger }, said(text, { recent }))
    expect(decided.reasons.length).toBeGreaterThan(0)
    expect(told(decided)).not.toMatch(mark)
  }
  expect(all()).not.toMatch(mark)
  expect(all()).not.toContain('[removed]')
})

describe.each(each)('a session of %s with %s', (_, __, given, services) => {
  let at: IntakeSchool
  let pipeline: Pipeline
  let session_id: string
  let logged: ReturnType<typeof capturedLog>
  beforeEach(async () => {
    logged = capturedLog()
    at = await intakeSchool()
    pipeline = createPipeline({
      ...at.options,
      engine: given,
      logger: logged.logger,
      services,
    })
    session_id = (await pipeline.start({ school_id, student_hash: 'a'.repeat(64), metadata: {} })).session_id
  })
  afterEach(() => at.close())

  const say = (content: string, more: object = {}) =>
    pipeline.receive({ school_id, session_id, role: 'student', content, ...more }).then(
      () => null,
      (error: unknown) => error,
    )

  it('leaves no words in its log, its notes and reasons, and what it throws', { timeout: 60_000 }, async () => {
    const thrown: unknown[] = []
    for (const text of Object.values(messages)) thrown.push(await say(text))
    thrown.push(await say(messages.crisis, { client_message_id: 'twice' }))
    thrown.push(await say(messages.jest, { client_message_id: 'twice' }))
    thrown.push(await say(messages.crisis, { session_id: 'markunknown' }))
    await pipeline.receive({ school_id, session_id, role: 'assistant', content: messages.high })
    expect(everythingIn(await pipeline.end({ school_id, session_id }))).not.toMatch(mark)
    for (const text of Object.values(messages)) thrown.push(await say(text))
    await at.run('DROP TABLE outbox')
    thrown.push(await say(messages.crisis), await say(messages['broken Unicode']))

    const refusals = thrown.filter((error) => error !== null)
    expect(refusals.length).toBeGreaterThan(4)
    for (const error of refusals) {
      expect(error).toBeInstanceOf(Refusal)
      expect(everythingIn(error)).not.toMatch(mark)
    }
    const kept = await at.store.asStation((unit) => messagesOf(unit, { school_id, session_id }))
    expect(kept.length).toBeGreaterThan(8)
    for (const { assessment } of kept) if (assessment) expect(told(assessment)).not.toMatch(mark)
    const session = await at.store.asStation((unit) => findSession(unit, { school_id, session_id }))
    expect(everythingIn(session?.notes)).not.toMatch(mark)
    expect(logged.written.length).toBeGreaterThan(0)
    expect(logged.all()).not.toMatch(mark)
    // The log’s own tidying must not be what saves us: nothing was there to remove.
    expect(logged.all()).not.toContain('[removed]')
  })
})
