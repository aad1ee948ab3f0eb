/** Events of a made-up district, the same at every run. */
import { createHash } from 'node:crypto'
import type { WireEvent } from '../../shared/events.ts'

type Wire<Type extends WireEvent['event_type']> = Extract<WireEvent, { event_type: Type }>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
export const studentHash = (student: number) => hashOf(`student ${student}`)
export const sessionId = (session: number) => {
  const hash = hashOf(`session ${session}`)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

export function crisisDetected(session: string, student_hash: string, at: number): Wire<'CRISIS_DETECTED'> {
  return {
    event_type: 'CRISIS_DETECTED',
    session_id: session,
    student_hash,
    consensus_score: 0.93,
    risk_level: 'CRISIS',
    matched_patterns: ['suicidal_intent'],
    reasoning: 'Explicit statement of intent.',
    timestamp: new Date(at).toISOString().replace('Z', ''),
    idempotency_key: `${session}-${Math.floor(at / 1000)}`,
  }
}

/** As the pipeline sends it: signals, markers and an envelope of the size of a short message. */
export function messageAnalyzed(
  session: string,
  student_hash: string,
  sequence: number,
  at: number,
  tier: 'ok' | 'caution' | 'high' | 'crisis' = 'ok',
): Wire<'MESSAGE_ANALYZED'> {
  const message_id = `${session}:${sequence}`
  const score = { ok: 0.08, caution: 0.4, high: 0.72, crisis: 0.95 }[tier] + (sequence % 7) / 200
  return {
    schema_version: 1,
    event_type: 'MESSAGE_ANALYZED',
    event_id: message_id,
    idempotency_key: message_id,
    timestamp: new Date(at).toISOString(),
    occurred_at: new Date(at).toISOString(),
    session_id: session,
    student_hash,
    message_id,
    sequence,
    role: sequence % 2 === 0 ? 'student' : 'assistant',
    score,
    level: tier === 'crisis' ? 'CRISIS' : tier === 'ok' ? 'SAFE' : 'CAUTION',
    tier,
    decided_by: 'consensus',
    matched_patterns: tier === 'ok' ? [] : ['hopelessness'],
    signals: { regex: score, semantic: score, history: 0 },
    sentiment: -0.2,
    markers: tier === 'ok' ? [] : [{ marker_type: 'PHQ9_ITEM_2', confidence: 0.7, start: 3, end: 20 }],
    flagged: tier === 'ok' ? [] : [{ start: 3, end: 20, category: 'hopelessness' }],
    content: {
      ciphertext: Buffer.alloc(180, 7).toString('base64'),
      encrypted_key: Buffer.alloc(60, 7).toString('base64'),
    },
    latency_ms: 3,
  }
}

/**
 * A morning's backlog of a district: sessions of ten events, some caution, few high, a crisis in a
 * hundred events. Times lie in the last hour, oldest first.
 */
export function backlog(count: number, now: number): WireEvent[] {
  const start = now - 3_600_000
  return Array.from({ length: count }, (_, index) => {
    const session = sessionId(1_000_000 + Math.floor(index / 10))
    const student = studentHash(Math.floor(index / 10) % 5000)
    const at = start + Math.floor((index / count) * 3_500_000)
    const step = index % 10
    if (step === 0) {
      return {
        schema_version: 1,
        event_type: 'SESSION_STARTED',
        idempotency_key: `start-${session}`,
        timestamp: new Date(at).toISOString(),
        session_id: session,
        student_hash: student,
        metadata: { locale: 'en', channel: 'web' },
      }
    }
    if (index % 100 === 55) return crisisDetected(session, student, at)
    const tier = index % 50 === 21 ? 'high' : index % 12 === 4 ? 'caution' : 'ok'
    return messageAnalyzed(session, student, step, at, step % 2 === 0 ? tier : 'ok')
  })
}
