import { expect, type Page } from '@playwright/test'

/** The screens are set in the font that comes with the program, its figures all of one width. */
export async function expectOwnFont(page: Page): Promise<void> {
  const found = await page.evaluate(async () => {
    await document.fonts.ready
    const canvas = document.body.appendChild(document.createElement('time'))
    const widthOf = (text: string) => {
      canvas.textContent = text
      return canvas.getBoundingClientRect().width
    }
    const widths = new Set([...'0123456789'].map((figure) => Math.round(widthOf(figure.repeat(20)) * 10)))
    canvas.remove()
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
    return { loaded: new Set(loaded).size, own: loaded.join().includes('Inter'), widths: widths.size }
  })
  expect(found).toEqual({ loaded: 1, own: true, widths: 1 })
}
