import { net, protocol, type Session } from 'electron'
import { join, normalize, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contentSecurityPolicy, fixedHeaders } from '../browser/policy.ts'

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

/** The file an address stands for; null for another host and for every way out of the folder. */
export function fileFor(address: string, pageDir: string): string | null {
  const url = new URL(address)
  if (url.host !== 'console') return null
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  if (path.includes('\0') || path.includes('\\')) return null
  const file = normalize(join(pageDir, path === '/' ? 'index.html' : path))
  return file.startsWith(pageDir + sep) ? file : null
}
