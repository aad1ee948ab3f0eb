import { app, dialog, type BrowserWindow } from 'electron'
import type { PreferenceStore } from '../ports.ts'

const title = 'PsyFlo Console'
/** Whether somebody was told that closing the window ends nothing. */
const toldOfTray = 'told-of-tray'

export interface KeepRunning {
  /** Closing this window hides it; the first time a dialog says so. */
  hideOnClose(window: BrowserWindow): void
  /** Quits without asking: the terminal, or the system, has asked for it. */
  quitNow(): void
}

/**
 * An alarm that ends with its window is no alarm: the program goes on in the tray, and quitting a desk (`isDesk`)
 * has to be confirmed.
 */
export function keepRunning(preferences: PreferenceStore, isDesk: () => boolean): KeepRunning {
  let quitting = false
  let confirmed = false
  let asking = false
  app.on('before-quit', (event) => {
    if (confirmed || !isDesk()) {
      quitting = true
      return
    }
    event.preventDefault()
    if (asking) return
    asking = true
    void askToQuit().then((sure) => {
      asking = false
      if (!sure) return
      confirmed = true
      app.quit()
    })
  })
  return {
    hideOnClose(window) {
      window.on('close', (event) => {
        if (quitting) return
        event.preventDefault()
        window.hide()
        if (preferences.get(toldOfTray) === true) return
        preferences.set(toldOfTray, true)
        void tellOfTray()
      })
    },
    quitNow() {
      confirmed = true
      app.quit()
    },
  }
}

async function tellOfTray(): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title,
    message: 'The console keeps running in the tray.',
    detail:
      'Alerts are still received, and new ones appear as notifications. To open the window again, click the tray icon; to end the program, choose Quit in its menu.',
    buttons: ['OK'],
    defaultId: 0,
    cancelId: 0,
  })
}

async function askToQuit(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title,
    message: 'Quit the desk? Alerts will stop.',
    detail:
      'Until the desk is started again, the chat cannot reach the school, and nothing students write will raise an alert. To get it out of the way, just close the window.',
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  })
  return response === 1
}
