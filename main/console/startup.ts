/** Until the program is open: how far it is, for the screens; the passphrase, the data directory and its keys. */
import { mkdirSync } from 'node:fs'
import { ConsoleError, plainError } from '../../shared/errors.ts'
import type { StartupState } from '../../shared/views.ts'
import type { Configuration } from '../configuration/index.ts'
import { passphraseProvider, refuseShort, throwawayProvider } from '../platform/key-providers.ts'
import { asPersonalError } from '../platform/personal-error.ts'
import type { Ports } from '../platform/ports.ts'
import { stopAll, type Stops } from '../platform/stops.ts'
import { freshDemonstrationDir, lockDataDir, keystoreExists, openKeys, type Keys } from '../store/console/index.ts'
import { appRouter, type AppRouter, type Context, type Parts } from './router/index.ts'

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
  stop(): Promise<void>
}

/** What a start does once it has its data: the parts, and when they may be shown. */
export type Opening = (
  unlocked: Promise<Unlocked>,
  stops: Stops,
  /** How much of the demonstration's past has been told, 0–1. */
  onTold: (told: number) => void,
) => Promise<{ parts: Parts; presentable: Promise<void> }>

/** Runs a start: it answers at once, and screens ask how far it is. What fails is stopped again and shown. */
export function runStartup(configuration: Configuration, ports: Ports, open: Opening): RunningConsole {
  const startup = createStartup()
  const stops: Stops = []
  let stopping = false

  const run = async (): Promise<void> => {
    const unlocked = unlock(configuration, ports, startup, stops)
    unlocked.catch(() => undefined)
    const { parts, presentable } = await open(unlocked, stops, (told) => startup.change({ phase: 'opening', told }))
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
    async stop() {
      stopping = true
      await stopAll(stops)
    },
  }
}

function createStartup() {
  let state: StartupState = { phase: 'opening', told: null }
  let parts: Parts | null = null
  let waitingForPassphrase: ((passphrase: string) => void) | null = null
  const listeners = new Set<(state: StartupState) => void>()
  const change = (next: StartupState): void => {
    state = next
    listeners.forEach((listener) => listener(next))
  }
  return {
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
 * Takes the data directory for this process and opens its keys: thrown away with a demonstration, else
 * under the passphrase of the environment or of whoever types it.
 */
async function unlock(
  configuration: Configuration,
  ports: Ports,
  startup: ReturnType<typeof createStartup>,
  stops: Stops,
): Promise<Unlocked> {
  const { randomness } = ports
  if (configuration.demo) {
    const { dir, release } = freshDemonstrationDir(configuration.dataDir, randomness.uuid())
    stops.push(release)
    return { dir, keys: await openKeys(dir, throwawayProvider(), randomness) }
  }
  const dir = configuration.dataDir
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  stops.push(lockDataDir(dir))
  const openWith = async (passphrase: string): Promise<Unlocked> => ({
    dir,
    keys: await openKeys(dir, passphraseProvider(passphrase, randomness), randomness),
  })
  if (configuration.passphrase !== null) return openWith(configuration.passphrase)
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
