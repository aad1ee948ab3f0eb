/** The flags of `npm start`. */
import { parseArgs } from 'node:util'
import { meaningOf, namesOf, type Program } from './environment.ts'
import { wrapped } from './wrapped.ts'

/** How this start shows the console; nothing the console itself needs to know. */
export interface HostOptions {
  /** The browser host, even where Electron is at hand. */
  web: boolean
  /** Port of the browser host on 127.0.0.1; 0 = any free one, null = the usual one, or where it is taken another. */
  port: number | null
  /** Open the page in the person's browser. */
  open: boolean
  help: boolean
}

/** A flag nobody knows or a value that is none: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Where the browser host is unless another port is asked for: at the same address a window finds the console again
 * when it was restarted, and the browser remembers what it was allowed.
 */
export const usualPort = 8740

export const usage = wrapped(`npm start [-- OPTIONS]
  --web            open the console in the browser, on this machine only
  --port N         port for the browser, this time (default: as before, else ${usualPort} or the next free one; 0: any free port)
  --data-dir DIR   where the encrypted data is kept
  --no-open        print the address without opening a browser
  --desk           open a school's own desk: the chat's station and the console in one, all on this machine
  --demo           open the demonstration school, on its own queue; configured queues are left alone
  --chat-page      also serve a page to try the chat with; its address is printed
  --help           show this text`)

/** A usage and the variables of its program: what `--help` prints. */
export function helpOf(program: Program, itsUsage: string): string {
  return wrapped(`${itsUsage}

Environment, besides the standard AWS_* variables for credentials:
${namesOf(program)
  .map((name) => `  ${name}\n      ${meaningOf(name).does}`)
  .join('\n')}`)
}

export const help = helpOf('console', usage)

/** Throws UsageError. */
export function readHostOptions(argv: readonly string[]): HostOptions {
  const flags = readFlags(argv)
  const port = flags.port === undefined ? null : portOf(flags.port)
  return { web: flags.web === true, port, open: flags['no-open'] !== true, help: flags.help === true }
}

/** A port, 0 = any free one. Throws UsageError. */
export function portOf(written: string): number {
  const port = Number(written)
  if (/^\d{1,5}$/.test(written) && port <= 65_535) return port
  throw new UsageError(`--port needs a number from 0 to 65535, not “${written}”.`)
}

/** Throws UsageError. */
export function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: false,
      options: {
        web: { type: 'boolean' },
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        'no-open': { type: 'boolean' },
        desk: { type: 'boolean' },
        demo: { type: 'boolean' },
        'chat-page': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw wrongFlag(error)
  }
}

/** What `parseArgs` throws, without its advice to programmers. */
export function wrongFlag(error: unknown): UsageError {
  return new UsageError(
    error instanceof Error ? (error.message.split('. To specify')[0] ?? error.message) : 'Unknown flag',
  )
}
