/**
 * The quantile of a sample by nearest rank: the smallest of the values that at least a share (0–1) of them does not
 * exceed. The values may come in any order; null of none.
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
