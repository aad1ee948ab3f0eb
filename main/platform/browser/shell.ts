import type { Shell } from '../ports.ts'

/**
 * What a browser host can do for the desktop. Notifications and the badge are the page's own there:
 * it hears of every alert on its socket and asks the browser itself.
 */
export function browserShell(): Shell {
  return { notify: () => undefined, badge: () => undefined, openExternal: (url) => void openInBrowser(url) }
}

/** Opens an address in the person's browser; false where there is none to open it in. */
export async function openInBrowser(url: string): Promise<boolean> {
  const noDisplay = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  if (noDisplay || !/^https?:/.test(url)) return false
  try {
    // After the page is served: nobody waits for its loading.
    const { default: open } = await import('open')
    const opener = await open(url)
    opener.on('error', () => undefined)
    return true
  } catch {
    return false
  }
}
