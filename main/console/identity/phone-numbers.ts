import { getCountryForTimezone } from 'countries-and-timezones'
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'
import type { PhoneNumber } from '../../../shared/guardians.ts'

/** The country (ISO 3166-1 alpha-2) that a time zone (IANA name) is of; null where it is of none, as UTC is. */
export function countryOf(timeZone: string): CountryCode | null {
  const country = getCountryForTimezone(timeZone)?.id
  return country !== undefined && isSupportedCountry(country) ? country : null
}

/** A phone number as it is written, and as E.164 where its country is known and it has as many digits as one there. */
export function readPhone(written: string, country: CountryCode | null): PhoneNumber {
  const read = parsePhoneNumberFromString(written, country ?? undefined)
  if (!read?.isPossible()) return { written, e164: null }
  return { written, e164: read.ext ? `${read.number};ext=${read.ext}` : read.number }
}
