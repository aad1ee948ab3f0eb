import { join, normalize, sep } from 'node:path'

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
