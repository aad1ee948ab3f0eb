export interface SparkPoint {
  index: number
  value: number
}

/** Runs of days that follow each other with a value. */
export function sparkRuns(values: readonly (number | null)[]): SparkPoint[][] {
  const runs: SparkPoint[][] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const run = runs.at(-1)
    if (run && run.at(-1)?.index === index - 1) run.push({ index, value })
    else runs.push([{ index, value }])
  }
  return runs
}
