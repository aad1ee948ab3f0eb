import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isDesk } from '../../main/platform/desk-marker.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { deskPassphrase, deskSetUp } from '../support/desk.ts'
import { openPage } from '../support/real-console.ts'

const settings = { PSYFLO_PASSPHRASE: deskPassphrase }

/** Milliseconds from asking for the set-up to the kill: keys and password take most of the time between. */
it.each([5, 100, 300, 500, 700, 900, 1_200])(
  'a set-up killed after %i ms is nothing, or a desk that opens',
  async (delay) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'set-up-killed-'))
    try {
      const first = await startConsoleProcess({ dataDir, args: ['--desk'], until: 'Waiting to be set up' })
      const page = await openPage(first.address)
      page.calls.setUp.make.mutate(deskSetUp).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, delay))
      await first.stop('SIGKILL')
      void page.close()
      if (!isDesk(dataDir)) {
        for (const file of ['keystore.json', 'console.db', 'station.db']) expect([file, existsSync(join(dataDir, file))]).toEqual([file, false]) // prettier-ignore
        const again = await startConsoleProcess({ dataDir, args: ['--desk'], until: 'Waiting to be set up' })
        const second = await openPage(again.address)
        await second.calls.setUp.make.mutate(deskSetUp)
        void second.close()
        await again.stop()
      }
      const desk = await startConsoleProcess({ dataDir, env: settings })
      expect(desk.written.stdout).toMatch(/^Console: /)
      expect(await desk.stop()).toBe(0)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
