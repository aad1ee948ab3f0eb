import type { ClinicalProblem } from '../../../shared/views.ts'

/** A clinical service that gave no answer that counts. Never holds anything it said, or was told. */
export class ClinicalFailure extends Error {
  readonly why: ClinicalProblem
  /** HTTP status, where there was one. */
  readonly status: number | null

  constructor(why: ClinicalProblem, status: number | null = null) {
    super(`the clinical service: ${why}`)
    this.name = 'ClinicalFailure'
    this.why = why
    this.status = status
  }
}

/** What an HTTP status other than 200 says of a service. */
export function failureOfStatus(status: number | null): ClinicalFailure {
  return new ClinicalFailure(status !== null && status >= 300 && status < 400 ? 'redirected' : 'refused', status)
}
