import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildEngine, keepDetection } from '../../main/detection.ts'
import { readDetectionFiles } from '../../main/platform/detection-files.ts'
import { openRecord, type OpenRecord } from '../support/record.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const good = readDetectionFiles()
const broken = { ...good, 'consensus.yaml': (good['consensus.yaml'] ?? '').replace(/regex: *0\.4\d*/, 'regex: 7') }
const tierOf = (engine: ReturnType<typeof keepDetection>['engine']) =>
  engine.assess({ text: 'I want to end my life', at: 0, recent: [], history: [], previous: [] }).tier

it('a broken file is refused with its name, path and value, and the last good ones stay in force', () => {
  let files: Record<string, string> = good
  const detection = keepDetection(
    at.db,
    buildEngine(() => files),
    () => files,
  )
  files = broken
  expect(detection.reload()?.happened).toMatch(/consensus\.yaml .*weights.*regex.*7/)
  expect(tierOf(detection.engine)).toBe('crisis')
  files = good
  expect(detection.reload()).toBeNull()
})

it('a start with a broken file goes on with what was good before, and says so', () => {
  keepDetection(
    at.db,
    buildEngine(() => good),
    () => good,
  )
  const detection = keepDetection(
    at.db,
    buildEngine(() => broken),
    () => broken,
  )
  expect(detection.problem()?.code).toBe('detection_file')
  expect(tierOf(detection.engine)).toBe('crisis')
})

it('a first start with a broken file is refused', () => {
  expect(() =>
    keepDetection(
      at.db,
      buildEngine(() => broken),
      () => broken,
    ),
  ).toThrow(/consensus\.yaml/)
})
