/** What of an error may go to the log: its kind. Its message may quote the student. */
export function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
