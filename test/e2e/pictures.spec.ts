/**
 * Takes the pictures of the README anew, at the demonstration school:
 * `PICTURES=resources/docs/screenshots npm run test:e2e -- pictures`. Without PICTURES there is nothing to take.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { adminViews, counselorViews, detail, openAlert, type View } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

const folder = process.env['PICTURES']

async function picture(page: Page, name: string): Promise<void> {
  // No focus ring and no half-way tooltip: what stands there at rest.
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder ?? '', `${name}.png`), animations: 'disabled' })
}

const view = (views: readonly View[], name: string): View => {
  const found = views.find((one) => one.name === name)
  if (!found) throw new Error(`No view is called ${name}.`)
  return found
}

if (folder !== undefined) {
  test.use({
    contextOptions: { viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' },
  })

  test('a case at work, its record, a student, a session and the settings', async ({ desk: page }) => {
    await openAlert(page, 'Mine', /Mei Lanternwood/)
    await picture(page, 'alerts')

    await openAlert(page, 'All', /Leila Farrokhsar/)
    await detail(page).getByRole('button', { name: 'Incident record' }).click()
    await expect(page.getByRole('table', { name: 'Timeline' })).toBeVisible()
    await picture(page, 'incident')

    for (const [shot, name] of [
      ['student', 'Student page'],
      ['session', 'Session review'],
      ['settings', 'Settings, connection tested'],
    ] as const) {
      if (shot === 'settings') await view(counselorViews, 'Settings, queues').open(page)
      await view(counselorViews, name).open(page)
      await picture(page, shot)
    }
  })

  test('the overview of an admin', async ({ desk: page }) => {
    await view(adminViews, 'Alerts of an admin').open(page)
    await view(adminViews, 'Overview').open(page)
    await picture(page, 'overview')
  })
}
