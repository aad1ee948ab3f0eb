import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { adminViews, clinicianViews, counselorViews, type View } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

/** Each test has a window of its own, so they may run beside one another. */
test.describe.configure({ mode: 'parallel', timeout: 300_000 })

async function look(page: Page, views: View[]): Promise<void> {
  for (const view of views)
    await test.step(view.name, async () => {
      await view.open(page)
      expect.soft(await axeFindings(page), view.name).toEqual([])
    })
}

const at = (view: string) => counselorViews.findIndex(({ name }) => name === view)
test('axe finds nothing on a counselor’s alerts and their dialogs, light and dark', ({ desk }) =>
  look(desk, counselorViews.slice(0, at('Students'))))
test('axe finds nothing on a counselor’s students and sessions, light and dark', { tag: '@long' }, ({ desk }) =>
  look(desk, counselorViews.slice(at('Students'), at('Settings, queues'))),
)
test(
  'axe finds nothing on a counselor’s settings, help, menus and curtain, light and dark',
  { tag: '@long' },
  ({ desk }) => look(desk, counselorViews.slice(at('Settings, queues'))),
)
test('axe finds nothing on an admin’s and a clinician’s screens, light and dark', { tag: '@long' }, ({ desk }) =>
  look(desk, [...adminViews, ...clinicianViews]),
)

test('axe finds nothing on Alerts in a small window at twice the size', async ({ desk }) => {
  await desk.setViewportSize({ width: 512, height: 350 })
  await expect(desk.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
  expect(await axeFindings(desk)).toEqual([])
})

test('the check itself sees what is nameless, what is too small and near, and pale words in either scheme', async ({
  page,
}) => {
  await page.setContent(`<html lang="en"><title>t</title><style>
      :root { color-scheme: light dark } body { background: light-dark(#fff, #000); color: light-dark(#000, #fff) }
      #pale { color: light-dark(#000, #333) } a { display: block; font-size: 10px; line-height: 12px }</style>
    <main><h1>One</h1><button></button><p id="pale">pale in the dark</p>
      <ul><li><a href="tel:1">one</a></li><li><a href="tel:2">two</a></li></ul></main>`)
  const findings = (await axeFindings(page)).join('\n')
  expect(findings).toMatch(/^light · button-name · button/m)
  expect(findings).toMatch(/^light · target-size · a\[href/m)
  expect(findings).toMatch(/^dark · color-contrast · #pale/m)
  expect(findings).not.toMatch(/^light · color-contrast/m)
})
