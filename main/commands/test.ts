/** Runs every test there is, says what it did, and closes with one line of figures. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')
const node = [process.execPath, ...process.execArgv]
const reports = mkdtempSync(join(tmpdir(), 'psyflo-test-'))
const packages = (path: string) => join(root, 'node_modules', path)

interface Tally {
  passed: number
  failed: number
  skipped: number
}

interface Check {
  name: string
  args: string[]
}

const staticChecks: Check[] = [
  { name: 'types', args: [packages('typescript/bin/tsc'), '--noEmit'] },
  { name: 'lint', args: [packages('eslint/bin/eslint.js'), '.', '--max-warnings=0'] },
  {
    name: 'walls between folders',
    args: [
      packages('dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['main', 'preload', 'renderer', 'shared', 'test', '--config', '.dependency-cruiser.mjs'],
    ],
  },
  { name: 'unused files and packages', args: [packages('knip/bin/knip.js'), '--no-progress'] },
  { name: 'format', args: [packages('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'] },
]
const build: Check = { name: 'build', args: [join(import.meta.dirname, 'build.ts'), '--if-stale'] }

/** One check that passes or fails as a whole; its words are shown where it fails. */
function runCheck({ name, args }: Check): Promise<Tally> {
  const started = performance.now()
  return new Promise((done) => {
    const child = spawn(node[0]!, [...node.slice(1), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => (output += chunk.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (code !== 0) console.log(output.trimEnd())
      done({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })
    })
  })
}

/** Two at a time: the machine this has to be quick on has two cores. */
async function runChecks(checks: Check[]): Promise<Tally[]> {
  const waiting = [...checks]
  const tallies: Tally[] = []
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) tallies.push(await runCheck(check))
  }
  await Promise.all([worker(), worker()])
  return tallies
}

/** Runs with its own words shown as they come; answers with its exit code. */
function runShown(args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(node[0]!, [...node.slice(1), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.on('close', (code) => done(code ?? 1))
  })
}

/** A run without a single test fails, too. */
async function runVitest(project: string, options: string[] = []): Promise<Tally> {
  const report = join(reports, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runShown([packages('vitest/vitest.mjs'), 'run', '--project', project, ...options, ...reporters])
  const read = readReport<{
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
  }>(report)
  return withExitCode(code, {
    passed: read?.numPassedTests ?? 0,
    failed: read?.numFailedTests ?? 0,
    skipped: (read?.numPendingTests ?? 0) + (read?.numTodoTests ?? 0),
  })
}

async function runPlaywright(chromium: string): Promise<Tally> {
  const report = join(reports, 'playwright.json')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROME_PATH: chromium }
  const code = await runShown([packages('@playwright/test/cli.js'), 'test', '--reporter=list,json'], env)
  const stats = readReport<{ stats: { expected: number; unexpected: number; flaky: number; skipped: number } }>(
    report,
  )?.stats
  return withExitCode(code, {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
  })
}

function readReport<Report>(path: string): Report | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
}

/** A run that ended badly without a failed test (a file that could not be read, a crash) counts as one failure. */
function withExitCode(code: number, tally: Tally): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/** A Chromium for the end-to-end tests: found, or on Debian as root installed. Says what it did. */
async function chromium(): Promise<string | null> {
  const { findChromium } = await import('../../test/support/chromium.ts')
  const found = findChromium()
  if (found !== null) {
    console.log(`Chromium for the end-to-end tests: ${found}`)
    return found
  }
  const root = process.getuid?.() === 0
  const debian = existsSync('/etc/debian_version') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (root && debian) {
    console.log('No Chromium found. Installing Debian’s: apt-get update && apt-get install -y chromium …')
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update'], quiet)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], quiet)
  } else {
    console.log('No Chromium found. Asking Playwright for its own, for at most three minutes …')
    const install = [packages('@playwright/test/cli.js'), 'install', 'chromium', ...(root ? ['--with-deps'] : [])]
    spawnSync(node[0]!, install, { cwd: packages('.'), stdio: 'ignore', timeout: 180_000 })
  }
  const installed = findChromium()
  console.log(installed === null ? 'There is still none.' : `Installed: ${installed}`)
  return installed
}

async function endToEnd(): Promise<Tally> {
  const browser = await chromium()
  if (browser !== null) return runPlaywright(browser)
  console.log(
    'FAILED end-to-end tests: they need a Chromium. Install Google Chrome, Edge or Chromium (Debian: `sudo apt-get ' +
      'install chromium`), or run `npx playwright install chromium`, or set CHROME_PATH; then run this again.',
  )
  return { passed: 0, failed: 1, skipped: 0 }
}

function close(tallies: Tally[], started: number): number {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  rmSync(reports, { recursive: true, force: true })
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\nTook ${minutes} minutes on Node ${process.versions.node}.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
}

async function run(): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(
      'npm test: types, lint, walls, unused, format, build, engine (with coverage), unit, integration, fault and end-to-end tests.',
    )
    console.log('npm run test:long: the longer suites (test/long).')
    return 0
  }
  const unknown = args.find((arg) => arg !== '--long')
  if (unknown !== undefined) {
    console.error(`Unknown option ${unknown}. See --help.`)
    return 2
  }
  const started = performance.now()
  if (args.includes('--long')) return close([await runCheck(build), await runVitest('long')], started)
  const tallies = await runChecks([build, ...staticChecks])
  tallies.push(await runVitest('engine', ['--coverage.enabled']))
  tallies.push(await runVitest('quick'))
  const built = existsSync(join(root, 'out', 'main', 'web.js'))
  tallies.push(built ? await endToEnd() : { passed: 0, failed: 1, skipped: 0 })
  return close(tallies, started)
}

process.exitCode = await run()
