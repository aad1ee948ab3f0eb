/** A school's own sentence embedder behind the engine's port, in a thread of its own. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { EmbedderInUse } from '../../../shared/views.ts'
import type { Embedder } from '../../analysis/index.ts'
import { createCircuit } from '../circuit.ts'
import type { Clock, Logger } from '../ports.ts'
import { ModelFailure } from './model.ts'
import { startThread } from './thread.ts'

export interface EmbedderSource {
  /** Rejects where the folder gives no model. */
  embedder: Promise<Embedder>
  state(): Omit<EmbedderInUse, 'ready'>
  stop(): void
}

/** Loads the model of a folder; the console does not wait for it. */
export function openEmbedder(folder: string, { clock, logger }: { clock: Clock; logger: Logger }): EmbedderSource {
  const { loaded, stop } = startThread(folder)
  const circuit = createCircuit(clock)
  const name = nameOf(folder)
  let dimension: number | null = null
  let problem: EmbedderInUse['problem'] = null
  let failed: EmbedderInUse['failed'] = null

  const noteFailure = (signal: AbortSignal) => (_: unknown, inARow: number) => {
    failed = { at: clock.now(), late: signal.aborted }
    if (inARow <= 3) logger.warn({ late: failed.late, failures: inARow }, 'the embedder failed')
  }
  const embedder = loaded.then((thread): Embedder => {
    dimension = thread.dimension
    return {
      name,
      dimension,
      embed: (texts, signal) =>
        signal ? circuit.call(signal, () => thread.embed(texts, signal), noteFailure(signal)) : thread.embed(texts),
    }
  })
  embedder.catch((error: unknown) => {
    problem = error instanceof ModelFailure ? error.why : 'unreadable'
    logger.warn({ why: problem }, 'the embedder could not be loaded')
  })
  return { embedder, stop, state: () => ({ name, dimension, problem, failed, resting: circuit.resting() }) }
}

/** What the model calls itself, or what its folder is called. */
function nameOf(folder: string): string {
  const file = join(folder, 'config.json')
  try {
    const { _name_or_path: name } = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}') as Record<string, unknown> // prettier-ignore
    if (typeof name === 'string' && name !== '') return basename(name).slice(0, 80)
  } catch {
    // A broken description changes nothing about the model.
  }
  return basename(folder).slice(0, 80)
}
