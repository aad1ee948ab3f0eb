import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deriveAhead } from '../../../main/platform/derive-key.ts'
import { passphraseProvider, throwawayProvider } from '../../../main/platform/key-providers.ts'
import type { KeyProvider } from '../../../main/platform/ports.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { keystoreExists, keystorePath, openKeys } from '../../../main/store/console/index.ts'

/** Cheap enough for a test; the cost is stored, so it is read back. */
const cost = { N: 1024, r: 8, p: 1 }
const withPassphrase = (passphrase: string): KeyProvider => passphraseProvider(passphrase, systemRandomness, cost)

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'keys-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (provider: KeyProvider) => openKeys(folder, provider, systemRandomness)
const stored = () => JSON.parse(readFileSync(keystorePath(folder), 'utf8')) as Record<string, unknown>

describe('the key store', () => {
  it('gives the same keys to the same passphrase, also typed in another normal form', async () => {
    const made = await open(withPassphrase('correct horse é'))
    expect(await open(withPassphrase('correct horse e\u0301'))).toEqual(made)
    const all = Object.values(made) as Buffer[]
    for (const key of all) expect(key).toHaveLength(32)
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(4)
  })

  it('keeps no key and no passphrase in the clear, for its owner alone', async () => {
    const secrets = Object.values(await open(withPassphrase('correct horse'))) as Buffer[]
    const text = readFileSync(keystorePath(folder), 'utf8')
    for (const secret of secrets)
      for (const form of ['hex', 'base64'] as const) expect(text).not.toContain(secret.toString(form))
    expect(text).not.toContain('horse')
    expect(statSync(keystorePath(folder)).mode & 0o077).toBe(0)
    expect(existsSync(`${keystorePath(folder)}.new`)).toBe(false)
  })

  it('a head start gives the same keys, and one with another passphrase opens nothing', async () => {
    const made = await open(withPassphrase('correct horse'))
    deriveAhead(folder, 'correct horse')
    expect(await open(withPassphrase('correct horse'))).toEqual(made)
    deriveAhead(folder, 'correct horse')
    await expect(open(withPassphrase('wrong horse'))).rejects.toMatchObject({ code: 'wrong_passphrase' })
    deriveAhead(folder, 'wrong horse')
    expect(await open(withPassphrase('correct horse'))).toEqual(made)
    writeFileSync(keystorePath(folder), 'not a key store')
    expect(() => deriveAhead(folder, 'correct horse')).not.toThrow()
  })

  it('stores with the key what unwrapping needs', async () => {
    await open(withPassphrase('correct horse'))
    expect(stored()).toMatchObject({ version: 1, provider: 'passphrase', parameters: { kdf: 'scrypt', ...cost } })
  })

  it('another directory has other keys under the same passphrase', async () => {
    const made = await open(withPassphrase('correct horse'))
    rmSync(keystorePath(folder))
    expect((await open(withPassphrase('correct horse'))).database.equals(made.database)).toBe(false)
  })
})

describe('never makes a new key over old data', () => {
  const refusedBy = async (provider: KeyProvider) => {
    const before = keystoreExists(folder) ? readFileSync(keystorePath(folder), 'utf8') : null
    const code = await open(provider).then(
      () => 'opened',
      (error: { code?: string }) => error.code,
    )
    expect(keystoreExists(folder) ? readFileSync(keystorePath(folder), 'utf8') : null).toBe(before)
    return code
  }

  it('with a wrong passphrase', async () => {
    await open(withPassphrase('correct horse'))
    expect(await refusedBy(withPassphrase('Correct horse'))).toBe('wrong_passphrase')
  })

  it('with another provider', async () => {
    await open(withPassphrase('correct horse'))
    expect(await refusedBy(throwawayProvider())).toBe('provider_changed')
  })

  it.each(['console.db', 'station.db'])('where the key store is missing beside %s', async (file) => {
    writeFileSync(join(folder, file), 'encrypted')
    expect(await refusedBy(withPassphrase('correct horse'))).toBe('keystore_missing')
  })

  it.each([
    ['is cut short', (text: string) => text.slice(0, 40)],
    ['is empty', () => ''],
    ['is of a newer version', (text: string) => text.replace('"version": 1', '"version": 2')],
    ['names a provider nobody knows', (text: string) => text.replace('"passphrase"', '"sticky note"')],
    [
      'has lost its salt and cost',
      (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), parameters: {} }),
    ],
    ['has a cost nobody can pay', (text: string) => text.replace('"N": 1024', '"N": 1000')],
  ])('where the key store %s', async (_, damage) => {
    await open(withPassphrase('correct horse'))
    writeFileSync(keystorePath(folder), damage(readFileSync(keystorePath(folder), 'utf8')))
    expect(await refusedBy(withPassphrase('correct horse'))).toBe('keystore_broken')
  })

  it('with a wrapped key that was changed', async () => {
    await open(withPassphrase('correct horse'))
    const { wrapped, ...rest } = stored()
    writeFileSync(keystorePath(folder), JSON.stringify({ ...rest, wrapped: `AAAA${String(wrapped).slice(4)}` }))
    expect(await refusedBy(withPassphrase('correct horse'))).toBe('wrong_passphrase')
  })
})

it('a throw-away key is gone with its provider', async () => {
  await open(throwawayProvider())
  await expect(open(throwawayProvider())).rejects.toMatchObject({ code: 'throwaway_key_gone' })
})
