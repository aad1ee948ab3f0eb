/** The console in a browser on this machine: options, host, page, and words for whoever reads the terminal. */
import { join } from 'node:path'
import { ConsoleError, type PersonalError } from '../shared/errors.ts'
import {
  forgetSecrets,
  help,
  readConfiguration,
  readHostOptions,
  sentenceAbout,
  unreadVariables,
  usage,
  UsageError,
  usualPort,
  type Configuration,
  type HostOptions,
} from './configuration/index.ts'
import { browserShell, openBrowserHost, openInBrowser, type BrowserHost } from './platform/browser/index.ts'
import type { PreferenceStore } from './platform/ports.ts'
import { systemClock } from './platform/clock.ts'
import { prepareDataDir } from './platform/data-dir.ts'
import { createLogger, loggerIn } from './platform/logger.ts'
import { asPersonalError, inLines } from './platform/personal-error.ts'
import { filePreferences } from './platform/preferences.ts'
import { onStop } from './platform/process.ts'
import { projectRoot } from './platform/project-root.ts'
import { systemRandomness } from './platform/randomness.ts'
import { openAgain, writeWindowFile, type Opening } from './platform/window-file.ts'
import { startProgram, type Program } from './program.ts'

/** Until the data directory is known, the terminal alone. */
let logger = createLogger()
/** How long a page has to hear why the console cannot open (milliseconds). */
const farewell = 1000

async function run(configuration: Configuration, options: HostOptions): Promise<void> {
  const again = await openAgain({ ...configuration, port: options.port ?? 0 }, systemClock)
  if (again !== null) return await showAgain(again, options.open)
  prepareDataDir(configuration.dataDir)
  logger = loggerIn(configuration.dataDir, configuration)
  const began = systemClock.now()
  // The port first: where it is taken, no data are touched.
  const preferences = filePreferences(configuration.dataDir, logger)
  const ports = portsFor(configuration, options, preferences)
  const host = await openBrowserHost({
    ports,
    pageDir: join(projectRoot(), 'out', 'renderer'),
    randomness: systemRandomness,
    logger,
  })
  if (options.port === null) sayAndKeep(host.port, ports, configuration, preferences)
  const running = startProgram(configuration, {
    clock: systemClock,
    randomness: systemRandomness,
    logger: {
      info: (...of) => logger.info(...of),
      warn: (...of) => logger.warn(...of),
      error: (...of) => logger.error(...of),
    },
    shell: browserShell(),
    preferences,
  })
  host.serve(running.router, running.contextFor)
  const page = { opened: false, removeWord: () => undefined as void }
  process.once('exit', () => page.removeWord())
  onStop(systemClock, async () => {
    page.removeWord()
    const lastWord = running.lastWord()
    if (lastWord !== null) process.stderr.write(`${lastWord}\n`)
    await host.close()
    await running.stop()
    logger.info({}, 'console stopped')
  })
  const show = (what: Opening['what']) => {
    // Only now: this console has the data, and not another that was started at the same moment.
    if (!page.opened) page.removeWord = leaveWord(running.configuration(), host)
    host.opensAs(what)
    const address = host.address()
    process.stdout.write(`${what}: ${address}\n`)
    if (options.open && !page.opened) void openInBrowser(address)
    page.opened = true
    // Standard output is the address alone.
    if (what === 'Waiting for the passphrase' && running.configuration().mode === 'desk')
      process.stderr.write('Until the passphrase is typed, no message of the chat is taken in.\n')
  }
  running.onSetUp((now) => {
    // A school's own diagnostic lines stand in another file than the demonstration's.
    logger = loggerIn(now.dataDir, now)
    page.removeWord()
    page.removeWord = leaveWord(now, host)
  })
  const refuse = (error: PersonalError) => {
    // Whoever started it without a page has no use for one that offers to try again.
    if (!page.opened && !options.open) fail(new ConsoleError(error))
    process.stderr.write(inLines(error))
    show('Refused')
  }
  void announceWaiting(running, show, refuse)
  try {
    await running.ready
  } catch (error) {
    // Whoever typed the passphrase looks at the page: it hears why before the program ends.
    if (page.opened) await new Promise<void>((told) => void systemClock.after(farewell, told))
    throw error
  }
  logger.info(
    { mode: configuration.mode, demo: configuration.demo, took_ms: systemClock.now() - began },
    'console open',
  )
  show('Console')
}

/** How many ports beside the usual one are tried before any free one is taken. */
const neighbors = 9

/** Under which preference a data directory remembers the port of its page; the demonstration beside it has one of its own. */
const portName = ({ demo }: Configuration) => (demo ? 'demonstration-port' : 'port')

/** Where the page is to be: as asked, else where it was before, else at the usual port or near it. */
function portsFor(
  configuration: Configuration,
  { port }: HostOptions,
  preferences: PreferenceStore,
): [number, ...number[]] {
  if (port !== null) return [port]
  const before = preferences.get(portName(configuration))
  const usual = Array.from({ length: neighbors + 1 }, (_, at) => usualPort + at)
  const first = typeof before === 'number' && Number.isInteger(before) && before > 0 && before < 65_536 ? before : null
  return first === null ? [usualPort, ...usual.slice(1), 0] : [first, ...usual, 0]
}

/** Open windows, and what the browser was allowed, belong to the address: a new one is said. */
function sayAndKeep(
  port: number,
  [wanted]: readonly [number, ...number[]],
  configuration: Configuration,
  preferences: PreferenceStore,
): void {
  if (port !== wanted)
    process.stderr.write(
      `Port ${wanted} is in use, by another console or another program: this console is at port ${port}.\nWindows left open at the other address do not find it; open the address below.\n`,
    )
  if (preferences.get(portName(configuration)) !== port) preferences.set(portName(configuration), port)
}

/** Lets the next start on this data directory find this console; answers with what takes the word away. */
function leaveWord({ dataDir, demo, mode }: Configuration, { port, secret }: BrowserHost): () => void {
  try {
    return writeWindowFile(dataDir, {
      url: `http://127.0.0.1:${port}/`,
      pid: process.pid,
      secret,
      demo,
      desk: mode === 'desk',
    })
  } catch (error) {
    // The alarm runs without it; only the way back in is longer.
    logger.warn({ error }, 'window file')
    return () => undefined
  }
}

/** The console runs already: its page is shown once more and this process has nothing left to do. */
async function showAgain({ what, address }: Opening, open: boolean): Promise<void> {
  await new Promise<void>((written) => process.stdout.write(`${what}: ${address}\n`, () => written()))
  if (open) await openInBrowser(address)
  process.exit(0)
}

/** Where a person has to type something first, the page that asks for it must be reachable before the console is ready. */
async function announceWaiting(
  running: Program,
  announce: (what: Opening['what']) => void,
  refuse: (error: PersonalError) => void,
): Promise<void> {
  const caller = running.router.createCaller(running.contextFor('host'))
  for await (const state of await caller.startup.state()) {
    if (state.phase === 'locked') announce('Waiting for the passphrase')
    if (state.phase === 'set-up') announce('Waiting to be set up')
    if (state.phase === 'refused') refuse(state.error)
    else if (state.phase !== 'opening') return
  }
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${usage}\n`)
    process.exit(2)
  }
  process.stderr.write(inLines(asPersonalError(error, logger)))
  process.exit(1)
}

// Whoever reads the address may close the pipe once it is read.
process.stdout.on('error', () => undefined)
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
try {
  const argv = process.argv.slice(2)
  const options = readHostOptions(argv)
  if (options.help) process.stdout.write(`${help}\n`)
  else {
    for (const each of unreadVariables(process.env)) process.stderr.write(`${sentenceAbout(each)}\n`)
    const configuration = readConfiguration(process.env, argv)
    forgetSecrets(process.env)
    await run(configuration, options)
  }
} catch (error) {
  fail(error)
}
