/** The embedder's thread as seen from the console: one question at a time, the others wait here. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { projectRoot } from '../project-root.ts'
import { ModelFailure, type ModelProblem } from './model.ts'

export interface ToThread {
  texts: readonly string[]
}
export type FromThread =
  | { kind: 'loaded'; dimension: number }
  | { kind: 'broken'; why: ModelProblem }
  | { kind: 'vectors'; vectors: Float32Array[] }
  | { kind: 'failed' }

export interface Thread {
  dimension: number
  /** A question whose `signal` is aborted while it waits is never put. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

interface Question {
  texts: readonly string[]
  signal: AbortSignal | undefined
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

/** Loads a model in a thread of its own; `loaded` rejects with ModelFailure. */
export function startThread(folder: string): { loaded: Promise<Thread>; stop(): void } {
  const worker = new Worker(...script(folder))
  // What the libraries print is for their makers, and nobody knows what it quotes.
  worker.stdout.resume()
  worker.stderr.resume()
  const waiting: Question[] = []
  let asked: Question | null = null
  let ended = false

  const next = (): void => {
    if (asked || ended) return
    asked = waiting.shift() ?? null
    if (asked?.signal?.aborted) {
      asked.reject(new Error('nobody waits for it any more'))
      asked = null
      return next()
    }
    if (asked) worker.postMessage({ texts: asked.texts } satisfies ToThread)
  }
  const embed: Thread['embed'] = (texts, signal) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Error('the embedder has ended'))
      waiting.push({ texts, signal, resolve, reject })
      next()
    })
  const end = (): void => {
    ended = true
    for (const question of [asked, ...waiting.splice(0)]) question?.reject(new Error('the embedder has ended'))
    asked = null
  }

  const loaded = new Promise<Thread>((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'loaded') return resolve({ dimension: message.dimension, embed })
      if (message.kind === 'broken') return reject(new ModelFailure(message.why))
      const question = asked
      asked = null
      if (message.kind === 'vectors') question?.resolve(message.vectors)
      else question?.reject(new Error('the embedder failed'))
      next()
    })
    const lost = (): void => {
      end()
      reject(new ModelFailure('unreadable'))
    }
    worker.on('error', lost)
    worker.on('exit', lost)
  })
  return { loaded, stop: () => void worker.terminate() }
}

/** The thread's own program: a file of the build, or the source where the console runs from its sources. */
function script(folder: string): ConstructorParameters<typeof Worker> {
  const options = { workerData: { folder }, stdout: true, stderr: true }
  if (!import.meta.url.endsWith('.ts')) return [join(projectRoot(), 'out', 'main', 'embedder.js'), options]
  const typeStripping = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  return [join(import.meta.dirname, 'worker.ts'), { ...options, execArgv: typeStripping }]
}
