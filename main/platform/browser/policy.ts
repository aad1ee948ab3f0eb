import type { IncomingHttpHeaders } from 'node:http'

/** Nothing by default; then exactly what the page uses. */
export function contentSecurityPolicy(socketOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Dialogs and lists of the component library set a style element while they are open.
    "style-src 'self' 'unsafe-inline'",
    // Charts are saved as pictures by way of blob: and data: addresses.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    `connect-src 'self' ${socketOrigin}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers that every answer carries, beside the policy. */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
}

/**
 * True for a request that names this host and, where it says where it comes from, comes from its own page.
 * A name that merely resolves to this machine (DNS rebinding) and a page of another site are refused.
 */
export function isOwn(headers: IncomingHttpHeaders, port: number, originRequired: boolean): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? '')) return false
  if (headers.origin === undefined) return !originRequired
  return headers.origin === `http://${headers.host}`
}
