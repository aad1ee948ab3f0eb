/** `npm run chat` as its own process: typed into through a pipe, or at a pseudo-terminal as by a person. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const launcher = join(resolve(import.meta.dirname, '..', '..'), 'main', 'commands', 'launch.mjs')

export interface TerminalChat {
  /** All that it has shown so far. */
  shown(): string
  type(line: string): void
  /** Ends the conversation as the end of the input does; answers with the exit code. */
  end(): Promise<number | null>
}

/** Lends a program a terminal of its own (util-linux). */
const script = '/usr/bin/script'

/** A student at a desk or station that runs on this data directory. `watched`: at a terminal, where one can be had. */
export function startTerminalChat(options: { dataDir: string; user: string; watched?: boolean }): TerminalChat {
  const { dataDir, user, watched = false } = options
  const command = [process.execPath, launcher, 'chat', '--user', user, '--data-dir', dataDir]
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const [program = '', ...args] =
    watched && existsSync(script)
      ? [script, '--quiet', '--flush', '--return', '--command', quoted, '/dev/null']
      : command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  return {
    shown: () => shown,
    type: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.stdin.end()
      return (await ended)[0]
    },
  }
}
