/** A desk in a window of its own: its key in the system's key store, its life beyond the window. */
import { expect, test } from '@playwright/test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { axeFindings } from '../support/axe.ts'
import { deskAdmin } from '../support/desk.ts'
import { openDouble } from '../support/electron-double/index.ts'
import { goTo } from '../support/shared-demo.ts'

const text = (list: Record<string, unknown>[], field: string) => list.flatMap((told) => told[field] ?? [])

test(
  'is locked by the system’s key store, stays when its window is closed, and is quit only on purpose',
  { tag: '@long' },
  async () => {
    test.setTimeout(120_000)
    const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-desk-window-'))
    const env = { ELECTRON_DOUBLE_KEYS: 'gnome_libsecret' }
    try {
      const shell = await openDouble(['--desk', '--data-dir', dataDir], env)
      const { page } = shell
      await page.getByLabel('Name of the school').fill('Lakeside High')
      await page.keyboard.press('Enter')
      await page.getByLabel('Your name').fill(deskAdmin.name)
      await page.getByLabel('User name').fill(deskAdmin.user_name)
      await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
      await page.getByLabel('Confirm password').fill(deskAdmin.password)
      await page.keyboard.press('Enter')
      await page.getByLabel('The key store of this computer').check()
      await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(0)
      await expect(page.getByText('If this account or this computer is lost')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Set up the desk' }).click()
      await expect(page.getByRole('heading', { level: 2, name: 'The roster' })).toBeVisible({ timeout: 30_000 })
      expect(JSON.parse(readFileSync(join(dataDir, 'keystore.json'), 'utf8'))).toMatchObject({
        provider: 'safe-storage',
      })
      expect(existsSync(join(dataDir, 'logs', 'console.log'))).toBe(true)

      const questions = () => text(shell.told, 'messageBox')
      const windows = () => text(shell.told, 'window')
      shell.order('close')
      await expect.poll(questions).toHaveLength(1)
      expect(questions()[0]).toEqual({ message: 'The console keeps running in the tray.', buttons: ['OK'] })
      shell.order(0)
      shell.order('second-instance')
      await expect.poll(windows).toEqual(['shown', 'hidden', 'shown', 'focused'])
      shell.order('close')
      await expect.poll(windows).toHaveLength(5)
      expect(questions()).toHaveLength(1)

      shell.order('quit')
      await expect.poll(questions).toHaveLength(2)
      expect(questions()[1]).toEqual({
        message: 'Quit the desk? Alerts will stop.',
        buttons: ['Keep running', 'Quit'],
      })
      shell.order(0)
      await goTo(page, 'Alerts')
      await expect(page.getByText('No open alerts.')).toBeVisible()
      const ended = shell.quit()
      await expect.poll(questions).toHaveLength(3)
      shell.order(1)
      expect(await ended).toBe(0)

      const again = await openDouble(['--data-dir', dataDir], env)
      await expect(again.page.getByRole('heading', { name: 'Sign in · Lakeside High' })).toBeVisible()
      const left = again.quit()
      await expect.poll(() => text(again.told, 'messageBox')).toHaveLength(1)
      again.order(1)
      expect(await left).toBe(0)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)

test('offers no key store that does not encrypt', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-desk-window-'))
  const shell = await openDouble(['--desk', '--data-dir', dataDir], { ELECTRON_DOUBLE_KEYS: 'basic_text' })
  const { page } = shell
  await page.getByLabel('Name of the school').fill('Lakeside High')
  await page.keyboard.press('Enter')
  await page.getByLabel('Your name').fill(deskAdmin.name)
  await page.getByLabel('User name').fill(deskAdmin.user_name)
  await page.getByLabel('Password', { exact: true }).fill(deskAdmin.password)
  await page.getByLabel('Confirm password').fill(deskAdmin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  // Nothing is heard yet: nothing is asked.
  expect(await shell.quit()).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})
