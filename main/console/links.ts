/**
 * Addresses of alerts and students that may be copied: a digest under a key that no address holds, so that nobody who
 * finds one in a history or a message learns a name or a pseudonym from it, or whom two of them have in common.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { schoolKeysInOrder } from './enrolment/index.ts'
import { alertKeysAfter, studentHashesAfter, type Database } from '../store/console/index.ts'
import type { Clock } from '../platform/ports.ts'
import type { LinkKind } from '../../shared/links.ts'

interface LinkOptions {
  db: Database
  clock: Pick<Clock, 'after'>
  /** Of this console alone, hex: for addresses made before the school gave it a key. */
  linkKey: string
}

/** How many are tried in one go; the program answers others between. */
const atOnce = 1_000

/** What stands in the address of an alert or its record (by its key) or a student (by the hash) of a school; 32 characters. */
export function linkTo(options: LinkOptions, school: string, kind: LinkKind, subject: string): string {
  const [key] = keysOf(options, school)
  return digestOf(key, school, kind, subject)
}

/**
 * What an address leads to in this school; null where there is nothing. One that a colleague's console made with the
 * school's key is known here, too, once this console has that key.
 */
export async function followLink(
  options: LinkOptions,
  school: string,
  kind: LinkKind,
  id: string,
): Promise<string | null> {
  const { db, clock } = options
  const keys = keysOf(options, school)
  const wanted = Buffer.from(id)
  const matches = (subject: string) =>
    keys.some((key) => {
      const digest = Buffer.from(digestOf(key, school, kind, subject))
      return digest.length === wanted.length && timingSafeEqual(digest, wanted)
    })
  const after = kind === 'students' ? studentHashesAfter : alertKeysAfter
  for (let some = after(db, school, '', atOnce); some.length > 0; some = after(db, school, some.at(-1) ?? '', atOnce)) {
    const found = some.find(matches)
    if (found !== undefined) return found
    await new Promise<void>((next) => void clock.after(0, next))
  }
  return null
}

/** The school's own keys, the one in use first, which its other consoles have too; then this console's. */
function keysOf({ db, linkKey }: LinkOptions, school: string): [Buffer, ...Buffer[]] {
  const [first, ...others] = schoolKeysInOrder(db, school).map((content_key) =>
    Buffer.from(hkdfSync('sha256', content_key, '', 'addresses of alerts and students', 32)),
  )
  const own = Buffer.from(linkKey, 'hex')
  return first === undefined ? [own] : [first, ...others, own]
}

function digestOf(key: Buffer, school: string, kind: LinkKind, subject: string): string {
  return createHmac('sha256', key).update(`${school} ${kind} ${subject}`).digest('base64url').slice(0, 32)
}
