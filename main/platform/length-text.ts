import { hours, minutes } from '../../shared/time.ts'

/** A length of time in one unit, for a sentence: “45 seconds”, “12 minutes”, “3 hours”. */
export function lengthText(ms: number): string {
  if (ms < minutes(2)) return counted(Math.round(ms / 1000), 'second')
  if (ms < hours(2)) return counted(Math.round(ms / minutes(1)), 'minute')
  return counted(Math.round(ms / hours(1)), 'hour')
}

const counted = (count: number, unit: string): string =>
  new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
