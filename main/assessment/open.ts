/** The engine as this installation runs it: the detection files in force, the last good ones, and its services. */
import type { ConsoleError, PersonalError } from '../../shared/errors.ts'
import type { DetectionState } from '../../shared/views.ts'
import type { AssessmentPorts, Engine } from '../analysis/index.ts'
import { keepLastGood, readLastGood } from './last-good.ts'
import { buildEngine, loadEngine, type BuiltEngine, type LoadedEngine } from './load-engine.ts'
import { openServices, type ServiceOptions } from './services.ts'

export interface AssessmentOptions extends ServiceOptions {
  /** Where the last good files are kept. */
  dataDir: string
  /** An engine that was loaded before there was a data directory; else it is loaded now. */
  loaded?: LoadedEngine
}

export interface RunningAssessment {
  /** Always answers with the data in force at that moment. */
  engine: Engine
  /** Services that the engine asks beside its local signals; null = none. */
  services: AssessmentPorts | null
  state(): Omit<DetectionState, 'reply'>
  /** What does not work as it should, one entry each, for whoever runs the intake. */
  degraded(): string[]
  /** Reads the files again; a broken one changes nothing. Answers the problem, if there is one. */
  reload(): PersonalError | null
  stop(): void
}

/**
 * Puts the detection files in force, or the last good ones where a file is broken, and opens the services.
 * Rejects with ConsoleError `detection_file` when a file is broken and there were never good ones.
 */
export async function openAssessment(options: AssessmentOptions): Promise<RunningAssessment> {
  const { dataDir, logger, loaded = loadEngine() } = options
  let { engine: current, problem } = firstEngine(loaded, dataDir)
  const keep = ({ files }: BuiltEngine): void => {
    try {
      keepLastGood(dataDir, files)
    } catch (error) {
      // The engine runs all the same; only a broken file at the next start would find nothing to go back to.
      logger.warn({ error }, 'the last good detection files could not be kept')
    }
  }
  if ('files' in loaded.result) keep(loaded.result)
  // Whoever holds the engine across a reload asks the one that is in force then.
  const engine = new Proxy(current, { get: (_, name) => Reflect.get(current, name) as unknown })
  const services = await openServices(options, engine)

  return {
    engine,
    services: services.ports,
    state: () => ({
      versions: current.versions,
      problem: problem && { code: problem.code, happened: problem.happened, safe: problem.safe, todo: problem.todo },
      clinical: services.clinical(),
      embedder: services.embedder(),
      adapters: services.adapters(),
    }),
    degraded: () =>
      services.adapters().flatMap(({ name, problem }) => (problem ? [`adapter ${name}: ${problem}`] : [])),
    reload() {
      const next = buildEngine(loaded.read())
      problem = 'problem' in next ? next.problem : null
      if ('engine' in next) {
        current = next.engine
        keep(next)
      }
      return problem
    },
    stop: () => services.stop(),
  }
}

/** The engine of the files as they stand, or of the last good ones. */
function firstEngine({ result }: LoadedEngine, dataDir: string): { engine: Engine; problem: ConsoleError | null } {
  if ('engine' in result) return { engine: result.engine, problem: null }
  const files = readLastGood(dataDir)
  const lastGood = files && buildEngine(files)
  // A newer program may read files differently: then there is no last good engine.
  if (!lastGood || 'problem' in lastGood) throw result.problem
  return { engine: lastGood.engine, problem: result.problem }
}
