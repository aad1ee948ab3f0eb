/** Opens the built program in the double, or in real Electron where it is installed. */
import { _electron, chromium, type Page } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromiumSwitches, findChromium } from '../chromium.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

/** Whether an Electron binary is here; never asked by `require('electron')`, which would fetch one. */
export const hasElectron = existsSync(join(root, 'node_modules', 'electron', 'path.txt'))

/** What can happen to the window; a number presses that button of the open question. */
type Order =
  'quit' | 'close' | 'suspend' | 'resume' | 'second-instance' | 'crash' | 'unresponsive' | 'responsive' | number

export interface OpenShell {
  /** The window's page; after a crash, the one that took its place. */
  readonly page: Page
  /** What the desktop was told (double only): badge, tray, notifications, windows. */
  told: Record<string, unknown>[]
  /** Does what a person could do outside the page (double only). */
  order(what: Order): void
  /** Quits and answers with the exit code. */
  quit(): Promise<number>
}

export async function openDouble(args: string[], env: Record<string, string> = {}): Promise<OpenShell> {
  const executablePath = findChromium() ?? undefined
  const port = await freePort()
  const switches = [...chromiumSwitches(), `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: switches })
  // Both sides drive the same browser: the program its window, the test the page in it.
  const endpoint = `http://127.0.0.1:${port}`
  const seen = await chromium.connectOverCDP(endpoint)
  const context = seen.contexts()[0]!
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      pathToFileURL(join(import.meta.dirname, 'register.mjs')).href,
      join(root, 'out', 'main', 'index.js'),
      '--',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { ...process.env, ...env, ELECTRON_DOUBLE_BROWSER: endpoint } },
  )
  const told: Record<string, unknown>[] = []
  child.on('message', (message) => void told.push(message as Record<string, unknown>))
  await saysConsole(child)
  return {
    get page() {
      const page = context.pages().findLast((each) => each.url().includes('electron-double'))
      if (!page) throw new Error('The double opened no page')
      return page
    },
    told,
    order: (what) => void child.send(what),
    async quit() {
      const ended = once(child, 'exit')
      child.send('quit')
      const [code] = (await ended) as [number | null]
      await browser.close()
      return code ?? 1
    },
  }
}

export async function openElectron(args: string[], env: Record<string, string> = {}): Promise<OpenShell> {
  const electron = await _electron.launch({
    args: [root, '--', ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  })
  const page = await electron.firstWindow()
  return {
    page,
    told: [],
    order: () => undefined,
    async quit() {
      const ended = once(electron.process(), 'exit')
      await electron.evaluate(({ app }) => app.quit())
      const [code] = (await ended) as [number | null]
      return code ?? 1
    },
  }
}

/** Resolves when the program says that its window is open; rejects when it ends before. */
function saysConsole(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Console:')) done()
    })
    child.once('exit', (code) => failed(new Error(`The program ended (${code}) before its window opened`)))
  })
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
