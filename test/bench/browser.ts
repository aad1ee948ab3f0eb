import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { chromiumSwitches, findChromium } from '../support/chromium.ts'

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  return chromium.launch({ args: chromiumSwitches(), ...(executablePath !== null && { executablePath }) })
}

/**
 * A page that notes when text first stood on screen, by the machine's clock: `painted` and `longTasks`.
 * `atEnd`: the end of the inbox stays in sight, for of alerts as severe as each other the newest stands last.
 */
export async function watchingPage(
  browser: Browser,
  { atEnd = false } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript((followsEnd) => {
    const noted: Record<string, number> = {}
    const longTasks: number[] = []
    Object.assign(window, { painted: noted, longTasks })
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration))).observe({
      type: 'longtask',
      buffered: false,
    })
    const note = () => {
      if (followsEnd) document.querySelector('[data-virtuoso-scroller]')?.scrollTo(0, Number.MAX_SAFE_INTEGER)
      const fresh: string[] = []
      for (const row of document.querySelectorAll('[data-alert]')) {
        const name = /Student ([0-9A-F]{4})/.exec(row.textContent ?? '')?.[1]
        if (name !== undefined && !(name in noted)) {
          noted[name] = 0
          fresh.push(name)
        }
      }
      if (fresh.length === 0) return
      // The next frame holds the row; a task after it runs when the frame was handed over.
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => fresh.forEach((name) => (noted[name] = Date.now()))
        channel.port2.postMessage(null)
      })
    }
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
  }, atEnd)
  return { page, context }
}

/** When the row of a student was painted, UTC ms, as soon as it is. */
export function paintedAt(page: Page, pseudonym: string, timeout = 60_000): Promise<number> {
  return page
    .waitForFunction(
      (name) => (window as never as { painted: Record<string, number> }).painted[name] || false,
      pseudonym,
      {
        timeout,
        polling: 'raf',
      },
    )
    .then((handle) => handle.jsonValue() as Promise<number>)
}

export function painted(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => (window as never as { painted: Record<string, number> }).painted)
}

/** Long tasks since the last call, milliseconds each. */
export function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as never as { longTasks: number[] }).longTasks.splice(0))
}
