import { app, shell as desktop, type Session, type WebContents } from 'electron'
import { pageOrigin } from './scheme.ts'

/** What the page may ask of the browser engine; everything else is refused, asked for or checked. */
const allowed = new Set(['notifications', 'clipboard-sanitized-write', 'fullscreen'])

export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allowed.has(permission) && originOf(details.requestingUrl) === pageOrigin),
  )
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => allowed.has(permission) && originOf(origin) === pageOrigin,
  )
  session.setDevicePermissionHandler(() => false)
}

/** No contents of this program ever leave the page, embed another or open a window. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    const stayHome = (event: { preventDefault(): void; url: string }) => {
      if (originOf(event.url) !== pageOrigin) event.preventDefault()
    }
    contents.on('will-navigate', (event) => {
      stayHome(event)
      // A number to call is for the program that this machine calls with.
      if (/^tel:\+?\d+(;ext=\d+)?$/.test(event.url)) void desktop.openExternal(event.url)
    })
    contents.on('will-redirect', stayHome)
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

/** `URL.origin` is "null" for schemes it does not know, so scheme and host are compared. */
function originOf(address: string): string | null {
  try {
    const url = new URL(address)
    return `${url.protocol}//${url.host}`
  } catch {
    return null
  }
}
