/** Runs the built station as its own process, as `npm run station` does, beside a real topic and queue. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { school } from './intake-school.ts'
import type { QueueServer } from './queue-server.ts'

const root = resolve(import.meta.dirname, '..', '..')
const program = ['--disable-warning=ExperimentalWarning', join(root, 'out', 'main', 'station.js')]

/** A key that may do everything, at the school of the station. */
export const chatKey = 'key-of-the-chat-for-tests'

/** What a station needs in its environment to use these queues. */
export function stationEnv(queue: QueueServer): Record<string, string> {
  const { PSYFLO_EVENTS_QUEUE_URL: _, ...env } = queue.env
  return {
    ...env,
    AWS_ENDPOINT_URL_SNS: queue.endpoint,
    PSYFLO_EVENTS_TOPIC_ARN: queue.topicArn,
    PSYFLO_SCHOOL_ID: school,
    PSYFLO_PASSPHRASE: 'a passphrase for tests',
    CONSULTX_API_KEYS: `${chatKey}::read+write+analytics`,
  }
}

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs it to its end: with --check, or where it cannot start. */
export async function runStation(args: string[], env: Record<string, string>): Promise<Ran> {
  const { child, written } = spawnStation(args, env)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}

export interface StationProcess {
  /** The address it printed, with a slash at its end. */
  url: string
  process: ChildProcess
  dataDir: string
  written: { stdout: string; stderr: string }
  /** Its exit code, once it has ended; null when a signal ended it. */
  ended: Promise<number | null>
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response>
  /** Ends it where it still runs, and removes its data where they were its own. */
  stop(): Promise<void>
}

/** Starts it at any free port and waits for its address. Rejects with what it wrote when it ends before. */
export async function startStationProcess(
  env: Record<string, string>,
  options: {
    args?: string[]
    dataDir?: string
    /** Told of the process before it serves anything. */
    onSpawned?: (process: ChildProcess) => void
  } = {},
): Promise<StationProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'station-process-'))
  const { child, written } = spawnStation(['--port', '0', '--data-dir', dataDir, ...(options.args ?? [])], env)
  options.onSpawned?.(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((done, failed) => {
    child.stdout.on('data', () => {
      const found = /^Station: (http:\/\/\S+\/)$/m.exec(written.stdout)?.[1]
      if (found !== undefined) done(found)
    })
    child.once('close', (code) => failed(new Error(`The station ended (${code}): ${written.stderr}${written.stdout}`)))
  })
  return {
    url,
    process: child,
    dataDir,
    written,
    ended,
    call: (method, path, body) =>
      fetch(new URL(path, url), {
        method,
        headers: { 'x-api-key': chatKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function spawnStation(args: string[], env: Record<string, string>) {
  // A developer's own settings must not steer a test.
  const plain = Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name))
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(plain), ...env },
  })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  return { child, written }
}
