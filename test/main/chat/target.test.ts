import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findTarget } from '../../../main/chat/index.ts'
import { UsageError } from '../../../main/configuration/index.ts'
import { announceIntake, deskKey } from '../../../main/platform/intake-address.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'target-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const url = 'http://127.0.0.1:4001'
const announce = (folder = dir, at = url) => {
  const withdraw = announceIntake(folder, { url: at, pid: process.pid })
  return { key: deskKey(folder, systemRandomness), withdraw }
}
const named = { CONSULTX_API_KEYS: 'key-of-the-chat-0001,key-of-the-chat-0002' }

it('is the console that runs on the data directory, with its own key, be it a demonstration or not', () => {
  const { key, withdraw } = announce()
  expect(findTarget({ 'data-dir': dir }, named)()).toEqual({ url, key })
  expect(findTarget({}, { PSYFLO_DATA_DIR: dir })()).toEqual({ url, key })
  expect(findTarget({ 'data-dir': dir, key: 'another' }, {})()).toEqual({ url, key: 'another' })
  withdraw()
  const demonstration = announce(join(dir, 'demo', 'a-run'))
  expect(findTarget({ 'data-dir': dir }, {})()).toEqual({ url, key: demonstration.key })
})

it('is found again where the console was started again, and kept while it is away', () => {
  const { key, withdraw } = announce()
  const target = findTarget({ 'data-dir': dir }, {})
  withdraw()
  expect(target()).toEqual({ url, key })
  announce(dir, 'http://127.0.0.1:4002')
  expect(target()).toEqual({ url: 'http://127.0.0.1:4002', key })
})

it('is the one that is named, with the key that is named, else of the environment, else of the console there', () => {
  const options = { url: `${url}/`, 'data-dir': dir }
  expect(findTarget({ ...options, key: 'mine' }, named)()).toEqual({ url: `${url}/`, key: 'mine' })
  expect(findTarget(options, named)()).toEqual({ url: `${url}/`, key: 'key-of-the-chat-0001' })
  expect(() => findTarget(options, {})).toThrowError(UsageError)
  const { key } = announce()
  expect(findTarget(options, {})()).toEqual({ url: `${url}/`, key })
  // Its key is given to no other program.
  expect(() => findTarget({ ...options, url: 'http://127.0.0.1:4009' }, {})).toThrowError(UsageError)
})

it('is refused where it is no address, and where nothing runs, with what to do', () => {
  for (const wrong of ['ftp://x', 'x', 'http://', 'http://a b'])
    expect(() => findTarget({ url: wrong, key: 'mine', 'data-dir': dir }, {}), wrong).toThrowError(UsageError)
  expect(() => findTarget({ 'data-dir': dir }, {})).toThrowError(
    expect.objectContaining({ code: 'no_intake', todo: expect.stringContaining('npm start') as string }) as Error,
  )
})
