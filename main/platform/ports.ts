/** What the system asks of the world outside it. Implementations are passed in, never imported. */

export type Cancel = () => void

/** The only source of time under `main/`. Times are UTC milliseconds. */
export interface Clock {
  now(): number
  /** Calls `work` once after `delay` milliseconds; the answer cancels it. */
  after(delay: number, work: () => void): Cancel
}

export interface Randomness {
  bytes(count: number): Buffer
  uuid(): string
  /** Uniform in [0, 1), for jitter only. */
  fraction(): number
}

/** Wraps and unwraps the database key. The wrapped form is stored; the key never is. */
export interface KeyProvider {
  /** Recorded beside the wrapped key: a changed provider is an error, never a new key over old data. */
  readonly name: 'passphrase' | 'throwaway' | 'safe-storage' | 'kms'
  wrap(key: Buffer): Promise<WrappedKey>
  /** Throws ConsoleError `wrong_passphrase` (or the provider's own) when the key cannot be had. */
  unwrap(wrapped: WrappedKey): Promise<Buffer>
}

export interface WrappedKey {
  provider: KeyProvider['name']
  /** base64 */
  wrapped: string
  /** What the provider needs to unwrap again (salt, cost), JSON-safe, not secret. */
  parameters: Record<string, string | number>
}

/** What a desktop shell can do for us; the browser host implements what a browser allows. Never student content. */
export interface Shell {
  /** `until`: once it aborts, the notification is taken back where it still stands. */
  notify(notification: { title: string; body: string; urgent: boolean; until?: AbortSignal }): void
  /** Whether what it is told to notify comes to the desktop; absent where the page does that by itself. */
  notifies?: () => boolean
  badge(count: number): void
  openExternal(url: string): void
  /** Calls `listener` when the machine goes to sleep and when it is awake again; the answer ends it. Absent where the host has no word for it. */
  onPower?(listener: (what: 'suspend' | 'resume') => void): Cancel
}

/** Structured log. Fields are identifiers and figures only: never text, names, hashes of sessions or keys. */
export interface Logger {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** Preferences and sizes of columns and windows, in a plain file: JSON values, never anything sensitive. */
export interface PreferenceStore {
  /** Undefined where nothing was kept under that name. */
  get(name: string): unknown
  set(name: string, value: unknown): void
}

export interface Ports {
  preferences: PreferenceStore
  clock: Clock
  randomness: Randomness
  shell: Shell
  logger: Logger
  /** The key store of the operating system; null where it does not encrypt. Absent in hosts without one. */
  systemKeys?: () => Promise<KeyProvider | null>
}
