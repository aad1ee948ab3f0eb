import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { announceIntake, deskKey, findDemonstration, findIntake } from '../../../main/platform/intake-address.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runtime-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('the desk makes one key, keeps it, and lets only its owner read it', () => {
  const key = deskKey(folder, systemRandomness)
  expect(key.length).toBeGreaterThanOrEqual(43)
  expect(deskKey(folder, systemRandomness)).toBe(key)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'intake.key')).mode & 0o777).toBe(0o600)
})

it('a running intake is found with its key, and no more once it has gone', () => {
  const key = deskKey(folder, systemRandomness)
  expect(findIntake(folder)).toBeNull()
  const withdraw = announceIntake(folder, { url: 'http://127.0.0.1:4321', pid: process.pid })
  expect(findIntake(folder)).toEqual({ url: 'http://127.0.0.1:4321', key })
  withdraw()
  expect(findIntake(folder)).toBeNull()
})

it('that of a demonstration is found in the folder of its run, beside what older runs have left', () => {
  expect(findDemonstration(folder)).toBeNull()
  deskKey(join(folder, 'demo', 'an-older-run'), systemRandomness)
  const run = join(folder, 'demo', 'this-run')
  const key = deskKey(run, systemRandomness)
  expect(findDemonstration(folder)).toBeNull()
  announceIntake(run, { url: 'http://127.0.0.1:4321', pid: process.pid })
  expect(findDemonstration(folder)).toEqual({ url: 'http://127.0.0.1:4321', key })
  expect(findIntake(folder)).toBeNull()
})

it('what a killed process left behind is not taken for a running one', () => {
  deskKey(folder, systemRandomness)
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  announceIntake(folder, { url: 'http://127.0.0.1:4321', pid })
  expect(findIntake(folder)).toBeNull()
})
