/**
 * Stands in for the module `electron` where no Electron binary is: a window is a Chromium page, the built
 * preload runs in an isolated world, messages cross as they would. It proves the seam between the program
 * and Electron's API, not Electron's sandbox. What is not modelled throws.
 * The test that started it hears of notifications and the like, and steers it, by process messages.
 */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DoublePage, type SchemeHandler } from './page.ts'
import { Events, strict } from './strict.ts'

const tell = (message: Record<string, unknown>) => void process.send?.(message)

// ---- app --------------------------------------------------------------------------------------

const appEvents = [
  'second-instance',
  'activate',
  'before-quit',
  'will-quit',
  'quit',
  'window-all-closed',
  'web-contents-created',
] as const

class App extends Events<(typeof appEvents)[number]> {
  #paths: Record<string, string> = {}
  #ready = false
  sandboxed = false
  constructor() {
    super('app', appEvents)
  }
  enableSandbox() {
    if (this.#ready) throw new Error('app.enableSandbox comes before ready')
    this.sandboxed = true
  }
  setPath(name: string, path: string) {
    this.#paths[name] = path
  }
  getPath(name: string) {
    const path = this.#paths[name]
    if (path === undefined) throw new Error(`The Electron double knows no path “${name}” that was not set`)
    return path
  }
  getVersion = () => '0.0.0'
  requestSingleInstanceLock = () => true
  isReady = () => this.#ready
  async whenReady() {
    await Promise.resolve()
    this.#ready = true
  }
  setBadgeCount(count: number) {
    tell({ badge: count })
    return true
  }
  quit() {
    if (this.emitPreventable('before-quit')) return
    for (const window of [...windows]) if (!window.tryClose()) return
    if (this.emitPreventable('will-quit')) return
    this.emit('quit')
    process.exit(0)
  }
  exit = (code: number) => process.exit(code)
}
export const app = strict('app', new App())

// ---- windows and their contents ---------------------------------------------------------------

const contentsEvents = [
  'will-navigate',
  'will-redirect',
  'will-attach-webview',
  'did-start-navigation',
  'render-process-gone',
  'unresponsive',
  'responsive',
  'destroyed',
] as const

interface Frame {
  parent: Frame | null
  origin: string
}

class WebContents extends Events<(typeof contentsEvents)[number]> {
  readonly page: DoublePage
  readonly mainFrame: Frame
  #destroyed = false
  #openHandler: ((details: { url: string }) => { action: 'deny' | 'allow' }) | null = null

  constructor(preload: string) {
    super('webContents', contentsEvents)
    this.page = new DoublePage(preload, () => schemeHandlers.get('app') ?? null, {
      message: (channel, args, isMainFrame) => {
        const senderFrame = isMainFrame ? this.mainFrame : strict('frame', { parent: this.mainFrame, origin: 'null' })
        ipcMain.deliver(channel, strict('event', { sender: proxied.get(this) ?? this, senderFrame }), args)
      },
      navigationStarted: (url, isMainFrame, isSameDocument) =>
        this.emit('did-start-navigation', { url, isMainFrame, isSameDocument }),
      willNavigate: (url) => this.emitPreventable('will-navigate', { url }),
      windowOpened: (url) => {
        const action = this.#openHandler?.({ url }).action ?? 'allow'
        tell({ windowOpen: action })
        if (action !== 'deny') throw new Error('The Electron double opens no second window')
      },
      crashed: () => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 }),
      gone: () => this.destroy(),
    })
    const page = this.page
    this.mainFrame = strict('frame', {
      parent: null,
      get origin() {
        const { protocol, host } = new URL(page.url)
        return `${protocol}//${host}`
      },
    })
  }
  send(channel: string, ...args: unknown[]) {
    this.page.send(channel, args)
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' | 'allow' }) {
    this.#openHandler = handler
  }
  reload() {
    void this.page.reload()
  }
  forcefullyCrashRenderer() {
    this.page.crash()
  }
  isDestroyed = () => this.#destroyed
  destroy() {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('destroyed')
  }
}
/** Contents as the program sees them: `event.sender` must be the very object it was given. */
const proxied = new WeakMap<WebContents, WebContents>()

const windowEvents = ['ready-to-show', 'close', 'closed'] as const
interface WindowOptions {
  width: number
  height: number
  x?: number
  y?: number
  webPreferences: { preload: string; sandbox: boolean; contextIsolation: boolean; nodeIntegration: boolean }
}

const windows = new Set<Window>()

class Window extends Events<(typeof windowEvents)[number]> {
  readonly webContents: WebContents
  #options: WindowOptions
  #maximized = false

  constructor(options: WindowOptions) {
    super('BrowserWindow', windowEvents)
    const { sandbox, contextIsolation, nodeIntegration, preload } = options.webPreferences
    if (!app.sandboxed || !sandbox || !contextIsolation || nodeIntegration)
      throw new Error('The Electron double opens windows with sandbox and context isolation only')
    this.#options = options
    const contents = new WebContents(preload)
    this.webContents = strict('webContents', contents)
    proxied.set(contents, this.webContents)
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  async loadURL(url: string) {
    await this.webContents.page.load(url, { width: this.#options.width, height: this.#options.height })
    this.emit('ready-to-show')
  }
  show = () => tell({ window: 'shown' })
  hide = () => tell({ window: 'hidden' })
  focus = () => tell({ window: 'focused' })
  restore = () => undefined
  isMinimized = () => false
  maximize() {
    this.#maximized = true
  }
  isMaximized = () => this.#maximized
  getNormalBounds() {
    const { x = 0, y = 0, width, height } = this.#options
    return { x, y, width, height }
  }
  /** What the person's click on the cross does; true when the window is gone. */
  tryClose(): boolean {
    if (this.emitPreventable('close')) return false
    windows.delete(this)
    this.webContents.destroy()
    void this.webContents.page.close()
    this.emit('closed')
    return true
  }
}
export const BrowserWindow = new Proxy(Window, {
  construct: (target, args: [WindowOptions]) => strict('BrowserWindow', new target(...args)),
})

// ---- messages, protocol, session --------------------------------------------------------------

class IpcMain {
  #listeners = new Map<string, ((event: unknown, ...args: unknown[]) => void)[]>()
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), listener])
    return this
  }
  off(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
    this.#listeners.set(
      channel,
      (this.#listeners.get(channel) ?? []).filter((known) => known !== listener),
    )
    return this
  }
  deliver(channel: string, event: unknown, args: unknown[]) {
    for (const listener of this.#listeners.get(channel) ?? []) listener(event, ...args)
  }
}
export const ipcMain = strict('ipcMain', new IpcMain())

const schemeHandlers = new Map<string, SchemeHandler>()
const privileged = new Set<string>()
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: { scheme: string }[]) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged comes before ready')
    for (const { scheme } of schemes) privileged.add(scheme)
  },
})

export const session = strict('session', {
  defaultSession: strict('session.defaultSession', {
    protocol: strict('session.protocol', {
      handle(scheme: string, handler: SchemeHandler) {
        if (!privileged.has(scheme)) throw new Error(`The scheme ${scheme} was not registered as privileged`)
        schemeHandlers.set(scheme, handler)
      },
    }),
    setPermissionRequestHandler: (_handler: unknown) => undefined,
    setPermissionCheckHandler: (_handler: unknown) => undefined,
    setDevicePermissionHandler: (_handler: unknown) => undefined,
  }),
})

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}
export const net = strict('net', {
  async fetch(address: string) {
    const path = fileURLToPath(address)
    const body = await readFile(path)
    return new Response(body, { headers: { 'content-type': types[extname(path)] ?? 'application/octet-stream' } })
  },
})

// ---- the desktop ------------------------------------------------------------------------------

class DoubleNotification extends Events<'click' | 'close'> {
  static isSupported = () => true
  readonly #options: { title: string; body: string }
  constructor(options: { title: string; body: string }) {
    super('Notification', ['click', 'close'])
    this.#options = options
  }
  show() {
    tell({ notification: { title: this.#options.title, body: this.#options.body } })
  }
  close() {
    this.emit('close')
  }
}
export { DoubleNotification as Notification }

class DoubleTray extends Events<'click'> {
  constructor(_icon: unknown) {
    super('Tray', ['click'])
  }
  setToolTip = (text: string) => tell({ tray: text })
  setContextMenu = (_menu: unknown) => undefined
}
export { DoubleTray as Tray }

export const Menu = strict('Menu', {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (_menu: unknown) => undefined,
})
export const nativeImage = strict('nativeImage', { createFromPath: (path: string) => ({ path }) })
export const screen = strict('screen', {
  getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
})
export const shell = strict('shell', { openExternal: (url: string) => Promise.resolve(tell({ openExternal: url })) })
/** Seals nothing: what it makes can be told from what it was given, and another process of the test opens it again. */
export const safeStorage = strict('safeStorage', {
  isAsyncEncryptionAvailable: () => Promise.resolve(process.env.ELECTRON_DOUBLE_KEYS !== undefined),
  getSelectedStorageBackend: () => process.env.ELECTRON_DOUBLE_KEYS ?? 'basic_text',
  encryptStringAsync: (text: string) => Promise.resolve(Buffer.from(`sealed ${text}`).reverse()),
  decryptStringAsync: (sealed: Buffer) =>
    Promise.resolve({
      result: Buffer.from(sealed).reverse().toString().replace('sealed ', ''),
      shouldReEncrypt: false,
    }),
})
const powerEvents = ['suspend', 'resume', 'unlock-screen'] as const
class PowerMonitor extends Events<(typeof powerEvents)[number]> {
  constructor() {
    super('powerMonitor', powerEvents)
  }
}
export const powerMonitor = strict('powerMonitor', new PowerMonitor())
let answer: (response: number) => void = () => undefined
export const dialog = strict('dialog', {
  showErrorBox: (title: string, content: string) => tell({ errorBox: { title, content } }),
  /** Stays open until the test answers with the number of a button, or the program takes it back. */
  async showMessageBox(options: { message: string; buttons: string[]; cancelId: number; signal?: AbortSignal }) {
    const { message, buttons, cancelId, signal } = options
    tell({ messageBox: { message, buttons } })
    return await new Promise<{ response: number }>((done) => {
      answer = (response) => done({ response })
      signal?.addEventListener('abort', () => {
        tell({ messageBox: 'taken back' })
        done({ response: cancelId })
      })
    })
  },
})

export default {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  net,
  Notification: DoubleNotification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray: DoubleTray,
}

// ---- what the test may do ---------------------------------------------------------------------

process.on('message', (order) => {
  if (order === 'quit') app.quit()
  if (order === 'close') for (const window of [...windows]) window.tryClose()
  if (order === 'suspend' || order === 'resume') powerMonitor.emit(order)
  if (order === 'second-instance') app.emit('second-instance')
  for (const { webContents } of windows) {
    if (order === 'crash') webContents.page.crash()
    if (order === 'unresponsive' || order === 'responsive') webContents.emit(order)
  }
  if (typeof order === 'number') answer(order)
})
