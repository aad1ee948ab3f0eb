import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readConfiguration } from '../../../main/configuration/index.ts'
import { startConsole } from '../../../main/console/index.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { silentLogger } from '../../support/logger.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

it('a passphrase that is too short is not taken from a page either, and nothing is made with it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'startup-'))
  const env = { PSYFLO_EVENTS_QUEUE_URL: 'http://127.0.0.1:9/1/events', AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' }
  const running = startConsole(readConfiguration(env, ['--data-dir', dataDir]), {
    clock: virtualClock(),
    randomness: systemRandomness,
    logger: silentLogger,
    shell: { notify: () => undefined, badge: () => undefined, openExternal: () => undefined },
    preferences: { get: () => undefined, set: () => undefined },
  })
  const { startup } = running.contextFor('window')
  try {
    await vi.waitFor(() => expect(startup.state()).toMatchObject({ phase: 'locked', create: true, error: null }))
    await running.router.createCaller(running.contextFor('window')).startup.unlock({ passphrase: 'too short' })
    await vi.waitFor(() =>
      expect(startup.state()).toMatchObject({ phase: 'locked', create: true, error: { code: 'short_passphrase' } }),
    )
    expect(existsSync(join(dataDir, 'keystore.json'))).toBe(false)
  } finally {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
