/** The columns of a roster that say who a student's guardians are: `guardian_1_name`, … `guardian_4_do_not_contact`. */
import type { CountryCode } from 'libphonenumber-js'
import { guardianOfContact, type Guardian } from '../../../shared/guardians.ts'
import type { RowProblem } from '../../../shared/views.ts'
import { readPhone } from './phone-numbers.ts'

export const mostGuardians = 4
type Part = 'name' | 'relation' | 'phone' | 'email' | 'language' | 'do_not_contact'
export type GuardianField = `guardian_${number}_${Part}`

/** Headings of each part, lower case and without punctuation. */
const partNames: Record<string, Part> = {
  name: 'name',
  relation: 'relation',
  relationship: 'relation',
  phone: 'phone',
  phones: 'phone',
  'phone number': 'phone',
  email: 'email',
  'e mail': 'email',
  language: 'language',
  'do not contact': 'do_not_contact',
}

/** The field that a heading is; undefined = none of a guardian who is kept. */
export function guardianField(heading: string): GuardianField | undefined {
  const [, number, name = ''] = /^guardian ?([1-9]) (.+)$/.exec(heading) ?? []
  const part = partNames[name]
  if (number === undefined || part === undefined || Number(number) > mostGuardians) return undefined
  return `guardian_${Number(number)}_${part}`
}

/** Longest cell, characters. */
const longest = 300

/**
 * The guardians of a row, in their order; after them the one of the old column `guardian_contact`, where no number of
 * theirs is among it. Phones without their country are read as of `country`.
 */
export function readGuardians(
  cells: Partial<Record<GuardianField | 'guardian_contact', string>>,
  country: CountryCode | null,
): Guardian[] | Omit<RowProblem, 'line'> {
  const guardians: Guardian[] = []
  for (let number = 1; number <= mostGuardians; number += 1) {
    const cell = (part: Part): string => cells[`guardian_${number}_${part}`] ?? ''
    const parts = { name: cell('name'), relation: cell('relation'), email: cell('email'), language: cell('language') }
    const [written, forbidden] = [cell('phone'), cell('do_not_contact')]
    if ([...Object.values(parts), written, forbidden].some((text) => text.length > longest))
      return { column: `guardian ${number}`, problem: `is longer than ${longest} characters` }
    const do_not_contact = reasonNotTo(forbidden)
    const phones = phonesIn(written).map((phone) => readPhone(phone, country))
    if (parts.name !== '' || phones.length > 0 || parts.email !== '')
      guardians.push({ ...parts, phones, do_not_contact })
    else if (do_not_contact !== null)
      return { column: `guardian ${number}`, problem: 'must not be contacted, but has no name; write whom that means' }
  }
  const old = guardianOfContact(cells.guardian_contact ?? '', (phone) => readPhone(phone, country))
  const known = guardians.flatMap(({ phones }) => phones.map(digitsOf))
  if (old && (guardians.length === 0 || !old.phones.some((phone) => known.includes(digitsOf(phone)))))
    guardians.push(old)
  return guardians
}

/** Several numbers in one cell stand in lines of their own, or with “;”, “|”, “ / ” or “or” between them. */
function phonesIn(cell: string): string[] {
  return cell
    .split(/[;|\n]|\s\/\s|\sor\s/i)
    .map((phone) => phone.trim())
    .filter((phone) => phone !== '')
}

const digitsOf = ({ written }: { written: string }): string => written.replace(/\D/g, '')

const no = new Set(['', 'no', 'n', 'false', '0', '-', '–', 'none', 'n/a'])
const yes = new Set(['yes', 'y', 'true', '1', 'x', 'do not contact'])

/** Why somebody must not be contacted; null = they may be. Whatever is no plain “no” forbids it. */
function reasonNotTo(cell: string): string | null {
  const said = cell.toLowerCase()
  if (no.has(said)) return null
  return yes.has(said) ? '' : cell
}
