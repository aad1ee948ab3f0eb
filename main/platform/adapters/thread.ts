/** The thread of one risk adapter as seen from outside. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ConversationMessage } from '../../analysis/index.ts'
import { projectRoot } from '../project-root.ts'

/** What `assess` of a module is called with. */
interface Question {
  text: string
  /** What was said before it, the oldest first. */
  recent: readonly ConversationMessage[]
}
export interface ToThread {
  id: number
  question: Question
}
export type FromThread =
  { kind: 'loaded' } | { kind: 'broken' } | { kind: 'answer'; id: number; answer: unknown } | { kind: 'failed'; id: number } // prettier-ignore

export interface Thread {
  /** Rejects where the module cannot be loaded or has no function `assess`. */
  loaded: Promise<void>
  /** Resolves when the thread is gone, whatever ended it. */
  ended: Promise<void>
  /** Rejects where the module fails or the thread ends; a question whose `signal` is aborted is forgotten. */
  ask(question: Question, signal: AbortSignal): Promise<unknown>
  stop(): void
}

/** Megabytes of a thread's own memory: an adapter that fills it ends, and the station does not. */
const mostMemory = 512

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

export function startThread(file: string): Thread {
  const worker = new Worker(...script(file))
  // What a foreign module prints may quote what it read.
  worker.stdout.resume()
  worker.stderr.resume()
  const waiting = new Map<number, Waiting>()
  let next = 0
  let gone = false

  const take = (id: number): Waiting | undefined => {
    const asked = waiting.get(id)
    waiting.delete(id)
    return asked
  }
  let told: { resolve(): void; reject(error: Error): void } | null = null
  const loaded = new Promise<void>((resolve, reject) => (told = { resolve, reject }))
  // Whoever starts a thread hears of its end in any case.
  loaded.catch(() => undefined)
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'loaded') told?.resolve()
    else if (message.kind === 'broken') told?.reject(new Error('the module gives no function'))
    else if (message.kind === 'answer') take(message.id)?.resolve(message.answer)
    else take(message.id)?.reject(new Error('the adapter failed'))
  })
  // The exit follows; without a listener it would end the station.
  worker.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      gone = true
      for (const { reject } of waiting.values()) reject(new Error('the adapter ended'))
      waiting.clear()
      told?.reject(new Error('the adapter ended'))
      resolve()
    })
  })
  return {
    loaded,
    ended,
    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(new Error('the adapter ended'))
        const id = next++
        waiting.set(id, { resolve, reject })
        signal.addEventListener('abort', () => take(id)?.reject(new Error('late')), { once: true })
        worker.postMessage({ id, question } satisfies ToThread)
      }),
    stop: () => void worker.terminate(),
  }
}

/** The thread's own program: a file of the build, or the source where the station runs from its sources. */
function script(file: string): ConstructorParameters<typeof Worker> {
  const options = {
    workerData: { file },
    stdout: true,
    stderr: true,
    // The credentials of the queues are nothing to it.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  }
  if (!import.meta.url.endsWith('.ts')) return [join(projectRoot(), 'out', 'main', 'adapter.js'), options]
  const typeStripping = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  return [join(import.meta.dirname, 'worker.ts'), { ...options, execArgv: typeStripping }]
}
