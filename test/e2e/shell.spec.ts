import { expect, test } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { silentQueues } from '../support/district.ts'
import { hasElectron, openDouble, openElectron, type OpenShell } from '../support/electron-double/index.ts'
import { expectOwnFont } from '../support/font.ts'
import { signedInEnv } from '../support/sign-in.ts'

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
      shell = await open(['--data-dir', dataDir], { ...silentQueues, ...(await signedInEnv()) })
      await expect(shell.page.getByRole('navigation')).toBeVisible()
    })
    test.afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

    test('shows the screens over the message port, and again after a reload', async () => {
      const { page } = shell
      await expect(page.getByRole('navigation')).toContainText('Alerts')
      await expect(page.getByRole('navigation')).toContainText('Settings')
      await page.reload()
      await expect(page.getByRole('navigation')).toContainText('Alerts')
      await expectOwnFont(page)
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

    test('looks at everything when the machine wakes', async () => {
      test.skip(name === 'real Electron', 'A machine sleeps in the double only.')
      const log = () => readFileSync(join(dataDir, 'logs', 'console.log'), 'utf8')
      shell.order('suspend')
      await expect.poll(log).toContain('the machine goes to sleep')
      expect(log()).not.toContain('awake again')
      shell.order('resume')
      await expect.poll(log).toContain('awake again')
    })

    test('never leaves its page and opens no other', async () => {
      const { page } = shell
      await page.evaluate(() => void (location.href = 'https://elsewhere.invalid/'))
      const opened = await page.evaluate(() => window.open('https://elsewhere.invalid/') !== null)
      if (name === 'real Electron') expect(opened).toBe(false)
      else await expect.poll(() => shell.told.flatMap(({ windowOpen }) => windowOpen ?? [])).toEqual(['deny'])
      await expect(page.getByRole('navigation')).toContainText('Alerts')
      expect(page.url()).not.toContain('elsewhere')
      await page.reload()
      await expect(page.getByRole('navigation')).toContainText('Alerts')
    })

    test.describe('where its page fails', () => {
      test.skip(name === 'real Electron', 'A page is made to fail in the double only.')
      const restarted = {
        title: 'PsyFlo Console',
        body: 'The window was restarted; alerts kept arriving in the background.',
      }
      const restarts = () => shell.told.filter(({ notification }) => isDeepStrictEqual(notification, restarted)).length
      const questions = () => shell.told.flatMap(({ messageBox }) => (messageBox === undefined ? [] : [messageBox]))
      /** The page that failed goes, and another takes its place. */
      const comesBack = async (cause: () => void) => {
        const [count, failed] = [restarts(), shell.page]
        const gone = new Promise((done) => failed.once('close', done))
        cause()
        await gone
        expect(restarts()).toBe(count + 1)
        await expect(shell.page.getByRole('navigation')).toContainText('Alerts')
      }

      test('comes back after a crash and says so; one that goes on crashing asks first', async () => {
        for (let times = 0; times < 3; times++) await comesBack(() => shell.order('crash'))
        shell.order('crash')
        await expect.poll(questions).toHaveLength(1)
        expect(questions()[0]).toEqual({
          message: 'The window stopped several times within a minute and was not opened again.',
          buttons: ['Open again', 'Quit'],
        })
        expect(restarts()).toBe(3)
        await comesBack(() => shell.order(0))
      })

      test('offers to reload a page that hangs, and takes the offer back when it goes on', async () => {
        const [asked, before] = [questions().length, restarts()]
        shell.order('unresponsive')
        await expect.poll(() => questions().slice(asked)).toHaveLength(1)
        expect(questions()[asked]).toEqual({ message: 'The window does not respond.', buttons: ['Wait', 'Reload'] })
        shell.order('responsive')
        await expect.poll(() => questions().slice(asked + 1)).toEqual(['taken back'])
        expect(restarts()).toBe(before)

        shell.order('unresponsive')
        await expect.poll(() => questions().slice(asked + 2)).toHaveLength(1)
        await comesBack(() => shell.order(1))
      })
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
