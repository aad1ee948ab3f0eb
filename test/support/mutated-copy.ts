/** A copy of the program with one small mistake put into it: do its tests see the mistake? */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')
const copied = ['main', 'preload', 'renderer', 'resources', 'shared', 'test', 'package.json', 'tsconfig.json']
/** What one test may take: less where a mistake may make it wait for ever. Milliseconds. */
const longestTest = { asItStands: 60_000, mutated: 20_000 }
/** A mutated program may also turn for ever. Milliseconds. */
const longestRun = 120_000

/** One small change of behavior, and the tests that must fail by it. */
export interface Mutation {
  /** What the program would do wrong, in the product's words; unique. */
  says: string
  /** Path of the source, from the project's folder. */
  file: string
  /** Stands in the file exactly once. */
  find: string
  replace: string
  /** Test files that must see it, from the project's folder. */
  tests: string[]
}

interface TestRun {
  passed: boolean
  /** Names of the tests that failed. */
  failed: string[]
  /** What the run wrote, for whoever has to find out why. */
  output: string
}

export interface MutatedCopy {
  /** Runs some test files as the program stands, or with a mutation that is taken back afterwards. */
  test(files: readonly string[], mutation?: Mutation): Promise<TestRun>
  remove(): void
}

/** The source with the mutation in it. Throws where its place is not found exactly once. */
export function mutate({ file, find, replace }: Mutation): string {
  const source = readFileSync(join(root, file), 'utf8')
  const places = source.split(find).length - 1
  if (places !== 1)
    throw new Error(
      `${file} holds this ${places} times instead of once; say the mutation anew for what stands there now:\n${find}`,
    )
  return source.replace(find, () => replace)
}

/** The mutation as a difference, for the report of one that no test has seen. */
export function difference({ file, find, replace }: Mutation): string {
  const lines = (text: string, sign: string) => text.split('\n').map((line) => `${sign} ${line}`)
  return [file, ...lines(find, '-'), ...lines(replace, '+')].join('\n')
}

/** Copies the sources to a folder for temporary files; the packages are linked. */
export function createMutatedCopy(): MutatedCopy {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'psyflo-mutated-'))
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  linkPackages(folder)
  return {
    async test(files, mutation) {
      if (!mutation) return runTests(folder, files, longestTest.asItStands)
      const path = join(folder, mutation.file)
      writeFileSync(path, mutate(mutation))
      try {
        return await runTests(folder, files, longestTest.mutated)
      } finally {
        cpSync(join(root, mutation.file), path)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Each package by itself: what tools keep beside them (their caches) stays in the copy. */
function linkPackages(folder: string): void {
  const packages = join(root, 'node_modules')
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(packages))
    if (!name.startsWith('.')) symlinkSync(join(packages, name), join(folder, 'node_modules', name), 'junction')
}

interface Report {
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[]
}

async function runTests(folder: string, files: readonly string[], limit: number): Promise<TestRun> {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const { code, output } = await runVitest(folder, [
    ...['run', ...files, '--root', folder, '--pool', 'forks', '--maxWorkers', '1', '--no-isolate', '--bail', '1'],
    ...['--testTimeout', String(limit), '--reporter', 'json', '--outputFile', report],
  ])
  const { testResults } = readReport(report)
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
  const messages = testResults.map(({ message }) => message).filter((message) => message !== '')
  return { passed: code === 0, failed, output: [...messages, output].join('\n') }
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return { testResults: [] }
  }
}

function runVitest(folder: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestRun,
      killSignal: 'SIGKILL',
      // What this process knows of the run it belongs to is not for the other one.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))),
    })
    let output = ''
    const keep = (chunk: Buffer) => (output += chunk.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('close', (code) => done({ code, output }))
  })
}
