/** The services that an installation gives the engine: a clinical service, an embedder, risk adapters. */
import type { AdapterInUse, ClinicalInUse, EmbedderInUse } from '../../shared/views.ts'
import { createEmbeddingSimilarity, type AssessmentPorts, type Engine } from '../analysis/index.ts'
import { openAdapter } from '../platform/adapters/index.ts'
import { openClinical, type ClinicalAccess } from '../platform/clinical/index.ts'
import { openEmbedder } from '../platform/embedder/index.ts'
import type { Clock, Logger } from '../platform/ports.ts'

export interface ServiceOptions {
  /** Null = the engine's local clinical signal. */
  clinical: ClinicalAccess | null
  /** Folder of a sentence embedder; null = the built-in comparison with known phrases. */
  embedderDir: string | null
  /** Modules of risk adapters, each in a thread of its own; none unless given. */
  riskAdapters?: readonly string[]
  clock: Clock
  logger: Logger
}

export interface AssessmentServices {
  /** Null = none: the engine's local signals decide. */
  ports: AssessmentPorts | null
  clinical(): ClinicalInUse
  embedder(): EmbedderInUse | null
  adapters(): AdapterInUse[]
  stop(): void
}

/** Opens what is configured; `engine` answers with prompt and phrases in force at the moment of asking. */
export async function openServices(
  { clinical: access, embedderDir, riskAdapters = [], clock, logger }: ServiceOptions,
  engine: Engine,
): Promise<AssessmentServices> {
  const clinical = await openClinical(access, { prompt: () => engine.clinicalPrompt, clock, logger })
  const source = embedderDir === null ? null : openEmbedder(embedderDir, { clock, logger })
  const similarity = source && createEmbeddingSimilarity(source.embedder, () => engine.referencePhrases)
  const sources = riskAdapters.map((file) => openAdapter(file, { clock, logger }))
  // The first messages are to be read by them, too.
  await Promise.all(sources.map(({ settled }) => settled))
  const adapters = sources.map(({ adapter }) => adapter)
  const ports =
    clinical.service || similarity || adapters.length > 0
      ? { timer: clock, clinical: clinical.service ?? undefined, similarity: similarity ?? undefined, adapters }
      : null
  return {
    ports,
    clinical: () => clinical.state(),
    adapters: () => sources.map(({ state }) => state()),
    embedder: () => source && similarity && { ...source.state(), ready: similarity.ready() },
    stop() {
      clinical.stop()
      source?.stop()
      for (const each of sources) each.stop()
    },
  }
}
