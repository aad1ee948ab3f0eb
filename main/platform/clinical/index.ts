/** A school's own clinical service behind the engine's port: who is asked, and how it fares. */
import type { ClinicalInUse } from '../../../shared/views.ts'
import type { ClinicalPrompt, ClinicalService } from '../../analysis/index.ts'
import type { Clock, Logger } from '../ports.ts'
import { withHealth } from './health.ts'
import { httpService } from './http.ts'

/** Where the clinical service is; set by the environment, see main/configuration.ts. */
export type ClinicalAccess =
  | {
      kind: 'http'
      /** Base address of an OpenAI-compatible API, as `https://host/v1`. */
      url: string
      model: string
      key: string | null
    }
  | {
      kind: 'sagemaker'
      endpoint: string
      model: string | null
      region: string
      /** Null = AWS. */
      address: string | null
    }

export interface ClinicalSource {
  /** Null = the engine's local clinical signal. */
  service: ClinicalService | null
  state(): ClinicalInUse
  stop(): void
}

export interface ClinicalPorts {
  /** The prompt in force at the moment of asking. */
  prompt(): ClinicalPrompt
  clock: Clock
  logger: Logger
}

/** Reaches the configured service; nothing is asked of it yet. */
export async function openClinical(access: ClinicalAccess | null, ports: ClinicalPorts): Promise<ClinicalSource> {
  if (access === null) return { service: null, state: () => local, stop: () => undefined }
  if (access.kind === 'http') {
    const { service, health } = withHealth(httpService(access, ports.prompt), ports)
    return { service, state: () => ({ kind: 'http', where: new URL(access.url).host, ...health() }), stop: () => undefined } // prettier-ignore
  }
  // Who has no endpoint there has no use for the cloud's client: loaded only here.
  const { sageMakerService } = await import('./sagemaker.ts')
  const endpoint = sageMakerService(access, ports.prompt)
  const { service, health } = withHealth(endpoint.ask, ports)
  return { service, state: () => ({ kind: 'sagemaker', where: access.endpoint, ...health() }), stop: endpoint.stop }
}

const local: ClinicalInUse = { kind: 'local', where: '', failed: null, answered_at: null, resting: false }
