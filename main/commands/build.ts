/** Builds main, preload and page into out/, and remembers from what. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '..', '..')
const record = join(root, 'out', 'built-from')
const sources = [
  'main',
  'preload',
  'renderer',
  'shared',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
]

/** True when out/ was built, to the end, from the sources as they are now. */
export function isBuildFresh(): boolean {
  return existsSync(record) && readFileSync(record, 'utf8') === digestOfSources()
}

/** Builds where a source has changed; ends the process where that fails. Standard output is kept for the program. */
export function ensureBuild(what: 'console' | 'station'): void {
  if (isBuildFresh()) return
  console.error(`Building the ${what} …`)
  const built = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (built.status === 0) return
  console.error(`${built.stdout}${built.stderr}`.trim())
  console.error(`The ${what} could not be built; nothing was started. The lines above say where.`)
  process.exit(1)
}

/** Digest of every source's path, size and time of change: quick, and wrong only towards building again. */
function digestOfSources(): string {
  const digest = createHash('sha256')
  const take = (path: string) => {
    const { size, mtimeMs } = statSync(join(root, path))
    digest.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  for (const source of sources) {
    if (statSync(join(root, source)).isFile()) take(source)
    else
      for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) take(join(entry.parentPath, entry.name).slice(root.length + 1))
  }
  return digest.digest('hex')
}

async function run(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log('npm run build: builds main, preload and page into out/. --if-stale: only where a source has changed.')
    return
  }
  if (process.argv.includes('--if-stale') && isBuildFresh()) return
  const from = digestOfSources()
  rmSync(record, { force: true })
  // Imported here: asking whether a build is fresh must not load a bundler.
  const { build } = await import('electron-vite')
  process.env.NODE_ENV = 'production'
  await build({ root, logLevel: 'warn' })
  writeFileSync(record, from)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run()
