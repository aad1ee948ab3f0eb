import { app, Menu, nativeImage, Notification, powerMonitor, shell as desktop, Tray } from 'electron'
import type { Shell } from '../ports.ts'

export interface ElectronShell extends Shell {
  /** Puts the console into the tray; closing the window then hides it, and alerts go on being received. */
  showTray(icon: string): void
}

/** Notifications, badge and tray. `bringForward` shows the window. */
export function electronShell(bringForward: () => void): ElectronShell {
  let tray: Tray | null = null
  // A notification that is garbage-collected loses its click.
  const shown = new Set<Notification>()
  return {
    notify({ title, body, urgent, until }) {
      if (!Notification.isSupported()) return
      const notification = new Notification({
        title,
        body,
        urgency: urgent ? 'critical' : 'normal',
        timeoutType: urgent ? 'never' : 'default',
      })
      const forget = () => void shown.delete(notification)
      notification.on('click', () => {
        forget()
        bringForward()
      })
      notification.on('close', forget)
      until?.addEventListener('abort', () => notification.close(), { once: true })
      shown.add(notification)
      notification.show()
    },
    notifies: () => Notification.isSupported(),
    badge(count) {
      app.setBadgeCount(count)
      tray?.setToolTip(count === 0 ? 'PsyFlo Console' : `PsyFlo Console: ${count} not acknowledged`)
    },
    openExternal(url) {
      if (/^https:/.test(url)) void desktop.openExternal(url)
    },
    onPower(listener) {
      const suspended = () => listener('suspend')
      const resumed = () => listener('resume')
      powerMonitor.on('suspend', suspended)
      powerMonitor.on('resume', resumed)
      // Some machines tell of a short sleep by this alone.
      powerMonitor.on('unlock-screen', resumed)
      return () => {
        powerMonitor.off('suspend', suspended)
        powerMonitor.off('resume', resumed)
        powerMonitor.off('unlock-screen', resumed)
      }
    },
    showTray(icon) {
      tray = new Tray(nativeImage.createFromPath(icon))
      tray.setToolTip('PsyFlo Console')
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: 'Open', click: bringForward },
          { type: 'separator' },
          { label: 'Quit', click: () => app.quit() },
        ]),
      )
      tray.on('click', bringForward)
    },
  }
}

/** A menu of what every program has: editing keys, zoom, reload, quit. */
export function setMenu(): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : [{ role: 'fileMenu' as const }]),
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          { role: 'reload' },
          { type: 'separator' },
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { role: 'togglefullscreen' },
        ],
      },
      { role: 'windowMenu' },
    ]),
  )
}
