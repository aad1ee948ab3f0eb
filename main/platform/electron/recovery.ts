import { app, dialog, type WebContents } from 'electron'
import type { Clock, Logger, Shell } from '../ports.ts'

/** A page that stops more often than this within `span` milliseconds is not restarted without asking. */
const limit = { restarts: 3, span: 60_000 }

/** True of every console: none of them calls or messages anybody by itself. */
const goesOn = 'Alerts are still received in the background, and a new one is shown as a notification.'

interface RecoveryPorts {
  clock: Clock
  shell: Shell
  logger: Logger
}

/**
 * Brings a page back that crashed, and offers to where it hangs: a blank window would look like a quiet day.
 * Receiving and notifying are in this process and go on meanwhile.
 */
export function keepPageAlive(contents: WebContents, { clock, shell, logger }: RecoveryPorts): void {
  let restarts: number[] = []
  const restart = () => {
    if (contents.isDestroyed()) return
    restarts.push(clock.now())
    contents.reload()
    const body = 'The window was restarted; alerts kept arriving in the background.'
    shell.notify({ title: 'PsyFlo Console', body, urgent: false })
  }
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    logger.error({ reason, exitCode }, 'page gone')
    restarts = restarts.filter((at) => at > clock.now() - limit.span)
    // Not while the engine is still telling of the loss.
    if (restarts.length < limit.restarts) clock.after(0, restart)
    else
      void askAfterTooMany().then((again) => {
        if (!again) return app.quit()
        restarts = []
        restart()
      })
  })

  let hanging: AbortController | null = null
  contents.on('unresponsive', () => {
    if (hanging !== null) return
    const asked = (hanging = new AbortController())
    void askWhileHanging(asked.signal).then((reload) => {
      hanging = null
      // A page that hangs cannot be reloaded in its process; without one, it is brought back as after a crash.
      if (reload && !contents.isDestroyed()) contents.forcefullyCrashRenderer()
    })
  })
  contents.on('responsive', () => hanging?.abort())
  contents.on('render-process-gone', () => hanging?.abort())
}

async function askAfterTooMany(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'PsyFlo Console',
    message: 'The window stopped several times within a minute and was not opened again.',
    detail: `${goesOn} Open the window again, or quit and restart.`,
    buttons: ['Open again', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  })
  return response === 0
}

/** `signal` takes the question back; that counts as waiting. */
async function askWhileHanging(signal: AbortSignal): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'PsyFlo Console',
    message: 'The window does not respond.',
    detail: `${goesOn} Reloading loses anything typed but not sent.`,
    buttons: ['Wait', 'Reload'],
    defaultId: 0,
    cancelId: 0,
    signal,
  })
  return response === 1
}
