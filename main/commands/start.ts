/** Opens the console: in its own window where Electron can run, else in the browser on this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConsoleError } from '../../shared/errors.ts'
import {
  dataDirOf,
  help,
  readConfiguration,
  readFlags,
  readHostOptions,
  sentenceAbout,
  unreadVariables,
  usage,
  UsageError,
} from '../configuration/index.ts'
import { systemClock } from '../platform/clock.ts'
import { consoleAnswers } from '../platform/window-file.ts'
import { ensureBuild } from './build.ts'

const root = resolve(import.meta.dirname, '..', '..')
const electronDir = join(root, 'node_modules', 'electron')
const webEntry = join(root, 'out', 'main', 'web.js')
const args = process.argv.slice(2)

/** How long the download of Electron, or its first window, may take, milliseconds. */
const patience = 30_000

/** Why Electron cannot run here, known before anything is fetched; null when nothing speaks against it. */
function obstacle(): string | null {
  if (process.platform !== 'linux') return null
  if (process.getuid?.() === 0) return 'Electron does not run as root'
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display'
  return null
}

/** Recent Ubuntus let a program make its sandbox only where a profile, or a setuid helper, allows it. */
function sandboxObstacle(binary: string): string | null {
  const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  const restricted = existsSync(restriction) && readFileSync(restriction, 'utf8').trim() === '1'
  if (!restricted) return null
  const helper = spawnSync('stat', ['-c', '%u %a', join(binary, '..', 'chrome-sandbox')], { encoding: 'utf8' })
  return helper.stdout.trim() === '0 4755' ? null : 'this system refuses Electron’s sandbox'
}

/** The Electron program, or null. Never through `require('electron')`, which would start a download of its own. */
function electronBinary(): string | null {
  const named = join(electronDir, 'path.txt')
  if (!existsSync(named)) return null
  const binary = join(electronDir, 'dist', readFileSync(named, 'utf8').trim())
  return existsSync(binary) ? binary : null
}

/** Fetches the Electron program, with signs of life, for as long as patience lasts. */
async function fetchElectron(): Promise<string | null> {
  const installer = join(electronDir, 'install.js')
  if (!existsSync(installer)) return null
  process.stderr.write('Fetching Electron (about 110 MB, once) ')
  const progress = setInterval(() => process.stderr.write('.'), 2_000)
  const child = spawn(process.execPath, [installer], { cwd: electronDir, stdio: 'ignore' })
  const late = setTimeout(() => child.kill('SIGKILL'), patience)
  await new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  clearInterval(progress)
  clearTimeout(late)
  process.stderr.write('\n')
  return electronBinary()
}

/** Runs the console in Electron. Resolves with its exit code once it is closed, or with why it never opened. */
function runElectron(binary: string): Promise<number | string> {
  // What Electron writes before its window opens is kept back; the browser host says this by itself.
  for (const each of unreadVariables(process.env)) console.error(sentenceAbout(each))
  return new Promise((done) => {
    const child = spawn(binary, [root, '--', ...args.filter((arg) => arg !== '--no-open')], {
      cwd: root,
      stdio: ['inherit', 'pipe', 'pipe'],
    })
    let opened = false
    let complaint = ''
    const late = setTimeout(() => child.kill('SIGKILL'), patience)
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      if (!chunk.toString().includes('Console:')) return
      opened = true
      clearTimeout(late)
      // The one line among what was kept back that a person asked for.
      process.stderr.write(/^Chat page: .*\n/m.exec(complaint)?.[0] ?? '')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (opened) process.stderr.write(chunk)
      else complaint += chunk.toString()
    })
    const neverOpened = (reason: string) => {
      clearTimeout(late)
      done(reason)
    }
    child.once('error', (error) => neverOpened(`Electron could not be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      if (opened) return done(code ?? 1)
      const library = /error while loading shared libraries: ([^:]+)/.exec(complaint)?.[1]
      if (signal === 'SIGKILL') return neverOpened('Electron did not open its window within 30 seconds')
      neverOpened(
        library
          ? `Electron misses the library ${library}`
          : `Electron ended before its window opened (${signal ?? `code ${code}`})`,
      )
    })
    for (const stop of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(stop, () => child.kill(stop))
  })
}

/** Exit code of the console in its own window, or the reason why it is to be the browser. */
async function inItsWindow(): Promise<number | string> {
  const early = obstacle()
  if (early !== null) return early
  const binary = electronBinary() ?? (await fetchElectron())
  if (binary === null) return 'Electron could not be fetched from here'
  return sandboxObstacle(binary) ?? (await runElectron(binary))
}

/** Whether a console in the browser has the data directory that is asked for, and is merely to be opened again. */
async function runsInBrowser(): Promise<boolean> {
  return existsSync(webEntry) && consoleAnswers(dataDirOf(readFlags(args)['data-dir'], process.env), systemClock)
}

/** Where it cannot, Electron is neither fetched nor started: the browser host says why and ends. */
function configurationCanBeRead(): boolean {
  try {
    readConfiguration(process.env, args)
    return true
  } catch (error) {
    if (error instanceof ConsoleError) return false
    throw error
  }
}

async function run(): Promise<void> {
  const options = readHostOptions(args)
  if (options.help) return console.log(help)
  const running = await runsInBrowser()
  // The page of a running console must not change under it.
  if (!running) ensureBuild('console')
  if (!options.web && !running && configurationCanBeRead()) {
    const outcome = await inItsWindow()
    if (typeof outcome === 'number') process.exit(outcome)
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM').removeAllListeners('SIGHUP')
    console.error(`The console opens in the browser, because ${outcome}.`)
  }
  await import(pathToFileURL(webEntry).href)
}

// The launcher was ended by force: a console that nobody can stop must not stay behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Listening alone would keep a process alive that has nothing left to do.
process.channel?.unref()
try {
  await run()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n${usage}`)
  process.exit(2)
}
