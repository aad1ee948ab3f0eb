/** Latency of the risk engine on one message. */
import { createEngine } from '../../main/analysis/index.ts'
import { detectionDataOf, readDetectionFiles } from '../../main/assessment/index.ts'
import { figure, percentile, type Bench, type Figure } from './figures.ts'

const sentence = 'I could not sleep again and the maths test is tomorrow, but my sister made me laugh at dinner. '

export function measureEngine({ quick }: Bench): Figure[] {
  const engine = createEngine(detectionDataOf(readDetectionFiles()))
  const times = (text: string, count: number) =>
    Array.from({ length: count }, () => {
      const began = performance.now()
      engine.assess({ text, at: 0, recent: [], history: [], previous: [] })
      return performance.now() - began
    })
  const short = sentence.repeat(3).slice(0, 200)
  times(short, 50)
  return [
    figure('engine: 200 characters, p95', percentile(times(short, quick ? 100 : 1000), 0.95), 'ms'),
    figure('engine: 100 kB, median', percentile(times(sentence.repeat(1100).slice(0, 100_000), 5), 0.5), 'ms'),
  ]
}
