import { createHash, timingSafeEqual } from 'node:crypto'
import type { Randomness } from '../ports.ts'

/**
 * Who may see the page: an address holds a token that works once and is exchanged for a cookie.
 * Only the newest address works: an older one lies about in a terminal or a history. Both are 256 random bits, kept as digests, and gone when the process ends.
 */
export interface Admission {
  /** A token for a new address; the one before it stops working. */
  mint(): string
  /** Exchanges a token for the value of a cookie; null for a token that was used, replaced or never given out. */
  exchange(token: string): string | null
  /** Uses a token up for someone who holds a cookie already. */
  spend(token: string): void
  /** The window a cookie stands for; null for a cookie nobody was given. */
  windowOf(cookie: string | undefined): string | null
}

export function createAdmission(randomness: Randomness): Admission {
  let unused: Buffer | null = null
  const windows: { cookie: Buffer; windowId: string }[] = []
  const secret = () => randomness.bytes(32).toString('base64url')
  const spend = (token: string) => {
    if (unused === null || !timingSafeEqual(unused, digest(token))) return false
    unused = null
    return true
  }
  return {
    mint() {
      const token = secret()
      unused = digest(token)
      return token
    },
    spend: (token) => void spend(token),
    exchange(token) {
      if (!spend(token)) return null
      const cookie = secret()
      windows.push({ cookie: digest(cookie), windowId: randomness.uuid() })
      return cookie
    },
    windowOf(cookie) {
      if (cookie === undefined) return null
      const given = digest(cookie)
      return windows.find((window) => timingSafeEqual(window.cookie, given))?.windowId ?? null
    },
  }
}

/** Browsers keep cookies by host, not by port: the port in the name keeps two consoles apart. */
export function cookieName(port: number): string {
  return `psyflo_${port}`
}

/** The value of one cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

/** Compares two secrets in a time that tells nothing of either. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
