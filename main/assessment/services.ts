/** The services that an installation gives the engine: a clinical service, an embedder. */
import type { ClinicalInUse, EmbedderInUse } from '../../shared/views.ts'
import { createEmbeddingSimilarity, type AssessmentPorts, type Engine } from '../analysis/index.ts'
import { openClinical, type ClinicalAccess } from '../platform/clinical/index.ts'
import { openEmbedder } from '../platform/embedder/index.ts'
import type { Clock, Logger } from '../platform/ports.ts'

export interface ServiceOptions {
  /** Null = the engine's local clinical signal. */
  clinical: ClinicalAccess | null
  /** Folder of a sentence embedder; null = the built-in comparison with known phrases. */
  embedderDir: string | null
  clock: Clock
  logger: Logger
}

export interface AssessmentServices {
  /** Null = none: the engine's local signals decide. */
  ports: AssessmentPorts | null
  clinical(): ClinicalInUse
  embedder(): EmbedderInUse | null
  stop(): void
}

/** Opens what is configured; `engine` answers with prompt and phrases in force at the moment of asking. */
export async function openServices(
  { clinical: access, embedderDir, clock, logger }: ServiceOptions,
  engine: Engine,
): Promise<AssessmentServices> {
  const clinical = await openClinical(access, { prompt: () => engine.clinicalPrompt, clock, logger })
  const source = embedderDir === null ? null : openEmbedder(embedderDir, { clock, logger })
  const similarity = source && createEmbeddingSimilarity(source.embedder, () => engine.referencePhrases)
  const ports =
    clinical.service || similarity
      ? { timer: clock, clinical: clinical.service ?? undefined, similarity: similarity ?? undefined }
      : null
  return {
    ports,
    clinical: () => clinical.state(),
    embedder: () => source && similarity && { ...source.state(), ready: similarity.ready() },
    stop() {
      clinical.stop()
      source?.stop()
    },
  }
}
