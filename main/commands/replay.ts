/** Replays transcripts through a running intake: intake → pipeline → queue → console. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ConsoleError } from '../../shared/errors.ts'
import { findTarget, targetUsage } from '../chat/index.ts'
import { UsageError } from '../configuration/index.ts'
import { readTranscripts, replay, type ReplayFigures } from '../replay/index.ts'
import { systemClock } from '../platform/clock.ts'

const usage = `npm run replay -- --data FILE.jsonl [OPTIONS]

Replays transcripts, one JSON object per line: {"session_id", "student", "turns": [{"role", "text", "at"}]}
role: student, assistant, or system; at: ISO 8601 or UTC milliseconds.

  --data FILE      the transcripts
  --speed N        divide the pauses within a session by N; 0 = as fast as possible (default 1)
  --parallel N     sessions at a time, 1 to 64 (default 8)
${targetUsage}
  --json           print the figures as one JSON object
  --help           show this text

Exit code: 0 everything was sent and accepted, 1 something was not, 2 misused.`

class NotPossible extends Error {}

function readArguments(argv: readonly string[]) {
  let values
  try {
    values = parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        speed: { type: 'string', default: '1' },
        parallel: { type: 'string', default: '8' },
        url: { type: 'string' },
        key: { type: 'string' },
        'data-dir': { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : 'Unknown flag')
  }
  const speed = Number(values.speed)
  const parallel = Number(values.parallel)
  if (values.help) return { ...values, speed, parallel, data: '' }
  if (!values.data) throw new UsageError('--data FILE.jsonl is needed.')
  if (values.speed.trim() === '' || !Number.isFinite(speed) || speed < 0)
    throw new UsageError('--speed needs a number, 0 or more.')
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > 64)
    throw new UsageError('--parallel needs a number from 1 to 64.')
  return { ...values, speed, parallel, data: values.data }
}

function linesOf(file: string) {
  if (!existsSync(file) || !statSync(file).isFile()) throw new NotPossible('The file of --data does not exist.')
  return createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
}

/** Signs of life on stderr: a line that renews itself on a terminal, else one every ten seconds. */
function progress() {
  const { isTTY = false } = process.stderr
  const every = isTTY ? 200 : 10_000
  let shown = systemClock.now()
  let open = false
  return {
    show({ sessions, messages, tiers, bad_lines }: ReplayFigures): void {
      if (systemClock.now() - shown < every) return
      shown = systemClock.now()
      open = isTTY
      const line = `${messages} messages, ${sessions} sessions, ${tiers.crisis} crises, ${bad_lines.length} bad lines`
      process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end(): void {
      if (open) process.stderr.write('\n')
      open = false
    },
  }
}

function report(figures: ReplayFigures, json: boolean): number {
  const { sessions, messages, tiers, refused, bad_lines, latency_ms, seconds, cancelled } = figures
  const refusals = Object.entries(refused)
  for (const { line, problem } of bad_lines) console.error(`Line ${line} skipped: ${problem}`)
  for (const [status, count] of refusals) console.error(`${count} messages refused with ${status}`)
  if (cancelled) console.error('Cancelled. What was sent stays; the sessions begun were ended.')
  const perSecond = seconds > 0 ? Math.round(messages / seconds) : null
  if (json) console.log(JSON.stringify({ ...figures, bad: bad_lines.length, messages_per_second: perSecond }))
  else {
    console.log(`${messages} messages of ${sessions} sessions in ${seconds.toFixed(1)} s`)
    console.log(
      `tiers: ${Object.entries(tiers)
        .map(([tier, count]) => `${tier} ${count}`)
        .join(', ')}`,
    )
    if (latency_ms) console.log(`answer p50 ${latency_ms.p50} ms, p95 ${latency_ms.p95} ms`)
    if (bad_lines.length > 0) console.log(`${bad_lines.length} bad lines skipped`)
  }
  if (sessions === 0 && !cancelled) console.error('There was no whole session in the file.')
  return cancelled || bad_lines.length > 0 || refusals.length > 0 || sessions === 0 ? 1 : 0
}

async function run(argv: readonly string[]): Promise<number> {
  const options = readArguments(argv)
  if (options.help) {
    console.log(usage)
    return 0
  }
  const lines = linesOf(options.data)
  const target = findTarget(options, process.env)
  const cancel = new AbortController()
  for (const stop of ['SIGINT', 'SIGTERM'] as const) process.on(stop, () => cancel.abort())
  const shown = progress()
  try {
    const figures = await replay(readTranscripts(lines), {
      target,
      speed: options.speed,
      parallel: options.parallel,
      clock: systemClock,
      signal: cancel.signal,
      onProgress: shown.show,
    })
    shown.end()
    return report(figures, options.json)
  } finally {
    shown.end()
    // A file still open would keep a cancelled replay from ending.
    lines.close()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
  // Sentences for people; whatever else it is, its name without the text it may hold.
  const known = error instanceof NotPossible || error instanceof ConsoleError
  console.error(known ? (error as Error).message : `The replay failed (${(error as Error).name}).`)
  process.exit(1)
}
