import { expect, test } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasElectron, openDouble, openElectron, type OpenShell } from '../support/electron-double/index.ts'

const shells = [
  { name: 'the Electron double', open: openDouble, here: true },
  { name: 'real Electron', open: openElectron, here: hasElectron },
]

for (const { name, open, here } of shells)
  test.describe(`the console in a window of its own, in ${name}`, () => {
    test.skip(!here, 'No Electron binary is installed here.')
    let shell: OpenShell
    let dataDir: string
    test.beforeAll(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'psyflo-window-'))
      shell = await open(['--data-dir', dataDir])
    })
    test.afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

    test('shows the screens over the message port, and again after a reload', async () => {
      const { page } = shell
      await expect(page.getByRole('navigation')).toContainText('Alerts')
      await expect(page.getByRole('navigation')).toContainText('Settings')
      await page.reload()
      await expect(page.getByRole('navigation')).toContainText('Alerts')
    })

    test('hands the page a message port and nothing else', async () => {
      const given = await shell.page.evaluate(() => ({
        desk: Object.keys(window.desk ?? {}),
        frozen: Object.isFrozen(window.desk),
        require: 'require' in window,
        process: 'process' in window,
      }))
      expect(given).toEqual({ desk: ['post', 'listen'], frozen: true, require: false, process: false })
    })

    test('never leaves its page and opens no other', async () => {
      const { page } = shell
      await page.evaluate(() => void (location.href = 'https://elsewhere.invalid/'))
      expect(await page.evaluate(() => window.open('https://elsewhere.invalid/') === null || true)).toBe(true)
      await expect(page.getByRole('navigation')).toContainText('Alerts')
      expect(page.url()).not.toContain('elsewhere')
      await page.reload()
      await expect(page.getByRole('navigation')).toContainText('Alerts')
    })

    test('goes on when its window is closed, and ends cleanly when it is quit', async () => {
      if (name !== 'real Electron') {
        shell.order('close')
        shell.order('second-instance')
        const windowWas = () => shell.told.flatMap(({ window }) => (window === undefined ? [] : [window]))
        await expect.poll(windowWas).toEqual(['shown', 'hidden', 'shown', 'focused'])
      }
      expect(await shell.quit()).toBe(0)
    })
  })
