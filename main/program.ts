/** The program as it is configured, and the one step from the demonstration to a school's own desk. */
import { ConsoleError } from '../shared/errors.ts'
import type { SetUpInput } from '../shared/set-up.ts'
import type { Configuration } from './configuration/index.ts'
import {
  makeDesk,
  setUpDefaults,
  startConsole,
  waitForSetUp,
  type MadeDesk,
  type RunningConsole,
  type SetUp,
} from './console/index.ts'
import { startDemonstrationSchool } from './demonstration-school.ts'
import { startDesk } from './desk.ts'
import { isDesk } from './platform/desk-marker.ts'
import { passphraseProvider, refuseShort } from './platform/key-providers.ts'
import type { KeyProvider, Ports } from './platform/ports.ts'
import { readSignInToken } from './platform/sign-in-token.ts'

export interface Program extends RunningConsole {
  /** What runs now; another one than at first once a school was set up. */
  configuration(): Configuration
  /** What whoever stops it is told in the terminal: what is lost with it. Null = nothing. Asked before it stops. */
  lastWord(): string | null
  /** Calls `listener` when a school was set up and its desk runs in the place of what ran before. */
  onSetUp(listener: (configuration: Configuration) => void): void
}

/**
 * Starts a district's console, a school's desk, or the demonstration school. The last, and a desk without data,
 * offer to set this machine up for a school: then the desk takes their place in this process, and their windows
 * are loaded anew.
 */
export function startProgram(configuration: Configuration, ports: Ports): Program {
  const listeners = new Set<(configuration: Configuration) => void>()
  let now = configuration
  let stopped = false
  let making = false
  let deskRuns: (desk: RunningConsole) => void = () => undefined

  const setUp: SetUp = {
    defaults: async () => ({
      ...setUpDefaults(configuration.dataDir),
      demonstration: configuration.demo,
      passphrase_given: configuration.passphrase !== null,
      system_key_store: (await ports.systemKeys?.()) != null,
    }),
    async make(windowId, input) {
      if (making) throw underWay()
      making = true
      try {
        const made = await make(configuration, ports, input)
        // The answer to this call goes out first.
        ports.clock.after(0, () => replace({ ...made, windowId }))
      } catch (error) {
        making = false
        throw error
      }
    },
  }

  const replace = (made: MadeDesk & { windowId: string }): void => {
    if (stopped) return made.release()
    const before = current
    now = { ...configuration, mode: 'desk', demo: false }
    listeners.forEach((listener) => listener(now))
    before.replaced()
    // What both leave in the data directory must be the desk's: it opens when the other has ended.
    current = startDesk(now, ports, { ...made, after: before.stop() })
    deskRuns(current)
  }

  let ready: Promise<void> | null = null
  const begin = (): RunningConsole => {
    const { mode, demo, dataDir } = configuration
    if (demo) return startDemonstrationSchool(configuration, ports, mode === 'demo' ? setUp : null)
    if (mode === 'district') return startConsole(configuration, ports)
    if (isDesk(dataDir)) return startDesk(configuration, ports, null)
    ready = new Promise<RunningConsole>((resolve) => (deskRuns = resolve)).then((desk) => desk.ready)
    return waitForSetUp(setUp, ports)
  }
  let current = begin()

  return {
    router: current.router,
    contextFor: (windowId) => current.contextFor(windowId),
    ready: ready ?? current.ready,
    replaced: () => current.replaced(),
    configuration: () => now,
    lastWord: () =>
      now.demo && current.contextFor('host').startup.parts()?.strip.now().discards === true ? discarded : null,
    onSetUp: (listener) => void listeners.add(listener),
    async stop() {
      stopped = true
      await current.stop()
    },
  }
}

const discarded =
  'The demonstration school was stopped, and what was recorded in it is discarded: the next start tells it anew.\nTo keep what you record, set up a school’s own desk: npm start -- --desk'

async function make(configuration: Configuration, ports: Ports, input: SetUpInput): Promise<MadeDesk> {
  const { clock, randomness } = ports
  const { signInToken, schoolId, dataDir } = configuration
  // Events and tokens of a school that has an id already name that one.
  const ofToken = signInToken === null ? null : await readSignInToken(signInToken, configuration, clock.now())
  const provider = await providerFor(configuration, ports, input.lock)
  const school = schoolId ?? ofToken?.school_id ?? randomness.uuid()
  return makeDesk({ dataDir, provider, schoolId: school, clock, randomness }, input)
}

async function providerFor(
  { passphrase }: Configuration,
  { randomness, systemKeys }: Ports,
  lock: SetUpInput['lock'],
): Promise<KeyProvider> {
  if (lock.kind === 'system') {
    const provider = (await systemKeys?.()) ?? null
    if (provider === null) throw noSystemKeys()
    return provider
  }
  // With another one the next start, which nobody attends, would not open.
  const chosen = passphrase ?? (lock.kind === 'passphrase' ? lock.passphrase : '')
  refuseShort(chosen)
  return passphraseProvider(chosen, randomness)
}

function underWay(): ConsoleError {
  return new ConsoleError({
    code: 'set_up_under_way',
    happened: 'The school is already being set up.',
    safe: 'Nothing was done twice.',
    todo: 'Wait a moment; this page will continue by itself.',
  })
}

function noSystemKeys(): ConsoleError {
  return new ConsoleError({
    code: 'system_keys_missing',
    happened: 'This machine does not have a key store that encrypts.',
    safe: 'Nothing was set up.',
    todo: 'Choose a passphrase instead.',
  })
}
