import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DetectionFiles, Engine } from '../../../main/analysis/index.ts'
import { loadEngine, openAssessment, type RunningAssessment } from '../../../main/assessment/index.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { detectionFiles as good, said } from '../../evaluation/engine.ts'
import { recordingLogger } from '../../support/intake-school.ts'

const edited = (from: RegExp, to: string): DetectionFiles => ({
  ...good,
  'consensus.yaml': Buffer.from(Buffer.from(good['consensus.yaml']!).toString().replace(from, to)),
})
const broken = edited(/regex: *0\.4\d*/, 'regex: 7')
const newer = edited(/version: [\d.]+/, 'version: 9.0.0')
const tierOf = (engine: Engine) => engine.assess(said('I want to end my life')).tier
const versionOf = ({ versions }: Engine) => versions.find(({ file }) => file === 'consensus.yaml')!.version

let dataDir: string
let logged: ReturnType<typeof recordingLogger>
const open = (read: () => DetectionFiles): Promise<RunningAssessment> =>
  openAssessment({
    clinical: null,
    embedderDir: null,
    dataDir,
    clock: systemClock,
    logger: logged.logger,
    loaded: loadEngine(read),
  })
const lastGood = (...path: string[]) => join(dataDir, 'detection-last-good', ...path)
/** The copy by its digest, and what points to it. */
const kept = () => readdirSync(lastGood()).sort((a, b) => Number(a === 'current') - Number(b === 'current'))
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assessment-'))
  logged = recordingLogger()
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('a broken file is refused with its name, path and value, and the last good ones stay in force', async () => {
  let files = good
  const assessment = await open(() => files)
  files = broken
  expect(assessment.reload()?.happened).toMatch(/consensus\.yaml .*weights.*regex.*7/)
  expect(assessment.state().problem?.code).toBe('detection_file')
  expect(tierOf(assessment.engine)).toBe('crisis')
  files = good
  expect(assessment.reload()).toBeNull()
  expect(assessment.state().problem).toBeNull()
})

it('whoever holds the engine asks the one in force', async () => {
  let files = good
  const { engine, reload, state } = await open(() => files)
  files = newer
  reload()
  expect(versionOf(engine)).toBe('9.0.0')
  expect(state().versions).toEqual(engine.versions)
})

it('a start with a broken file goes on with what was good before, and says so', async () => {
  await open(() => good)
  const assessment = await open(() => broken)
  expect(assessment.state().problem?.code).toBe('detection_file')
  expect(tierOf(assessment.engine)).toBe('crisis')
})

it('a first start with a broken file is refused', async () => {
  await expect(open(() => broken)).rejects.toThrow(/consensus\.yaml/)
})

it('keeps the newest good files, once, and no others', async () => {
  await open(() => good)
  const [digest, pointer] = kept()
  expect(pointer).toBe('current')
  expect(readFileSync(lastGood('current'), 'utf8')).toBe(digest)
  writeFileSync(lastGood(digest!, 'unchanged'), '')
  await open(() => good)
  expect(readdirSync(lastGood(digest!))).toContain('unchanged')
  await open(() => newer)
  expect(kept()).toHaveLength(2)
  expect(kept()).not.toContain(digest)
  expect(versionOf((await open(() => broken)).engine)).toBe('9.0.0')
})

it('a copy of which a byte is another never comes into force', async () => {
  await open(() => good)
  writeFileSync(lastGood(kept()[0]!, 'markers.yaml'), 'version: 1.0.0')
  await expect(open(() => broken)).rejects.toThrow(/consensus\.yaml/)
})

it('what was left of a copy that was not finished is in nobody’s way', async () => {
  await open(() => good)
  const [digest] = kept()
  const { 'markers.yaml': _, ...half } = newer
  for (const [name, bytes] of Object.entries(half)) writeFileSync(lastGood(digest!, name), bytes)
  await expect(open(() => broken)).rejects.toThrow()
  await open(() => newer)
  expect(versionOf((await open(() => broken)).engine)).toBe('9.0.0')
})

it('a data directory that cannot be written to keeps no copy and stops nothing', async () => {
  writeFileSync(lastGood(), 'a file where the folder should be')
  expect(tierOf((await open(() => good)).engine)).toBe('crisis')
  expect(logged.entries).toMatchObject([{ level: 'warn', message: expect.stringContaining('could not be kept') }])
})
