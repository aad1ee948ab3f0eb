/** What an intake assesses messages with, tried: the engine, and each service that is configured. */
import type { Engine } from '../analysis/index.ts'
import { loadEngine } from '../assessment/index.ts'
import type { StationConfiguration } from '../configuration/index.ts'
import { openAdapter } from '../platform/adapters/index.ts'
import { openClinical } from '../platform/clinical/index.ts'
import { openEmbedder } from '../platform/embedder/index.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import { replyService } from '../platform/reply/index.ts'
import { readReplyWords } from '../station/index.ts'
import { seconds } from '../../shared/time.ts'
import { failure } from './data.ts'
import { failed, ok, type Check } from './report.ts'

type ServiceConfiguration = Pick<StationConfiguration, 'clinical' | 'embedderDir' | 'reply' | 'riskAdapters'>

/** Words of nobody, for services that are tried. */
const trial = 'This is a test of the connection.'
const patience = seconds(10)
/** What a service says of a failure is in the check; its log lines would say it twice. */
const quiet: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Tries the engine and every service that is configured, with harmless words of nobody. Never throws for what it finds. */
export async function checkAssessment(configuration: ServiceConfiguration, clock: Clock): Promise<Check[]> {
  const { check, engine } = checkEngine()
  return engine === null ? [check] : [check, ...(await checkServices(configuration, engine, clock))]
}

function checkEngine(): { check: Check; engine: Engine | null } {
  const name = 'Risk engine'
  const { result } = loadEngine()
  if ('problem' in result) return { check: failure(name, result.problem), engine: null }
  return { check: ok(name, 'The detection files are in order.'), engine: result.engine }
}

/** Each service that is configured answers to harmless words of nobody. */
async function checkServices(configuration: ServiceConfiguration, engine: Engine, clock: Clock): Promise<Check[]> {
  const { clinical, embedderDir, reply, riskAdapters } = configuration
  const checks: Check[] = []
  const attempt = async (name: string, work: (signal: AbortSignal) => Promise<string>, todo: string): Promise<void> => {
    const late = new AbortController()
    const cancel = clock.after(patience, () => late.abort())
    try {
      checks.push(ok(name, await work(late.signal)))
    } catch (error) {
      const why = late.signal.aborted ? 'did not answer in time' : `gave no answer that counts (${problemOf(error)})`
      checks.push(failed(name, `It ${why}.`, todo))
    } finally {
      cancel()
    }
  }
  if (clinical !== null)
    await attempt(
      'Clinical service',
      async (signal) => {
        const { service, stop } = await openClinical(clinical, {
          prompt: () => engine.clinicalPrompt,
          clock,
          logger: quiet,
        })
        await service!.ask(trial, [], signal).finally(stop)
        return 'It answers correctly; students’ messages are sent to it.'
      },
      'Check PSYFLO_CLINICAL_*; without an answer the signals of this machine decide.',
    )
  if (embedderDir !== null)
    await attempt(
      'Embedder',
      async (signal) => {
        const source = openEmbedder(embedderDir, { clock, logger: quiet })
        try {
          await (await source.embedder).embed([trial], signal)
          return 'It loads and answers.'
        } finally {
          source.stop()
        }
      },
      'Check PSYFLO_EMBEDDER_DIR; without it the built-in comparison with known phrases stands.',
    )
  for (const [index, file] of riskAdapters.entries())
    await attempt(
      `Risk adapter ${index + 1}`,
      async (signal) => {
        const source = openAdapter(file, { clock, logger: quiet })
        const local = engine.assess({ text: trial, at: clock.now(), recent: [], history: [], previous: [] })
        try {
          await source.settled
          await source.adapter.assess(trial, local, signal, [])
          return `${source.state().name} loads and answers as it should.`
        } finally {
          source.stop()
        }
      },
      'Check the module: it exports assess({text, recent}), which answers {score, categories, reason?} within 500 ms.',
    )
  if (reply !== null)
    await attempt(
      'Reply service',
      async (signal) => {
        await replyService(reply, readReplyWords().prompt)([{ role: 'user', content: trial }], signal)
        return 'It answers; students’ messages are sent to it, beside the decision.'
      },
      'Check PSYFLO_REPLY_*; without an answer students read a fixed sentence.',
    )
  return checks
}

/** What kind of failure it was; its message may quote the service. */
function problemOf(error: unknown): string {
  const { why, status, name } = error as { why?: unknown; status?: unknown; name?: unknown }
  return [why ?? name, status].filter((each) => typeof each === 'string' || typeof each === 'number').join(' ')
}
