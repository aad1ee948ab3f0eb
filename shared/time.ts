/** Reading the clock times of the wire. All instants inside the system are UTC milliseconds. */

const isoTime = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/**
 * Reads an ISO 8601 time as existing back ends write it: often without a zone (then UTC), often with
 * microseconds (cut to milliseconds). Returns UTC milliseconds, or null when it is not such a time.
 */
export function parseUtc(text: string): number | null {
  const match = isoTime.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`)
  if (Number.isNaN(at)) return null
  // Date.parse rolls 31 April over to 1 May; a time that does not exist is not a time.
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() ? at : null
}

export const seconds = (n: number): number => n * 1000
export const minutes = (n: number): number => n * 60_000
export const hours = (n: number): number => n * 3_600_000
export const days = (n: number): number => n * 86_400_000
