/** Errors that reach a person: what happened, what is safe, what to do. */

export interface PersonalError {
  /** Stable name of the error, for support and tests. */
  code: string
  /** What happened, one sentence. */
  happened: string
  /** What was kept or is safe, one sentence. */
  safe: string
  /** What to do now, one sentence. */
  todo: string
}

/** Thrown where the caller cannot act on the failure but a person can. Never holds student text. */
export class ConsoleError extends Error implements PersonalError {
  readonly code: string
  readonly happened: string
  readonly safe: string
  readonly todo: string

  constructor(error: PersonalError, options?: ErrorOptions) {
    super(`${error.happened} ${error.safe} ${error.todo}`, options)
    this.name = 'ConsoleError'
    this.code = error.code
    this.happened = error.happened
    this.safe = error.safe
    this.todo = error.todo
  }
}

/** Only the sentences of an error: the object would bring its stack and cause along. */
export function plainError({ code, happened, safe, todo }: PersonalError): PersonalError {
  return { code, happened, safe, todo }
}
