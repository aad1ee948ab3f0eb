/** A detection file that cannot be used: which file, which path in it, which value. The last good data stay in force. */
export class DetectionFileError extends Error {
  readonly file: string
  readonly path: string
  readonly value: string

  constructor(file: string, path: string, value: string, problem: string) {
    super(`${file}: ${path === '' ? 'the file' : path} ${problem} (value: ${value})`)
    this.name = 'DetectionFileError'
    this.file = file
    this.path = path
    this.value = value
  }
}

/** A value for an error message, cut to one short line. */
export function quoteValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
