import type { ClinicalProblem } from '../../shared/views.ts'

/** A service that gave no answer that counts. Never holds anything it said, or was told. */
export class ServiceFailure extends Error {
  readonly why: ClinicalProblem
  /** HTTP status, where there was one. */
  readonly status: number | null

  constructor(why: ClinicalProblem, status: number | null = null) {
    super(`the service: ${why}`)
    this.name = 'ServiceFailure'
    this.why = why
    this.status = status
  }
}

/** What an HTTP status other than 200 says of a service. */
export function failureOfStatus(status: number | null): ServiceFailure {
  return new ServiceFailure(status !== null && status >= 300 && status < 400 ? 'redirected' : 'refused', status)
}
