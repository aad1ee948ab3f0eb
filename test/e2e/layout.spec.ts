import type { Page } from '@playwright/test'
import { geometryFindings } from '../support/geometry.ts'
import { adminViews, counselorViews, holdOne, type View, pressOnAlert, detail } from '../support/screens.ts'
import { expect, test } from '../support/shared-demo.ts'

const wide = [
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]
const smallest = { width: 1024, height: 700 }

/** Charts and columns follow the window a little later than the window itself. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const shape = () =>
      [...document.querySelectorAll('svg, [role], p')].map((of) => of.getBoundingClientRect().width).join()
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    let before = ''
    for (let same = 0, frames = 0; same < 4 && frames < 120; frames += 1) {
      await frame()
      same = before === shape() ? same + 1 : 0
      before = shape()
    }
  })
}

async function measure(page: Page, views: View[], sizes: { width: number; height: number }[] | null): Promise<void> {
  for (const view of views)
    await test.step(view.name, async () => {
      await view.open(page)
      for (const size of sizes ?? [page.viewportSize() ?? { width: 0, height: 0 }]) {
        if (sizes) await page.setViewportSize(size)
        await settled(page)
        const findings = await geometryFindings(page)
        if (findings.length > 0 && process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/${view.name.replace(/\W+/g, '-')}-${size.width}.png` })
        expect.soft(findings, `${view.name} at ${size.width} × ${size.height}`).toEqual([])
      }
    })
}

const zoomed = { viewport: { width: 512, height: 350 }, deviceScaleFactor: 2 }

/** Each test has a window of its own, so they may run beside one another. */
test.describe.configure({ mode: 'parallel', timeout: 300_000 })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.describe('nothing overlaps, is cut off or scrolls sideways', () => {
  test('at 1440 × 900 and 2560 × 1440', { tag: '@long' }, async ({ desk }) => {
    await measure(desk, [...counselorViews, ...adminViews], wide)
  })
  test('at 1024 × 700', async ({ desk }) => {
    await desk.setViewportSize(smallest)
    await measure(desk, [...counselorViews, ...adminViews], null)
  })
})

test('what is being written stays when the window gets narrower', async ({ desk }) => {
  await holdOne(desk)
  await pressOnAlert(desk, 'n')
  const note = desk.getByRole('dialog').getByLabel('Note')
  await note.fill('Called home; nobody')
  await expect(desk.locator('#screen aside')).toBeVisible()
  await desk.setViewportSize(smallest)
  await expect(desk.locator('#screen aside')).toHaveCount(0)
  await expect(note).toHaveValue('Called home; nobody')
  await desk.keyboard.press('Escape')
  await expect(desk.getByRole('dialog')).toHaveCount(0)
  await expect(detail(desk)).toContainText('Unfinished note, kept as a draft')
  await pressOnAlert(desk, 'n')
  await expect(note).toHaveValue('Called home; nobody')
  await desk.getByRole('button', { name: 'Discard draft' }).click()
  await expect(detail(desk)).not.toContainText('Unfinished note')
})

test.describe('nothing overlaps, is cut off or scrolls sideways at 200 % zoom', () => {
  test.use({ contextOptions: { ...zoomed, reducedMotion: 'reduce' } })
  test('of 1024 × 700', { tag: '@long' }, async ({ desk }) => {
    await measure(desk, [...counselorViews, ...adminViews], null)
  })
})

test('the check itself sees what is over, cut off, and too wide', async ({ page }) => {
  await page.setContent(`<body style="margin: 0; font: 13px sans-serif">
    <p style="margin: 0">One sentence</p><p style="margin: -10px 0 40px">another over it</p>
    <div style="width: 60px; overflow: hidden; white-space: nowrap">cut off without a sign</div>
    <div style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">shortened with a sign</div>
    <div style="height: 10px; overflow: hidden">first line<br>hidden second line</div>
    <div style="width: 4000px">wide</div>
    <div style="position: relative; height: 30px">beneath<div style="position: absolute; inset: 0; background: #fff">lid</div></div>`)
  const findings = (await geometryFindings(page)).join('\n')
  expect(findings).toContain('the page is 4000 wide in 1440')
  expect(findings).toContain('one over the other: “One sentence” and “another over it”')
  expect(findings).toContain('cut off sideways: “cut off without a sign”')
  expect(findings).toContain('cut off below: “first line”')
  expect(findings).not.toContain('shortened')
  expect(findings).not.toContain('lid')
})
