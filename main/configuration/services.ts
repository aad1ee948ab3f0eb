/** The services that an intake asks: a clinical one, one that answers students, the school's own detectors. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ClinicalAccess } from '../platform/clinical/index.ts'
import type { ReplyAccess } from '../platform/reply/index.ts'
import type { VariableName, Variables } from './environment.ts'
import { misconfigured } from './misconfigured.ts'
import { isLoopback } from './paths.ts'

/**
 * The school's own clinical service; null = none. Throws ConsoleError `configuration` where two are named,
 * half of one, or one that others could overhear.
 */
export function clinicalAccess(set: Variables, region: string): ClinicalAccess | null {
  const { PSYFLO_CLINICAL_URL: url, PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: endpoint } = set
  const model = set.PSYFLO_CLINICAL_MODEL ?? null
  const key = set.PSYFLO_CLINICAL_KEY ?? null
  if (url !== undefined && endpoint !== undefined)
    throw misconfigured('PSYFLO_CLINICAL_URL and PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT are both set.')
  if (url !== undefined) {
    if (model === null) throw misconfigured('PSYFLO_CLINICAL_URL is set, but PSYFLO_CLINICAL_MODEL is not.')
    return { kind: 'http', url: confidential('PSYFLO_CLINICAL_URL', url, 'PSYFLO_CLINICAL_KEY'), model, key }
  }
  if (endpoint !== undefined) {
    const own = set.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME
    const name = own === undefined ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME'
    const address = own ?? set.AWS_ENDPOINT_URL
    return { kind: 'sagemaker', endpoint, model, region, address: address === undefined ? null : confidential(name, address, 'PSYFLO_CLINICAL_KEY') } // prettier-ignore
  }
  if (model !== null || key !== null)
    throw misconfigured(
      'PSYFLO_CLINICAL_MODEL or PSYFLO_CLINICAL_KEY is set, but no variable names a clinical service.',
    )
  return null
}

/** An address to which students' words may go: not readable on the way, and no password in what a screen shows. */
function confidential(name: string, address: string, keyName: VariableName): string {
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol === 'http:' && !isLoopback(hostname))
    throw misconfigured(`The environment variable ${name} begins with http://, and students’ messages would go to another machine unencrypted.`) // prettier-ignore
  if (username !== '' || password !== '')
    throw misconfigured(`The environment variable ${name} contains a name or password; put a key in ${keyName}.`) // prettier-ignore
  return address
}

/** The service that answers students; null = none. Throws ConsoleError `configuration`. */
export function replyAccess(set: Variables): ReplyAccess | null {
  const { PSYFLO_REPLY_URL: url, PSYFLO_REPLY_MODEL: model, PSYFLO_REPLY_KEY: key = null } = set
  if (url === undefined) {
    const alone: VariableName[] = ['PSYFLO_REPLY_MODEL', 'PSYFLO_REPLY_KEY']
    const half = alone.find((name) => set[name] !== undefined)
    if (half !== undefined) throw misconfigured(`${half} is set, but PSYFLO_REPLY_URL is not.`)
    return null
  }
  if (model === undefined) throw misconfigured('PSYFLO_REPLY_URL is set, but PSYFLO_REPLY_MODEL is not.')
  return { url: confidential('PSYFLO_REPLY_URL', url, 'PSYFLO_REPLY_KEY'), model, key }
}

/** Files of risk adapters, in order. Throws ConsoleError `configuration` where one is missing or named twice. */
export function adaptersIn(list: string): string[] {
  const paths = list.split(',').map((each) => each.trim())
  const files = paths.filter((path) => path !== '').map((path) => resolve(path))
  const missing = files.findIndex((file) => !existsSync(file))
  if (missing >= 0) throw misconfigured(`Module number ${missing + 1} in PSYFLO_RISK_ADAPTERS does not exist.`)
  if (new Set(files).size < files.length) throw misconfigured('PSYFLO_RISK_ADAPTERS names the same module twice.')
  return files
}
