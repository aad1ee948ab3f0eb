export interface Bin {
  /** Upper bound in minutes, inclusive; null = everything longer. */
  up_to_minutes: number | null
  count: number
}

/** “0–1”, “1–2”, “over 30”: what each bin holds, in minutes. */
export function binLabels(bins: readonly Bin[]): string[] {
  return bins.map((bin, index) => {
    const from = bins[index - 1]?.up_to_minutes ?? 0
    return bin.up_to_minutes === null ? `over ${from}` : `${from}–${bin.up_to_minutes}`
  })
}
