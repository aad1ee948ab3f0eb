/** One Chromium page dressed as an Electron window's contents, over the DevTools protocol. */
import { chromium, type Browser, type CDPSession, type Page, type Route } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { isolatedWorld, mainWorld } from './worlds.ts'

/** Chromium navigates to no scheme it does not know: `app://console` is shown under this origin instead. */
const shownOrigin = 'https://console.electron-double.invalid'
const realOrigin = 'app://console'
const world = 'electron-double'

export type SchemeHandler = (request: Request) => Promise<Response>

export interface PageEvents {
  /** A message of the preload; `isMainFrame` tells where from. */
  message(channel: string, args: unknown[], isMainFrame: boolean): void
  navigationStarted(url: string, isMainFrame: boolean, isSameDocument: boolean): void
  /** True when the navigation is refused. */
  willNavigate(url: string): boolean
  windowOpened(url: string): void
  crashed(): void
  gone(): void
}

let browser: Promise<Browser> | null = null

export class DoublePage {
  readonly #events: PageEvents
  readonly #handler: () => SchemeHandler | null
  readonly #preload: string
  #page: Page | null = null
  #session: CDPSession | null = null
  #isolated = new Map<number, string>()
  #mainFrame = ''
  #asked = ''
  #size = { width: 0, height: 0 }
  #crashed = false

  constructor(preload: string, handler: () => SchemeHandler | null, events: PageEvents) {
    this.#preload = preload
    this.#handler = handler
    this.#events = events
  }

  /** Where the page is, in the words of the program under test. */
  get url(): string {
    return (this.#page?.url() ?? '').replace(shownOrigin, realOrigin)
  }

  async load(url: string, size: { width: number; height: number }): Promise<void> {
    this.#size = size
    const page = this.#page ?? (await this.#open(size))
    this.#asked = url.replace(realOrigin, shownOrigin)
    await page.goto(this.#asked)
  }

  send(channel: string, args: unknown[]): void {
    const [context] = [...this.#isolated].find(([, frame]) => frame === this.#mainFrame) ?? []
    if (context === undefined) return
    const expression = `doubleReceive(${JSON.stringify(channel)}, ${JSON.stringify(args)})`
    // The page may have gone meanwhile, as it may in Electron.
    this.#session?.send('Runtime.evaluate', { expression, contextId: context }).catch(() => undefined)
  }

  /** Ends the page's process for good, as a fault in Chromium would. */
  crash(): void {
    this.#session?.send('Page.crash').catch(() => undefined)
  }

  /** A crashed page is dead to Playwright: it is loaded into a new one, where Electron starts a new process. */
  async reload(): Promise<void> {
    if (!this.#crashed) return void (await this.#page?.reload())
    const dead = this.#page
    this.#crashed = false
    this.#page = null
    this.#isolated.clear()
    await this.load(this.#asked, this.#size)
    await dead?.close().catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.#page?.close().catch(() => undefined)
  }

  async #open(size: { width: number; height: number }): Promise<Page> {
    browser ??= chromium.connectOverCDP(process.env.ELECTRON_DOUBLE_BROWSER ?? '')
    const context = (await browser).contexts()[0]!
    const page = await context.newPage()
    await page.setViewportSize(size)
    this.#page = page
    page.on('popup', (popup) => {
      this.#events.windowOpened(popup.url())
      void popup.close()
    })
    page.on('crash', () => {
      this.#crashed = true
      this.#events.crashed()
    })
    page.on('close', () => {
      if (page === this.#page) this.#events.gone()
    })
    await page.route('**/*', (route) => this.#answer(route))
    await this.#dress(await context.newCDPSession(page))
    return page
  }

  async #dress(session: CDPSession): Promise<void> {
    this.#session = session
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === world) this.#isolated.set(context.id, (context.auxData as { frameId: string }).frameId)
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
      this.#isolated.delete(executionContextId),
    )
    session.on('Runtime.executionContextsCleared', () => this.#isolated.clear())
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== 'doubleSend') return
      const { channel, args } = JSON.parse(payload) as { channel: string; args: unknown[] }
      this.#events.message(channel, args, this.#isolated.get(executionContextId) === this.#mainFrame)
    })
    session.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      const sameDocument = navigationType === 'sameDocument' || navigationType === 'historySameDocument'
      // Chromium says that a navigation began before it is asked whether it may; Electron says so after.
      if (!url.startsWith(shownOrigin) && this.#events.willNavigate(url)) return
      this.#events.navigationStarted(url.replace(shownOrigin, realOrigin), frameId === this.#mainFrame, sameDocument)
    })
    await session.send('Page.enable')
    await session.send('Runtime.enable')
    this.#mainFrame = (await session.send('Page.getFrameTree')).frameTree.frame.id
    await session.send('Runtime.addBinding', { name: 'doubleSend', executionContextName: world })
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${mainWorld.toString()})()` })
    const preload = JSON.stringify(readFileSync(this.#preload, 'utf8'))
    const source = `(${isolatedWorld.toString()})(${preload})`
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: world })
  }

  /** Everything the page asks for comes from the program's scheme handler, or is refused: there is no network. */
  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const url = request.url()
    const leaving = request.isNavigationRequest() && request.frame() === this.#page?.mainFrame() && url !== this.#asked
    if (leaving && !this.#isReload(url) && this.#events.willNavigate(url.replace(shownOrigin, realOrigin)))
      // “No content” leaves the page where it is, as a prevented navigation does.
      return route.fulfill({ status: 204 })
    const handler = this.#handler()
    if (!url.startsWith(shownOrigin) || handler === null) return route.abort('addressunreachable')
    const response = await handler(new Request(url.replace(shownOrigin, realOrigin), { method: request.method() }))
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  #isReload(url: string): boolean {
    return url === this.#page?.url().split('#')[0]
  }
}
