/** A student's guardians, as the school's roster names them, and numbers that can be called. */

export interface PhoneNumber {
  /** As the roster writes it. */
  written: string
  /** E.164, with the extension as in RFC 3966 (`+13125550142;ext=7`); null where it cannot be told. */
  e164: string | null
}

export interface Guardian {
  /** '' = the roster has a number without a name. */
  name: string
  /** “mother”, as the school writes it; '' = unknown. */
  relation: string
  /** The language they are spoken to in, as the school writes it; '' = unknown. */
  language: string
  phones: PhoneNumber[]
  email: string
  /** Why they must not be contacted ('' = no reason was given); null = they may be. */
  do_not_contact: string | null
}

/** A number that is the same for the whole school. */
export interface CallNumber {
  name: string
  /** As people read it. */
  contact: string
}

/** Six digits or more with what people put between them; the parts of a text that are split by it are odd. */
export const phoneInText = /(\+?\(?\d(?:[\s()./-]*\d){5,})/

/**
 * The one guardian that a column of free text means, whose relation nobody knows: “R. Lim (aunt), 555-0142”. A text
 * with several numbers stays whole, because whose each of them is nobody can tell.
 */
export function guardianOfContact(text: string, read: (written: string) => PhoneNumber = asWritten): Guardian | null {
  const whole = text.trim()
  if (whole === '') return null
  const parts = whole.split(phoneInText)
  const phones = parts.filter((_, index) => index % 2 === 1)
  const name = phones.length === 1 ? parts.filter((_, index) => index % 2 === 0).join(' ') : whole
  return {
    name: name.replace(/\s+/g, ' ').replace(/^[\s,;:–-]+|[\s,;:–-]+$/g, ''),
    ...{ relation: '', language: '', email: '', do_not_contact: null },
    phones: phones.map(read),
  }
}

const asWritten = (written: string): PhoneNumber => ({ written, e164: null })

/** Address of a call (RFC 3966); null where what is written is more than a number. */
export function callAddress({ written, e164 }: PhoneNumber): string | null {
  if (e164 !== null) return `tel:${e164}`
  if (!/^\+?[\d\s()./-]+$/.test(written.trim())) return null
  const digits = written.replace(/[^\d+]/g, '')
  return digits.replace('+', '').length >= 3 ? `tel:${digits}` : null
}
