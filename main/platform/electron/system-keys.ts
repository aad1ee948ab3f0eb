import { safeStorage } from 'electron'
import { ConsoleError } from '../../../shared/errors.ts'
import type { KeyProvider } from '../ports.ts'

/**
 * The key store of the operating system, where it encrypts; else null. On Linux it may fall back to a password that
 * is the same everywhere, and call itself available: that is refused.
 */
export async function systemKeys(): Promise<KeyProvider | null> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null
  if (process.platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend()))
    return null
  return {
    name: 'safe-storage',
    async wrap(key) {
      const sealed = await safeStorage.encryptStringAsync(key.toString('base64'))
      return { provider: 'safe-storage', wrapped: sealed.toString('base64'), parameters: {} }
    },
    async unwrap({ wrapped }) {
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(wrapped, 'base64'))
        return Buffer.from(result, 'base64')
      } catch (cause) {
        throw new ConsoleError(
          {
            code: 'system_keys_closed',
            happened: 'This account’s key store does not open this desk’s data.',
            safe: 'Nothing was opened or changed.',
            todo: 'Sign in to the computer with the account that set up the desk, and unlock its key store.',
          },
          { cause },
        )
      }
    },
  }
}
