import { net, protocol, type Session } from 'electron'
import { pathToFileURL } from 'node:url'
import { contentSecurityPolicy, fixedHeaders } from '../browser/policy.ts'
import { fileFor } from './page-file.ts'

/** The page's origin in the shell. */
export const pageOrigin = 'app://console'
export const pageAddress = `${pageOrigin}/index.html`

/** Must be called before the app is ready. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true }
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }])
}

/** Answers `app://console/…` with the files of `pageDir`, and nothing outside it. */
export function servePage(session: Session, pageDir: string): void {
  const policy = contentSecurityPolicy('')
  session.protocol.handle('app', async (request) => {
    const file = fileFor(request.url, pageDir)
    if (request.method !== 'GET' || file === null) return new Response('Nothing here.', { status: 404 })
    const found = await net.fetch(pathToFileURL(file).href).catch(() => null)
    if (!found?.ok) return new Response('Nothing here.', { status: 404 })
    const type = found.headers.get('content-type') ?? 'application/octet-stream'
    return new Response(found.body, {
      headers: { ...fixedHeaders, 'content-type': type, 'content-security-policy': policy },
    })
  })
}
