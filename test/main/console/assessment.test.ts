import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWhenAsked } from '../../../main/console/assessment.ts'
import { openConsole, type OpenConsole } from '../../support/open-console.ts'

let at: OpenConsole | null = null
afterEach(() => at?.stop())

it('a console whose messages are assessed elsewhere reads no detection file until somebody asks', async () => {
  at = await openConsole()
  const lastGood = join(at.dataDir, 'detection-last-good')
  expect(existsSync(lastGood)).toBe(false)
  expect((await at.as('ADMIN').detection.explain({ text: 'I want to end my life' })).tier).toBe('crisis')
  expect(existsSync(lastGood)).toBe(true)
})

it('is opened once for all who ask', async () => {
  let opened = 0
  const ask = openWhenAsked(() => Promise.resolve(++opened))
  expect(opened).toBe(0)
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  expect(await ask()).toBe(1)
})

it('is tried again after it could not be opened', async () => {
  let broken = true
  const ask = openWhenAsked(() => (broken ? Promise.reject(new Error('broken file')) : Promise.resolve('open')))
  await expect(ask()).rejects.toThrow('broken file')
  broken = false
  expect(await ask()).toBe('open')
})
