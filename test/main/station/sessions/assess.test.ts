import { describe, expect, it } from 'vitest'
import type { AssessmentPorts, Engine } from '../../../../main/analysis/index.ts'
import type { Logger } from '../../../../main/platform/ports.ts'
import { assessMessage } from '../../../../main/station/sessions/assess.ts'
import { engine, said } from '../../../evaluation/engine.ts'

const services = { timer: { after: () => () => {} } } as AssessmentPorts

/** A log that keeps every line it is given, as text. */
function keepingLog() {
  const lines: string[] = []
  const keep = (...line: unknown[]): void => void lines.push(JSON.stringify(line))
  return { lines, logger: { debug: keep, info: keep, warn: keep, error: keep } as unknown as Logger }
}

const failing = (): never => {
  throw new Error('I want to die')
}

describe('assessing a message', () => {
  it('falls back to the local signals when the assessment with services rejects', async () => {
    const { logger, lines } = keepingLog()
    const broken: Engine = { ...engine, assessWith: async () => failing() }
    const assessment = await assessMessage({ engine: broken, services, logger }, said('I want to die'))
    expect(assessment).toMatchObject({ tier: 'crisis', degraded: [] })
    expect(assessment.notes).toHaveLength(1)
    expect(lines).toHaveLength(1)
    expect(lines.join()).not.toContain('want')
  })

  it('is a degraded caution when nothing can read the message', async () => {
    const { logger, lines } = keepingLog()
    const broken: Engine = { ...engine, assess: failing, assessWith: async () => failing() }
    for (const given of [null, services]) {
      const assessment = await assessMessage({ engine: broken, services: given, logger }, said('I want to die'))
      expect(assessment).toMatchObject({ tier: 'caution', level: 'CAUTION' })
      expect(assessment.degraded).toHaveLength(4)
    }
    expect(lines.join()).not.toContain('want')
  })

  it('asks the local signals alone where no service is configured', async () => {
    const { logger, lines } = keepingLog()
    expect(await assessMessage({ engine, services: null, logger }, said('I want to die'))).toMatchObject({
      tier: 'crisis',
      notes: [],
    })
    expect(lines).toEqual([])
  })
})
