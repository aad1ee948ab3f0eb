/** `npm run bench`: measures the console against what is asked of it. The benchmarks live in test/bench. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..', '..')
const names = [
  'engine',
  'queue-to-paint',
  'chat-to-paint',
  'many-alerts',
  'backlog',
  'station',
  'many-sessions',
  'long-session',
  'database',
  'screens',
]
const help = `npm run bench [-- --json] [--only NAME] [--quick] [--full]

Measures the built console with a real queue server and a real browser, each in its own process, and
prints every figure next to its target. Takes about ten minutes; leave the machine alone meanwhile.

  --only NAME   one of ${names.join(', ')}; may be given more than once
  --quick       less data and one round, just to see that everything runs; the figures mean little
  --full        the database with 1,000,000 messages and 100,000 sessions
  --json        print one JSON object; progress goes to standard error
  --help        show this text

Exit code: 0 everything could be measured, 1 something could not, 2 misused. A missed target is
marked but is not a failure: another program on the same cores is enough to cause one.`

function misused(reason: string): never {
  console.error(`${reason}\n\n${help}`)
  process.exit(2)
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        full: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return misused(error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : String(error))
  }
}

function run(args: string[], stdout: 'inherit' | 'ignore'): number {
  const command = [...process.execArgv, ...args]
  return spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', stdout, 'inherit'] }).status ?? 1
}

const flags = readFlags()
if (flags.help) console.log(help)
else {
  const unknown = flags.only?.find((name) => !names.includes(name))
  if (unknown !== undefined) misused(`There is no benchmark “${unknown}”.`)
  const built = run([join(import.meta.dirname, 'build.ts'), '--if-stale'], 'ignore')
  if (built !== 0) process.exit(1)
  process.exitCode = run([join(root, 'test', 'bench', 'run.ts'), ...process.argv.slice(2)], 'inherit')
}
