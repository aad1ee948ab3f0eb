import { createHash, timingSafeEqual } from 'node:crypto'
import type { Randomness } from '../ports.ts'

/**
 * Who may see the page: an address holds a token that works once and is exchanged for a cookie.
 * Both are 256 random bits, kept as digests, and gone when the process ends.
 */
export interface Admission {
  /** A token for one more address. */
  mint(): string
  /** Exchanges a token for the value of a cookie; null for a token that was used or never given out. */
  exchange(token: string): string | null
  /** The window a cookie stands for; null for a cookie nobody was given. */
  windowOf(cookie: string | undefined): string | null
}

export function createAdmission(randomness: Randomness): Admission {
  const tokens: Buffer[] = []
  const windows: { cookie: Buffer; windowId: string }[] = []
  const secret = () => randomness.bytes(32).toString('base64url')
  return {
    mint() {
      const token = secret()
      tokens.push(digest(token))
      return token
    },
    exchange(token) {
      const given = digest(token)
      const index = tokens.findIndex((known) => timingSafeEqual(known, given))
      if (index < 0) return null
      tokens.splice(index, 1)
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

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
