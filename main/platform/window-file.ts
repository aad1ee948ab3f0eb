/**
 * How a start finds the console that already runs in the browser on its data directory, and asks it for a way
 * back in: whoever closed the page must not have to stop the alarm to see it again.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import { seconds } from '../../shared/time.ts'
import type { Clock } from './ports.ts'

/** Where the running host is asked, with POST and its secret; part of no page. */
export const againPath = '/again'

/** How long a running host may take to answer: it may be busy with a history of weeks. */
const patience = seconds(10)

const windowSchema = z.object({
  /** The page without a token: it opens nothing by itself. */
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/$/),
  pid: z.int().positive(),
  /** Proves to the host that whoever asks may read this file. */
  secret: z.string().min(32),
  demo: z.boolean(),
  desk: z.boolean().default(false),
})
export type WindowFile = z.input<typeof windowSchema>

const answerSchema = z.object({
  what: z.enum(['Console', 'Waiting for the passphrase', 'Waiting to be set up', 'Refused']),
  address: z.string(),
})
/** What a host says of itself, and an address that opens it once. */
export type Opening = z.infer<typeof answerSchema>

/** The demonstration school runs beside the school's own console, and leaves word of itself in a file of its own. */
const pathOf = (dataDir: string, demo: boolean) => join(dataDir, demo ? 'demonstration-window.json' : 'window.json')

/** Leaves word of this host, readable by its owner only; answers with what takes it away again. */
export function writeWindowFile(dataDir: string, window: WindowFile): () => void {
  const path = pathOf(dataDir, window.demo)
  const unfinished = `${path}.${window.pid}`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, JSON.stringify(window), { mode: 0o600, flag: 'wx' })
  renameSync(unfinished, path)
  return () => {
    if (read(dataDir, window.demo)?.secret === window.secret) rmSync(path, { force: true })
  }
}

/** The consoles in the browser that run on this directory, the demonstration school beside it included; without a token. */
export function pagesThatRun(dataDir: string, clock: Clock): Promise<{ url: string; answers: boolean }[]> {
  const windows = [readRunning(dataDir, false), readRunning(dataDir, true)].filter((window) => window !== null)
  return Promise.all(
    windows.map(async (window) => ({ url: window.url, answers: (await ask(window, 'HEAD', clock)) !== null })),
  )
}

/** Whether one of them answers. */
export async function consoleAnswers(dataDir: string, clock: Clock): Promise<boolean> {
  return (await pagesThatRun(dataDir, clock)).some(({ answers }) => answers)
}

/**
 * A fresh address of the console, or with `demo` of the demonstration school, that runs in the browser on this
 * directory; null where none answers. `port` 0 = any. Throws ConsoleError `console_running` where it runs on another.
 */
export async function openAgain(
  { dataDir, demo, port }: { dataDir: string; demo: boolean; port: number },
  clock: Clock,
): Promise<Opening | null> {
  const window = readRunning(dataDir, demo)
  if (window === null) return null
  const itsPort = Number(new URL(window.url).port)
  if (port === 0 || port === itsPort) return ask(window, 'POST', clock)
  if ((await ask(window, 'HEAD', clock)) === null) return null
  throw new ConsoleError({
    code: 'console_running',
    happened: `A console is running on this data directory: ${demo ? 'the demonstration school' : window.desk ? 'a school’s desk' : 'a district console'}, on port ${itsPort}.`,
    safe: 'It keeps running; nothing was changed.',
    todo: 'Start without --port to open it again, stop it first, or choose another --data-dir.',
  })
}

function read(dataDir: string, demo: boolean): WindowFile | null {
  try {
    return windowSchema.parse(JSON.parse(readFileSync(pathOf(dataDir, demo), 'utf8')))
  } catch {
    return null
  }
}

function readRunning(dataDir: string, demo: boolean): WindowFile | null {
  const window = read(dataDir, demo)
  return window !== null && isAlive(window.pid) ? window : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** HEAD only asks whether it is there: an address printed before keeps working. Null for whatever is no answer of ours. */
async function ask(window: WindowFile, method: 'HEAD' | 'POST', clock: Clock): Promise<Opening | null> {
  const late = new AbortController()
  const cancel = clock.after(patience, () => late.abort())
  try {
    const response = await fetch(new URL(againPath, window.url), {
      method,
      headers: { authorization: `Bearer ${window.secret}` },
      redirect: 'error',
      signal: late.signal,
    })
    if (!response.ok) return null
    if (method === 'HEAD') return { what: 'Console', address: window.url }
    const opening = answerSchema.parse(await response.json())
    return opening.address.startsWith(window.url) ? opening : null
  } catch {
    return null
  } finally {
    cancel()
  }
}
