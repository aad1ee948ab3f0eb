/** Runs the built console as its own process, as `npm start -- --web` does. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')

export interface ConsoleProcess {
  /** The one-time address it printed. */
  address: string
  process: ChildProcess
  dataDir: string
  /** All it has written so far. */
  written: { stdout: string; stderr: string }
  /** Ends it and answers with its exit code; null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface ConsoleOptions {
  args?: string[]
  /** Any free one where none is given. */
  port?: number | string | 'usual'
  /** Added to an environment without any setting of the console's own. */
  env?: Record<string, string>
  /** Kept afterwards where it is given; otherwise a fresh one, removed by `stop`. */
  dataDir?: string
  /** Which line to wait for. */
  until?: 'Console' | 'Waiting for the passphrase' | 'Waiting to be set up' | 'Refused'
}

/** Starts it and waits for its address. Rejects with what it wrote when it ends before. */
export async function startConsoleProcess(options: ConsoleOptions = {}): Promise<ConsoleProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'psyflo-'))
  // Many run at once: none is in another's way unless a test is about that.
  const port =
    options.port === undefined ? ['--port', '0'] : options.port === 'usual' ? [] : ['--port', `${options.port}`]
  const args = ['--no-open', '--data-dir', dataDir, ...port, ...(options.args ?? [])]
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'out', 'main', 'web.js'), ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withoutSettings(process.env), ...options.env },
    },
  )
  const written = { stdout: '', stderr: '' }
  const line = new RegExp(`^${options.until ?? 'Console'}: (http\\S+)$`, 'm')
  const address = await new Promise<string>((done, failed) => {
    child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => {
      written.stdout += chunk.toString()
      const found = line.exec(written.stdout)?.[1]
      if (found) done(found)
    })
    child.once('close', (code) => failed(new Error(`The console ended (${code}): ${written.stderr}${written.stdout}`)))
  })
  return {
    address,
    process: child,
    dataDir,
    written,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
      }
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      return child.exitCode
    },
  }
}

/** A developer's own settings must not steer a test. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name)))
}
