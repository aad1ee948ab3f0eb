/** One measured figure beside the asked one. */
export interface Figure {
  name: string
  value: number
  unit: 'ms' | 'events/s' | 'messages/s' | '%' | 's' | '×'
  /** Null where nothing is asked: a figure for reading the others by. */
  asked: { most: number } | { least: number } | null
  met: boolean | null
  note?: string
}

export function figure(
  name: string,
  value: number,
  unit: Figure['unit'],
  asked: Figure['asked'] = null,
  note?: string,
): Figure {
  const met = asked === null ? null : 'most' in asked ? value <= asked.most : value >= asked.least
  return { name, value: Math.round(value * 100) / 100, unit, asked, met, ...(note !== undefined && { note }) }
}

/** The value below which `part` (0–1) of the values lie; NaN of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export function asLine({ name, value, unit, asked, met, note }: Figure): string {
  const want = asked === null ? '' : 'most' in asked ? `≤ ${asked.most}` : `≥ ${asked.least}`
  const mark = met === null ? '      ' : met ? 'ok    ' : 'MISSED'
  return `${mark} ${name.padEnd(58)} ${`${value} ${unit}`.padStart(16)}  ${want.padEnd(8)} ${note ?? ''}`.trimEnd()
}

export interface Bench {
  /** Fewer repetitions and less data, to see that everything runs. */
  quick: boolean
  /** A million messages instead of a fifth of them. */
  full: boolean
  progress(what: string): void
}
