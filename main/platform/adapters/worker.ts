/** Entry of a risk adapter's thread: loads the module and asks its `assess`. */
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread.ts'

const tell = (message: FromThread): void => parentPort?.postMessage(message)

try {
  const { file } = workerData as { file: string }
  const { assess } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { assess?: unknown }
  if (typeof assess !== 'function') throw new Error('no function')
  parentPort?.on('message', ({ id, question }: ToThread) => {
    Promise.resolve()
      .then(() => assess(question) as unknown)
      .then((answer) => tell({ kind: 'answer', id, answer }))
      // Without the error: it may quote what was read.
      .catch(() => tell({ kind: 'failed', id }))
  })
  tell({ kind: 'loaded' })
} catch {
  tell({ kind: 'broken' })
}
