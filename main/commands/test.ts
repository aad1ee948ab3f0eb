/** Runs the tests that are asked for, says what it did, and closes with one line of figures. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')
const node = [process.execPath, ...process.execArgv]
const reports = mkdtempSync(join(tmpdir(), 'psyflo-test-'))
const packages = (path: string) => join(root, 'node_modules', path)

const usage = `npm test                    everything but the longer suites: types, lint, walls, unused, format, build, the
                            engine (with coverage) and its golden set, unit, integration, fault and browser tests
npm run test:quick          types, lint, walls and unit tests, within a minute
npm run test:e2e -- NAME …  browser tests whose file has NAME in its path; all without one. Builds where a source
                            has changed; after -- also takes what Playwright takes (-g TEXT, --headed, --repeat-each 5)
npm run test:long           the longer suites (test/long, browser tests tagged @long), at most fifteen minutes
npm run test:soak           the longest (test/soak), as long as they take

A browser comes from CHROME_PATH, the system, or Playwright. One file of the others:
  npx vitest run --project quick test/main/store/keystore.test.ts`

interface Tally {
  passed: number
  failed: number
  skipped: number
}
const one = (passed: boolean): Tally => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })

interface Check {
  name: string
  /** For Node. */
  args: string[]
  /** Answers with what it counted; a check without passes or fails as a whole. */
  count?: (code: number) => Tally
}

const types: Check = { name: 'types', args: [packages('typescript/bin/tsc'), '--noEmit'] }
const lint: Check = { name: 'lint', args: [packages('eslint/bin/eslint.js'), '.', '--max-warnings=0'] }
const walls: Check = {
  name: 'walls between folders',
  args: [
    packages('dependency-cruiser/bin/dependency-cruiser.mjs'),
    ...['main', 'preload', 'renderer', 'shared', 'test', '--config', '.dependency-cruiser.mjs'],
  ],
}
const unused: Check = { name: 'unused files and packages', args: [packages('knip/bin/knip.js'), '--no-progress'] }
const format: Check = {
  name: 'format',
  args: [packages('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
}
const build: Check = { name: 'build', args: [join(import.meta.dirname, 'build.ts'), '--if-stale'] }

/** Tests of one vitest project. */
function vitest(project: string, options: string[] = []): Check {
  const report = join(reports, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name: `${project} tests`,
    args: [packages('vitest/vitest.mjs'), 'run', '--project', project, ...options, ...reporters],
    count(code) {
      const read = readReport<Record<`num${'Passed' | 'Failed' | 'Pending' | 'Todo'}Tests`, number>>(report)
      return withExitCode(code, {
        passed: read?.numPassedTests ?? 0,
        failed: read?.numFailedTests ?? 0,
        skipped: (read?.numPendingTests ?? 0) + (read?.numTodoTests ?? 0),
      })
    },
  }
}
const oneAtATime = ['--maxWorkers=1']
/** Vitest leaves a core to itself, which on two is half of them. */
const cores = Math.max(2, availableParallelism())
/** Nothing but arithmetic and files: as many as there are cores. */
const quick = vitest('quick', [`--maxWorkers=${cores}`])
/** These wait for processes to start and to end, and leave a core to others meanwhile. */
const together = vitest('together', [`--maxWorkers=${cores + 1}`])
const engine = vitest('engine', ['--coverage.enabled', ...oneAtATime])
const golden = vitest('golden', oneAtATime)

/** One check; its words are shown where it fails, or as they come where nothing runs beside it. */
function run({ name, args, count }: Check, beside: boolean, env: Record<string, string> = {}): Promise<Tally> {
  const started = performance.now()
  return new Promise((done) => {
    const child = spawn(node[0]!, [...node.slice(1), ...args], {
      cwd: root,
      stdio: ['ignore', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    })
    let output = ''
    const keep = (chunk: Buffer) => (output += chunk.toString())
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('close', (code) => {
      const tally = count?.(code ?? 1) ?? one(code === 0)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${tally.failed === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (tally.failed > 0) console.log(output.trimEnd())
      done(tally)
    })
  })
}

/** Two at a time: the machine this has to be quick on has two cores. The longest come first. */
async function runTwoAtATime(checks: Check[]): Promise<Tally[]> {
  const waiting = [...checks]
  const tallies: Tally[] = []
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) tallies.push(await run(check, true))
  }
  await Promise.all([worker(), worker()])
  return tallies
}

function readReport<Report>(path: string): Report | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
}

/** A run that ended badly without a failed test (a file that could not be read, a crash) counts as one failure. */
function withExitCode(code: number, tally: Tally): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/** A Chromium for the browser tests: found, or on Debian as root installed. Says what it did. */
async function chromium(): Promise<string | null> {
  const { findChromium } = await import('../../test/support/chromium.ts')
  const found = findChromium()
  if (found !== null) {
    console.log(`Chromium for the browser tests: ${found}`)
    return found
  }
  const isRoot = process.getuid?.() === 0
  const isDebian = existsSync('/etc/debian_version') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (isRoot && isDebian) {
    console.log('No Chromium found. Installing Debian’s: apt-get update && apt-get install -y chromium …')
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update'], quiet)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
  } else {
    console.log('No Chromium found. Asking Playwright for its own, for at most three minutes …')
    const install = [packages('@playwright/test/cli.js'), 'install', 'chromium', ...(isRoot ? ['--with-deps'] : [])]
    spawnSync(node[0]!, install, { cwd: packages('.'), stdio: 'ignore', timeout: 180_000 })
  }
  const installed = findChromium()
  console.log(installed === null ? 'There is still none.' : `Installed: ${installed}`)
  return installed
}

/** Browser tests that belong to the longer suites carry this tag. */
const longOnes = '@long'

/** The browser tests, or those asked for. */
async function browserTests(asked: string[]): Promise<Tally> {
  const CHROME_PATH = await chromium()
  if (CHROME_PATH === null) {
    console.log(
      'FAILED browser tests: they need a Chromium. Install Google Chrome, Edge or Chromium (Debian: `sudo apt-get ' +
        'install chromium`), or run `npx playwright install chromium`, or set CHROME_PATH; then run this again.',
    )
    return one(false)
  }
  const report = join(reports, 'playwright.json')
  const count = (code: number): Tally => {
    const read = readReport<{ stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number> }>(report)
    const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = read?.stats ?? {}
    return withExitCode(code, { passed: expected + flaky, failed: unexpected, skipped })
  }
  const args = [
    packages('@playwright/test/cli.js'),
    'test',
    '--reporter=list,json',
    ...asked.filter((each) => each !== '--'),
  ]
  return run({ name: 'browser tests', args, count }, false, { PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROME_PATH })
}

/** What runs in a real console needs one that was built. */
async function built(then: () => Promise<Tally[]>): Promise<Tally[]> {
  const tally = await run(build, true)
  return tally.failed > 0 ? [tally] : [tally, ...(await then())]
}

const suites: Record<string, (asked: string[]) => Promise<Tally[]>> = {
  '--all': () =>
    built(async () => [
      ...(await runTwoAtATime([engine, lint, golden, types, format, walls, unused])),
      await run(quick, false),
      await run(together, false),
      await browserTests(['--grep-invert', longOnes]),
    ]),
  '--quick': () => runTwoAtATime([lint, vitest('quick'), types, walls]),
  '--e2e': (asked) => built(async () => [await browserTests(asked)]),
  '--long': () => built(async () => [await run(vitest('long'), false), await browserTests(['--grep', longOnes])]),
  '--soak': () => built(async () => [await run(vitest('soak'), false)]),
}

function close(tallies: Tally[], started: number): number {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\nTook ${minutes} minutes on Node ${process.versions.node}.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
}

async function test(): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const [name = '--all', ...asked] = args
  const suite = suites[name]
  if (!suite || (asked.length > 0 && name !== '--e2e')) {
    console.error(`There is no test command “${args.join(' ')}”.\n\n${usage}`)
    return 2
  }
  const started = performance.now()
  return close(await suite(asked), started)
}

try {
  process.exitCode = await test()
} finally {
  rmSync(reports, { recursive: true, force: true })
}
