/** The engine of this console: with a station beside it from the start, else opened when somebody asks for it. */
import type { RunningAssessment } from '../assessment/index.ts'
import type { Configuration } from '../configuration/index.ts'
import type { Ports } from '../platform/ports.ts'
import type { Stops } from '../platform/stops.ts'

/** Answers with the engine and its services. Rejects as `openAssessment` does, and may be asked again then. */
export type Assessment = () => Promise<RunningAssessment>

interface AssessmentNeeds {
  configuration: Configuration
  ports: Ports
  stops: Stops
  /** Where the last good detection files are kept, once that is known. */
  dataDir: Promise<string>
}

/** Opens engine and services. The files are read at once, even while the data directory is still being unlocked. */
export async function openEngine({
  configuration,
  ports,
  stops,
  dataDir,
}: AssessmentNeeds): Promise<RunningAssessment> {
  // Loaded where it is wanted: a district's console shows its alerts without it.
  const { loadEngine, openAssessment } = await import('../assessment/index.ts')
  const loaded = loadEngine()
  const { clinical, embedderDir, riskAdapters } = configuration
  const { clock, logger } = ports
  const services = { clinical, embedderDir, riskAdapters }
  const running = await openAssessment({ ...services, dataDir: await dataDir, clock, logger, loaded })
  stops.push(() => running.stop())
  return running
}

/** Opens at the first call, once for all who ask; what failed is tried again by the next, as its file may be corrected. */
export function openWhenAsked<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opening: Promise<Opened> | null = null
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
}
