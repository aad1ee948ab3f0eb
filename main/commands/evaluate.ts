/** `npm run evaluate`: the risk engine on labelled data, with figures, intervals and a report. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine } from '../analysis/index.ts'
import { detectionDataOf, readDetectionFiles } from '../assessment/index.ts'
import {
  assessRows,
  htmlReport,
  leftOutRows,
  measure,
  printCost,
  printReliability,
  constructsOf,
  measureMarkers,
  printReport,
  printSuite,
  inputOf,
  printWorst,
  readRows,
  reliabilityOf,
  reportOf,
  RowError,
  targetsOf,
  weeklyCost,
  worstOf,
  type SuiteRow,
} from '../evaluation/index.ts'
import { projectRoot } from '../platform/project-root.ts'

const help = `npm run evaluate -- --data FILE.jsonl [--json] [--show-text] [--report FILE.html]
npm run evaluate -- --suite [--sets FOLDER] [--json]

Runs the risk engine over labeled rows and prints recall with a 95% interval, precision, false-positive
rate and PPV per threshold (caution or above, high or above, crisis) and per slice, and the latency.

  --data FILE     rows {"text", "label": 1|0} or {"text", "tier": "ok|caution|high|crisis"},
                  or {"text", "markers": ["PHQ9_ITEM_3", …]}: all item markers expected, [] = none;
                  optionally "id", "slice", "history": messages said before, oldest first
                  (strings, or {"text", "role": "student|assistant"}), or markers
  --json          print one JSON object instead of tables
  --show-text     print the texts of the worst misses too (they are shown by id only otherwise)
  --report FILE   also write the clinical reliability report (HTML, printable)
  --suite         the whole table of targets instead, beside the figures of the version before: the committed
                  golden set, and the public sets where their folder is found; how reliable the probabilities
                  are; what ordinary talk costs in a week (exit code 1 when a target is not met)
  --sets FOLDER   folder of the public sets (default: ../shared/data beside the project)
  --help          show this text

Exit code: 0 done, 1 failed, 2 misused.`

class Misuse extends Error {}

function main(args: string[]): number {
  const { values } = read(args)
  if (values.help) {
    console.log(help)
    return 0
  }
  if (values.suite) return suite(values.sets, values.json === true)
  if (values.data === undefined) throw new Misuse('--data FILE is missing')
  const engine = createEngine(detectionDataOf(readDetectionFiles()))
  const rows = readRows(readText(values.data))
  const outcomes = assessRows(engine, rows, () => performance.now(), progressTo(rows.length))
  const report = reportOf(outcomes)
  if (values.report !== undefined)
    writeFileSync(values.report, htmlReport(report, basename(values.data), engine.versions))
  if (values.json) {
    console.log(JSON.stringify(report))
    return 0
  }
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  const textOf = (id: string): string | null => (values['show-text'] ? (texts.get(id) ?? null) : null)
  const { missed, false_alarms } = worstOf(outcomes)
  console.log(printReport(report))
  console.log(
    `\n${printWorst('Worst misses', missed, textOf)}\n\n${printWorst('Worst false alarms', false_alarms, textOf)}`,
  )
  return 0
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        data: { type: 'string' },
        json: { type: 'boolean' },
        'show-text': { type: 'boolean' },
        report: { type: 'string' },
        suite: { type: 'boolean' },
        sets: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error))
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new RowError(missing ? `there is no file ${path}` : `${path} cannot be opened`, { cause: error })
  }
}

/** The table of targets; 1 when one of them is not met. */
function suite(sets: string | undefined, json: boolean): number {
  const data = detectionDataOf(readDetectionFiles())
  const engine = createEngine(data)
  const week = data.consensus.messages_per_1000_week
  const folder = sets ?? join(projectRoot(), '..', 'shared', 'data')
  const golden = join(projectRoot(), 'test', 'evaluation', 'golden')
  const lines = (path: string): Record<string, unknown>[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : []
  const publicSet = (name: string) => lines(join(folder, name, 'dev.jsonl'))
  const goldenFile = (name: string) => lines(join(golden, `${name}.jsonl`))
  const assess = ({ text, history: earlier = [] }: SuiteRow) =>
    engine.assess(inputOf(engine, { text, at: 0, history: [], earlier }))
  const constructs = constructsOf(join(projectRoot(), 'resources', 'training'))
  const tiers = targetsOf(publicSet, goldenFile)
    .filter(({ rows }) => rows.length > 0)
    .map((target, index, all) => {
      process.stderr.write(`${index + 1} of ${all.length}: ${target.name} (${target.rows.length} rows)\n`)
      return measure(target, assess)
    })
  const results = [...tiers, ...measureMarkers(publicSet, goldenFile, constructs, (text) => assess({ id: '', text }))]
  const leftOut = leftOutRows(goldenFile)
  const reliability = Object.entries(leftOut).flatMap(([writers, rows]) =>
    (['semantic', 'clinical'] as const).map((signal) => {
      const points = rows.map((row) => ({ probability: assess(row).signals[signal] ?? 0, positive: row.positive }))
      return { name: `${signal}, ${writers}`, ...reliabilityOf(points) }
    }),
  )
  const ordinary = [...leftOut.strangers, ...leftOut.sealed].filter(({ slice }) => slice === 'ordinary')
  const cost = weeklyCost(
    ordinary.map((row) => assess(row).tier),
    week,
  )
  if (json) console.log(JSON.stringify({ targets: results, reliability, cost }))
  else {
    const before = new Map(lines(join(golden, '..', 'before.jsonl')).map((line) => [String(line['target']), line['share'] as number | null])) // prettier-ignore
    console.log(printSuite(results, before))
    console.log('\nProbabilities of the signals, given → found by tenths (how many), on writers left out:')
    for (const { name, ...curve } of reliability) console.log(printReliability(name, curve))
    console.log(`\n${printCost(cost, week, 'ordinary talk of writers left out')}`)
  }
  return results.some(({ met }) => met === false) ? 1 : 0
}

/** Progress on stderr, so that stdout holds figures only. */
function progressTo(all: number): (done: number) => void {
  const step = Math.max(500, Math.ceil(all / 20))
  return (done) => {
    if (all > step && (done % step === 0 || done === all)) process.stderr.write(`${done} of ${all} assessed\n`)
  }
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  const misuse = error instanceof Misuse
  const reason = error instanceof Error ? error.message : String(error)
  console.error(error instanceof RowError ? `The data could not be read: ${reason}.` : reason)
  if (misuse) console.error('\n' + help)
  process.exitCode = misuse ? 2 : 1
}
