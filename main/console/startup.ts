/** Until the program is open: how far it is, for the screens; the passphrase, the data directory and its keys. */
import { mkdirSync } from 'node:fs'
import { ConsoleError, plainError, type PersonalError } from '../../shared/errors.ts'
import type { StartupState } from '../../shared/views.ts'
import type { Configuration } from '../configuration/index.ts'
import { passphraseProvider, refuseShort, throwawayProvider } from '../platform/key-providers.ts'
import { asPersonalError } from '../platform/personal-error.ts'
import type { KeyProvider, Ports } from '../platform/ports.ts'
import { stopAll, type Stops } from '../platform/stops.ts'
import {
  freshDemonstrationDir,
  keystoreExists,
  keystoreProvider,
  lockDataDir,
  openKeys,
  settleSetUp,
  type Keys,
} from '../store/console/index.ts'
import { appRouter, type AppRouter, type Context, type Parts, type SetUp } from './router/index.ts'

/** A data directory taken for this process, and its keys. */
export interface Unlocked {
  dir: string
  keys: Keys
}

export interface RunningConsole {
  router: AppRouter
  /** The context of one window: a browser session or an Electron window. */
  contextFor(windowId: string): Context
  /** The database is open and consuming has begun; rejects with a ConsoleError. */
  ready: Promise<void>
  /** Tells its windows that another program takes its place: they are to be loaded anew. */
  replaced(): void
  stop(): Promise<void>
}

/** What a start does once it has its data: the parts, and when they may be shown. */
export type Opening = (
  unlocked: Promise<Unlocked>,
  stops: Stops,
  /** How much of the demonstration's past has been told, 0–1. */
  onTold: (told: number) => void,
  atTheQueue: AtTheQueue,
) => Promise<{ parts: Parts; presentable: Promise<void> }>

/** What the screens hear while a console claims its queue. */
export interface AtTheQueue {
  /** Another console has shown itself there, and is watched. */
  watching(): void
  /** Another one receives. Resolves when somebody has said to try again. */
  refused(error: ConsoleError): Promise<void>
}

/** Takes the data directory and its keys; may wait for a person. What it holds is given back by `stops`. */
export type Unlocking = (startup: Startup, stops: Stops) => Promise<Unlocked>

export interface StartupOptions {
  ports: Ports
  unlock: Unlocking
  /** Offered to the windows of this console; null = nothing can be set up from it. */
  setUp: SetUp | null
  /** The chat talks to this very program; false = to a station elsewhere. */
  takesMessages: boolean
  /** Its data are made anew at each start. */
  madeAnew?: boolean
}

/** Runs a start: it answers at once, and screens ask how far it is. What fails is stopped again and shown. */
export function runStartup(options: StartupOptions, open: Opening): RunningConsole {
  const { ports, unlock } = options
  const startup = createStartup(options, ports.randomness.uuid(), { phase: 'opening', told: null })
  const stops: Stops = []
  let stopping = false

  const run = async (): Promise<void> => {
    const unlocked = unlock(startup, stops)
    unlocked.catch(() => undefined)
    const onTold = (told: number) => startup.change({ phase: 'opening', told })
    const { parts, presentable } = await open(unlocked, stops, onTold, {
      watching: () => startup.change({ phase: 'opening', told: null, claiming: true }),
      refused: (error) => startup.refuse(plainError(error)),
    })
    void presentable.then(() => startup.open(parts))
  }
  const ready = run().catch(async (error: unknown) => {
    if (stopping) return
    await stopAll(stops)
    startup.change({ phase: 'failed', error: plainError(asPersonalError(error, ports.logger)) })
    throw error
  })
  // The host awaits `ready` too; a failure before that must not end the process by itself.
  ready.catch(() => undefined)

  return {
    router: appRouter,
    contextFor: (windowId) => ({ windowId, startup }),
    ready,
    replaced: () => startup.change({ phase: 'replaced' }),
    async stop() {
      stopping = true
      await stopAll(stops)
    },
  }
}

/** A start that has no data yet: it waits until a person has set the machine up, and another one takes its place. */
export function waitForSetUp(setUp: SetUp, { randomness }: Pick<Ports, 'randomness'>): RunningConsole {
  const startup = createStartup({ setUp, takesMessages: true }, randomness.uuid(), { phase: 'set-up' })
  return {
    router: appRouter,
    contextFor: (windowId) => ({ windowId, startup }),
    ready: Promise.resolve(),
    replaced: () => startup.change({ phase: 'replaced' }),
    stop: () => Promise.resolve(),
  }
}

type Startup = ReturnType<typeof createStartup>

function createStartup(
  { setUp, takesMessages, madeAnew = false }: Pick<StartupOptions, 'setUp' | 'takesMessages' | 'madeAnew'>,
  startId: string,
  first: StartupState,
) {
  let state = first
  let parts: Parts | null = null
  let waitingForPassphrase: ((passphrase: string) => void) | null = null
  let waitingToTryAgain: (() => void) | null = null
  const listeners = new Set<(state: StartupState) => void>()
  const change = (next: StartupState): void => {
    // Whatever is still under way in a program that was replaced is no news to its windows.
    if (state.phase === 'replaced') return
    state = next
    listeners.forEach((listener) => listener(next))
  }
  return {
    setUp,
    takesMessages,
    startId,
    madeAnew,
    state: () => state,
    listen(listener: (state: StartupState) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    unlock(passphrase: string) {
      waitingForPassphrase?.(passphrase)
      waitingForPassphrase = null
    },
    parts: () => parts,
    change,
    open(opened: Parts) {
      parts = opened
      change({ phase: 'ready' })
    },
    tryAgain() {
      waitingToTryAgain?.()
      waitingToTryAgain = null
    },
    /** Shows why the start does not go on, and waits until somebody tries again. */
    refuse(error: PersonalError): Promise<void> {
      return new Promise((resolve) => {
        waitingToTryAgain = () => {
          change({ phase: 'opening', told: null })
          resolve()
        }
        change({ phase: 'refused', error })
      })
    },
    /** Shows the lock and waits until somebody types a passphrase. */
    ask(locked: Extract<StartupState, { phase: 'locked' }>): Promise<string> {
      return new Promise((resolve) => {
        waitingForPassphrase = resolve
        change(locked)
      })
    },
  }
}

/**
 * Takes the data directory for this process and opens its keys: thrown away with a demonstration, kept by the
 * system where a desk was set up so, else under the passphrase of the environment or of whoever types it.
 */
export function unlock(configuration: Configuration, ports: Ports): Unlocking {
  return async (startup, stops) => {
    const { randomness } = ports
    if (configuration.demo) {
      const { dir, release } = freshDemonstrationDir(configuration.dataDir, randomness.uuid())
      stops.push(release)
      return { dir, keys: await openKeys(dir, throwawayProvider(), randomness) }
    }
    const dir = configuration.dataDir
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    stops.push(lockDataDir(dir))
    if (configuration.mode === 'desk') {
      settleSetUp(dir)
      if (keystoreExists(dir) && keystoreProvider(dir) === 'safe-storage')
        return { dir, keys: await openKeys(dir, await systemKeys(ports), randomness) }
    }
    const openWith = async (passphrase: string): Promise<Unlocked> => ({
      dir,
      keys: await openKeys(dir, passphraseProvider(passphrase, randomness), randomness),
    })
    if (configuration.passphrase !== null) return openWith(configuration.passphrase)
    return askForPassphrase(startup, dir, openWith)
  }
}

async function askForPassphrase(
  startup: Startup,
  dir: string,
  openWith: (passphrase: string) => Promise<Unlocked>,
): Promise<Unlocked> {
  let error: ConsoleError | null = null
  for (;;) {
    const create = !keystoreExists(dir)
    const passphrase = await startup.ask({ phase: 'locked', create, error: error && plainError(error) })
    startup.change({ phase: 'opening', told: null })
    try {
      if (create) refuseShort(passphrase)
      return await openWith(passphrase)
    } catch (failure) {
      const again = failure instanceof ConsoleError && ['wrong_passphrase', 'short_passphrase'].includes(failure.code)
      if (!again) throw failure
      error = failure
    }
  }
}

/** The operating system's key store. Throws ConsoleError `system_keys_missing` where this host has none. */
async function systemKeys(ports: Ports): Promise<KeyProvider> {
  const provider = (await ports.systemKeys?.()) ?? null
  if (provider !== null) return provider
  throw new ConsoleError({
    code: 'system_keys_missing',
    happened: 'The key to this data is in this account’s desktop key store, which cannot be reached from here.',
    safe: 'Nothing was opened or changed.',
    todo: 'Start the console in its own window on the desktop of the account that set it up.',
  })
}
