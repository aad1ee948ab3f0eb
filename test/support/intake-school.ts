/** A school's intake on a real database, with a scripted engine and a clock that stands. */
import type { Assessment } from '../../shared/assessment.ts'
import { eventSchema, type ConsoleEvent } from '../../shared/events.ts'
import type { AssessmentInput, Engine, SummaryInput } from '../../main/analysis/index.ts'
import {
  callersOf,
  callerWith,
  parseApiKeys,
  schoolIntake,
  type ServerOptions,
} from '../../main/station/intake/index.ts'
import { openSecrets, type SchoolSecrets } from '../../main/station/school-secrets.ts'
import { createPipeline, type PipelineOptions } from '../../main/station/sessions/index.ts'
import type { Logger } from '../../main/platform/ports.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { wrappingWith } from '../../main/platform/envelope.ts'
import { detectionData } from '../evaluation/engine.ts'
import { openTestStore, type StoreKind } from './test-stores.ts'
import { virtualClock } from './virtual-clock.ts'

export const school = '11111111-2222-4333-8444-555555555555'
export const otherSchool = '99999999-2222-4333-8444-555555555555'
export const salt = 'salt of the school'
export const protocolReply = 'Call or text 988. Your school is being alerted now.'

/** Words that the scripted engine understands, anywhere in a text. */
export const crisisWords = 'xx-crisis-xx'
export const cautionWords = 'xx-caution-xx'
export const brokenWords = 'xx-engine-throws-xx'

export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  message: string
}

export async function intakeSchool(options: Partial<PipelineOptions> = {}, kind: StoreKind = 'file') {
  const database = await openTestStore(kind)
  const { store } = database
  const wrapping = wrappingWith(systemRandomness.bytes(32))
  const contentKey = systemRandomness.bytes(32)
  const secretsOf = secretsWith({ [school]: salt, [otherSchool]: 'salt of the other school' }, (id, given) =>
    openSecrets({ store, wrapping, randomness: systemRandomness, given: { salt: given, contentKey } }, [id]),
  )
  const key = (await secretsOf(school)).evidenceKey
  await secretsOf(otherSchool)
  const clock = virtualClock()
  const { logger, entries } = recordingLogger()
  const engine = scriptedEngine()
  const everything: PipelineOptions = {
    store,
    stationId: 'station-1',
    engine,
    services: null,
    clock,
    randomness: systemRandomness,
    logger,
    secretsOf,
    storeContent: true,
    bufferSize: 20,
    onQueued: () => undefined,
    ...options,
  }
  const pipeline = createPipeline(everything)
  const intakeOf = (id: string) => schoolIntake({ ...everything, pipeline }, id)
  const bodies = async () =>
    (await database.rows('SELECT body FROM outbox ORDER BY position')).map(({ body }) => String(body))
  return {
    ...database,
    intake: intakeOf(school),
    intakeOf,
    pipeline,
    options: everything,
    /** What a server of this intake is made of; keys as CONSULTX_API_KEYS holds them. */
    serverOptions(keys: string): ServerOptions {
      const callers = callersOf(parseApiKeys(keys), school)
      return {
        findCaller: async (presented) => callerWith(callers, presented),
        intakeOf,
        replyAlone: (sender, text) => pipeline.replyAlone(sender === 'user' ? 'student' : sender, text),
        isReady: () => store.isAnswering(),
        logger: everything.logger,
        clock: everything.clock,
        randomness: systemRandomness,
      }
    },
    key,
    clock,
    logger,
    entries,
    engine,
    /** Bodies in the outbox, in order, as they stand on the wire. */
    bodies,
    /** The same, parsed as the console parses them. */
    events: async (): Promise<ConsoleEvent[]> => (await bodies()).map((body) => eventSchema.parse(JSON.parse(body))),
  }
}

/** The secrets of schools whose salts the tests know. */
function secretsWith(
  salts: Record<string, string>,
  openWith: (schoolId: string, salt: string | null) => ReturnType<typeof openSecrets>,
): (schoolId: string) => Promise<SchoolSecrets> {
  const opened = new Map<string, Promise<SchoolSecrets>>()
  return (schoolId) => {
    const known = opened.get(schoolId)
    if (known) return known
    const secrets = openWith(schoolId, salts[schoolId] ?? null).then((all) => all.of(schoolId))
    opened.set(schoolId, secrets)
    return secrets
  }
}

export type IntakeSchool = Awaited<ReturnType<typeof intakeSchool>>

export function recordingLogger(): { logger: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = []
  const at = (level: LogEntry['level']) => (fields: Record<string, unknown>, message: string) =>
    void entries.push({ level, fields, message })
  return { logger: { info: at('info'), warn: at('warn'), error: at('error') }, entries }
}

/** An engine whose answers the tests know; it remembers what it was asked. */
export function scriptedEngine(): Engine & { asked: AssessmentInput[]; summarized: SummaryInput[] } {
  const asked: AssessmentInput[] = []
  const summarized: SummaryInput[] = []
  return {
    asked,
    summarized,
    versions: [],
    detection: detectionData.consensus,
    protocolReply,
    protocolReplyInSpanish: protocolReply,
    answerLanguage: () => 'english',
    clinicalPrompt: { version: '1.0.0', temperature: 0, top_p: 1, max_tokens: 150, system: 'JSON' },
    referencePhrases: [],
    assess(input) {
      asked.push(input)
      if (input.text.includes(brokenWords)) throw new Error(`cannot read ${input.text}`)
      return scripted(input.text)
    },
    assessWith: async (input) => scripted(input.text),
    summarize(session) {
      summarized.push(session)
      const tiers = { ok: 0, caution: 0, high: 0, crisis: 0 }
      for (const { role, tier } of session.messages) if (role === 'student') tiers[tier]++
      return {
        session_id: session.session_id,
        user_id: session.user_id,
        duration_seconds: Math.max(0, (session.ended_at - session.started_at) / 1000),
        message_count: session.messages.length,
        sentiment: { average: 0, trend: 'stable', bands: { positive: 0, neutral: 0, negative: 0 }, top: [] },
        risk: {
          highest_tier: tiers.crisis ? 'crisis' : tiers.high ? 'high' : tiers.caution ? 'caution' : 'ok',
          tier_counts: tiers,
          flagged_keywords: [],
        },
        suggested_resources: tiers.crisis ? [{ type: 'hotline', label: '988', link: 'tel:988' }] : [],
        notes: tiers.caution > 1 ? ['several negative messages in a row'] : [],
      }
    },
  }
}

function scripted(text: string): Assessment {
  const crisis = text.indexOf(crisisWords)
  const caution = text.indexOf(cautionWords)
  const start = Math.max(crisis, caution)
  const category = crisis >= 0 ? ('suicidal_ideation' as const) : ('hopelessness' as const)
  const found = start >= 0
  const score = crisis >= 0 ? 0.95 : caution >= 0 ? 0.7 : 0
  return {
    score,
    level: crisis >= 0 ? 'CRISIS' : found ? 'CAUTION' : 'SAFE',
    tier: crisis >= 0 ? 'crisis' : found ? 'caution' : 'ok',
    decided_by: crisis >= 0 ? 'floor' : 'consensus',
    about_other: false,
    signals: { regex: score, semantic: null, clinical: 0, history: 0 },
    degraded: ['semantic'],
    reasons: [{ signal: 'decision', text: 'Scripted.' }],
    matches: found
      ? [{ category, confidence: score, start, end: start + crisisWords.length, meaning: 'affirmed', signal: 'regex' }]
      : [],
    categories: found ? [category] : [],
    sentiment: found ? -0.8 : 0.4,
    markers: found ? [{ marker_type: 'PHQ9_ITEM_9', confidence: 0.9, start, end: start + 3 }] : [],
    notes: [],
  }
}
