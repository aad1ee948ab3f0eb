/** Until the console is open: its state for the screens, the passphrase, the data directory and its keys. */
import { mkdirSync } from 'node:fs'
import { ConsoleError, type PersonalError } from '../../shared/errors.ts'
import type { GateState } from '../../shared/views.ts'
import type { Configuration } from '../configuration/index.ts'
import { freshDemonstrationDir, lockDataDir } from '../platform/data-lock.ts'
import { passphraseProvider, throwawayProvider } from '../platform/key-providers.ts'
import type { KeyProvider, Ports } from '../platform/ports.ts'
import type { Parts } from './router/index.ts'
import { keystoreExists, openKeys } from '../store/console/index.ts'

/** Something that was started, to be stopped in the reverse order. */
export type Stop = () => void | Promise<void>

/** The door before the console; the composition root moves it. */
export function createGate() {
  let state: GateState = { phase: 'opening', told: null }
  let parts: Parts | null = null
  let waitingForPassphrase: ((passphrase: string) => void) | null = null
  const listeners = new Set<(state: GateState) => void>()
  const change = (next: GateState): void => {
    state = next
    listeners.forEach((listener) => listener(next))
  }
  return {
    state: () => state,
    listen(listener: (state: GateState) => void) {
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
    ask(locked: Extract<GateState, { phase: 'locked' }>): Promise<string> {
      return new Promise((resolve) => {
        waitingForPassphrase = resolve
        change(locked)
      })
    },
  }
}

/**
 * The data directory, taken for this process, and its keys: thrown away with a demonstration, else
 * under the passphrase of the environment or of whoever types it.
 */
export async function unlockData(
  configuration: Configuration,
  ports: Ports,
  gate: ReturnType<typeof createGate>,
  stops: Stop[],
) {
  if (configuration.demo) {
    const { dir, release } = freshDemonstrationDir(configuration.dataDir, ports.randomness.uuid())
    stops.push(release)
    return { dir, keys: await openKeys(dir, throwawayProvider(), ports.randomness) }
  }
  const dir = configuration.dataDir
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  stops.push(lockDataDir(dir))
  if (configuration.passphrase !== null) {
    return { dir, keys: await openKeys(dir, provider(configuration.passphrase, ports), ports.randomness) }
  }
  let error: ConsoleError | null = null
  for (;;) {
    const passphrase = await gate.ask({ phase: 'locked', create: !keystoreExists(dir), error: error && plain(error) })
    gate.change({ phase: 'opening', told: null })
    try {
      return { dir, keys: await openKeys(dir, provider(passphrase, ports), ports.randomness) }
    } catch (failure) {
      if (!(failure instanceof ConsoleError) || failure.code !== 'wrong_passphrase') throw failure
      error = failure
    }
  }
}

function provider(passphrase: string, { randomness }: Ports): KeyProvider {
  return passphraseProvider(passphrase, randomness)
}

/** Only the sentences: an error object would bring its stack and cause along. */
export function plain({ code, happened, safe, todo }: PersonalError): PersonalError {
  return { code, happened, safe, todo }
}
