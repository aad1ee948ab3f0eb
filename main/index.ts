/** Electron entry: the console in a window of its own. */
import { app, dialog, session, type BrowserWindow } from 'electron'
import { join } from 'node:path'
import { forgetSecrets, readConfiguration, sentenceAbout } from './configuration/index.ts'
import { systemClock } from './platform/clock.ts'
import { prepareDataDir } from './platform/data-dir.ts'
import { isDesk } from './platform/desk-marker.ts'
import {
  electronPreferences,
  electronShell,
  guardContents,
  guardSession,
  keepPageAlive,
  keepRunning,
  openWindow,
  registerScheme,
  servePage,
  serveWindow,
  setMenu,
  systemKeys,
} from './platform/electron/index.ts'
import { createLogger, loggerIn } from './platform/logger.ts'
import type { Logger } from './platform/ports.ts'
import { asPersonalError } from './platform/personal-error.ts'
import { systemRandomness } from './platform/randomness.ts'
import { startProgram } from './program.ts'

const built = join(import.meta.dirname, '..')
/** Until the data directory is known, the terminal alone. */
let logger = createLogger()
/** Whoever holds it writes where diagnostic lines go now. */
const current: Logger = {
  info: (...of) => logger.info(...of),
  warn: (...of) => logger.warn(...of),
  error: (...of) => logger.error(...of),
}
let window: BrowserWindow | null = null

function bringForward(): void {
  if (window?.isMinimized()) window.restore()
  window?.show()
  window?.focus()
}

async function run(): Promise<void> {
  // Electron's and Chromium's own switches stand before the dashes.
  const dashes = process.argv.indexOf('--')
  const configuration = readConfiguration(process.env, dashes < 0 ? [] : process.argv.slice(dashes + 1))
  for (const each of configuration.unread) process.stderr.write(`${sentenceAbout(each)}\n`)
  forgetSecrets(process.env)
  prepareDataDir(configuration.dataDir)
  logger = loggerIn(configuration.dataDir, configuration)
  // One console to a data directory: the engine's own files, and its lock, lie beside the data.
  // The demonstration school beside a desk has a window of its own; where it may become one, the desk's.
  const beside = configuration.demo && isDesk(configuration.dataDir)
  app.setPath('userData', join(configuration.dataDir, beside ? 'demonstration-window' : 'window'))
  if (!app.requestSingleInstanceLock()) {
    process.stdout.write('Console: already open; its window comes to the front.\n')
    return app.quit()
  }
  app.on('second-instance', bringForward)
  await app.whenReady()

  const preferences = electronPreferences(configuration.dataDir, logger)
  const shell = electronShell(bringForward)
  const ports = { clock: systemClock, randomness: systemRandomness, logger: current, shell, preferences, systemKeys }
  const running = startProgram(configuration, ports)
  // A school's own diagnostic lines stand in another file than the demonstration's.
  running.onSetUp((now) => (logger = loggerIn(now.dataDir, now)))
  // A failed start is shown in the window, which asks how far the start is.
  running.ready.catch((error: unknown) => asPersonalError(error, logger))

  const staying = keepRunning(preferences, () => {
    const { mode, dataDir } = running.configuration()
    return mode === 'desk' && isDesk(dataDir)
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => staying.quitNow())

  setMenu()
  guardContents()
  guardSession(session.defaultSession)
  servePage(session.defaultSession, join(built, 'renderer'))
  app.on('web-contents-created', (_event, contents) => {
    const windowId = systemRandomness.uuid()
    serveWindow(contents, running.router, () => running.contextFor(windowId), current)
    keepPageAlive(contents, ports)
  })
  window = await openWindow(built, preferences)
  shell.showTray(join(built, '..', 'resources', 'icons', 'tray.png'))
  staying.hideOnClose(window)
  app.on('activate', bringForward)
  let stopped = false
  app.on('will-quit', (event) => {
    if (stopped) return
    event.preventDefault()
    stopped = true
    const lastWord = running.lastWord()
    if (lastWord !== null) process.stderr.write(`${lastWord}\n`)
    void running.stop().finally(() => {
      logger.info({}, 'console stopped')
      app.quit()
    })
  })
  logger.info({ mode: configuration.mode, demo: configuration.demo }, 'console open')
  process.stdout.write('Console: open in its window\n')
}

function fail(error: unknown): void {
  const { happened, safe, todo } = asPersonalError(error, logger)
  if (app.isReady()) dialog.showErrorBox(happened, `${safe}\n\n${todo}`)
  process.stderr.write(`${happened}\n${safe}\n${todo}\n`)
  app.exit(1)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
app.enableSandbox()
registerScheme()
run().catch(fail)
