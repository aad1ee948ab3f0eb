import { BrowserWindow, screen, session } from 'electron'
import { join } from 'node:path'
import { z } from 'zod'
import type { PreferenceStore } from '../ports.ts'
import { pageAddress } from './scheme.ts'

const least = { width: 1024, height: 700 }
const placeSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), maximized: z.boolean() })

/** The one window, where it was left. It is shown once its first picture is drawn. */
export async function openWindow(builtDir: string, preferences: PreferenceStore): Promise<BrowserWindow> {
  const place = visiblePlace(preferences.get('window'))
  const window = new BrowserWindow({
    ...(place ?? { width: 1440, height: 900 }),
    minWidth: least.width,
    minHeight: least.height,
    show: false,
    title: 'PsyFlo Console',
    webPreferences: {
      preload: join(builtDir, 'preload', 'index.cjs'),
      session: session.defaultSession,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      // An alert must be drawn and sounded while the window is behind others.
      backgroundThrottling: false,
    },
  })
  window.once('ready-to-show', () => {
    if (place?.maximized) window.maximize()
    window.show()
  })
  const remember = () => preferences.set('window', { ...window.getNormalBounds(), maximized: window.isMaximized() })
  window.on('close', remember)
  await window.loadURL(pageAddress)
  return window
}

/** A remembered place that can still be seen: a screen may have been unplugged since. */
function visiblePlace(remembered: unknown) {
  const read = placeSchema.safeParse(remembered)
  if (!read.success) return null
  const { x, y, width, height } = read.data
  const area = screen.getDisplayMatching(read.data).workArea
  const visible =
    x + width > area.x + 100 && x < area.x + area.width - 100 && y >= area.y - 10 && y < area.y + area.height - 100
  return visible ? { ...read.data, width: Math.max(width, least.width), height: Math.max(height, least.height) } : null
}
