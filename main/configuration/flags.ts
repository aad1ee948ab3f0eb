/** The flags of `npm start`. */
import { parseArgs } from 'node:util'
import { meaningOf, variableNames } from './environment.ts'

/** How this start shows the console; nothing the console itself needs to know. */
export interface HostOptions {
  /** The browser host, even where Electron is at hand. */
  web: boolean
  /** Port of the browser host on 127.0.0.1; 0 = any free one. */
  port: number
  /** Open the page in the person's browser. */
  open: boolean
  help: boolean
}

/** A flag nobody knows or a value that is none: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `npm start [-- OPTIONS]
  --web            the console in the browser, on this machine only
  --port N         port of the browser host (default 0: any free one)
  --data-dir DIR   where the encrypted data live
  --no-open        print the address, open no browser
  --desk           a school's own desk: the chat's station and the console in one, kept on this machine
  --demo           the demonstration school, on a queue of its own; a configured one is left alone
  --chat-page      a page at the intake to try the chat with, at the address that is then printed
  --help           this text`

/** The usage and the variables: what `--help` prints. */
export const help = `${usage}

Environment, besides the standard AWS_* variables for credentials:
${variableNames.map((name) => `  ${name}\n      ${meaningOf(name).does}`).join('\n')}`

/** Throws UsageError. */
export function readHostOptions(argv: readonly string[]): HostOptions {
  const flags = readFlags(argv)
  const port = Number(flags.port ?? '0')
  if (!/^\d{1,5}$/.test(flags.port ?? '0') || port > 65_535)
    throw new UsageError(`--port wants a number from 0 to 65535, not “${flags.port}”.`)
  return { web: flags.web === true, port, open: flags['no-open'] !== true, help: flags.help === true }
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
    throw new UsageError(
      error instanceof Error ? (error.message.split('. To specify')[0] ?? error.message) : 'Unknown flag',
    )
  }
}
