/** Entry of the embedder's thread: a message is read here for tens of milliseconds, in which no window may stand still. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadModel, ModelFailure } from './model.ts'
import type { FromThread, ToThread } from './thread.ts'

const tell = (message: FromThread): void => parentPort?.postMessage(message)

try {
  const { dimension, embed } = await loadModel((workerData as { folder: string }).folder)
  parentPort?.on('message', ({ texts }: ToThread) => {
    embed(texts).then(
      (vectors) => tell({ kind: 'vectors', vectors }),
      // Without the error: it may quote what was read.
      () => tell({ kind: 'failed' }),
    )
  })
  tell({ kind: 'loaded', dimension })
} catch (error) {
  tell({ kind: 'broken', why: error instanceof ModelFailure ? error.why : 'unreadable' })
}
