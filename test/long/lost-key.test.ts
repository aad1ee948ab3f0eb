/** A key store that is lost, damaged, or whose passphrase nobody knows: it is said, and a recovery file opens the data again. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { exportKey, restoreKey } from '../../main/doctor/index.ts'
import { keystorePath, lockDataDir, openDatabase, openKeys, writeSetting } from '../../main/store/console/index.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { noon } from '../support/wire.ts'

const root = resolve(import.meta.dirname, '..', '..')
const passphrase = 'correct horse battery staple'
const fresh = 'another horse battery staple'
const ports = { clock: virtualClock(noon), randomness: systemRandomness }
let dataDir: string
let away: string
let file: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lost-key-'))
  away = mkdtempSync(join(tmpdir(), 'lost-key-away-'))
  file = join(away, 'recovery.json')
  const cheap = passphraseProvider(passphrase, systemRandomness, { N: 1024, r: 8, p: 1 })
  const { database } = await openKeys(dataDir, cheap, systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database)
  writeSetting(db, 'console_id', 'console-1')
  db.close()
})
afterEach(() => [dataDir, away].forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const open = async (typed: string) => {
  const { database } = await openKeys(dataDir, passphraseProvider(typed, systemRandomness), systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database, { readonly: true })
  try {
    return db.prepare(`SELECT value FROM settings WHERE name = 'console_id'`).pluck().get()
  } finally {
    db.close()
  }
}
const exported = () => exportKey({ dataDir, passphrase, file }, systemRandomness)
const restored = (code: string, typed = fresh) => restoreKey({ dataDir, passphrase: typed, file, code }, ports)

it.each([
  ['is gone', () => rmSync(keystorePath(dataDir)), 'keystore_missing'],
  ['is damaged', () => writeFileSync(keystorePath(dataDir), '{"version":1,'), 'keystore_broken'],
  ['opens with no passphrase that anybody knows', () => undefined, 'wrong_passphrase'],
])('a key store that %s is named, and a recovery file with its code makes it anew', async (_, lose, code) => {
  const recovery = await exported()
  lose()
  await expect(open(fresh)).rejects.toMatchObject({ code })
  // Typed by hand: small letters, blanks, an O for a zero.
  await restored(recovery.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'))
  expect(await open(fresh)).toBe('console-1')
  await expect(open(passphrase)).rejects.toMatchObject({ code: 'wrong_passphrase' })
})

it('the recovery file holds no key and no code in the clear, and is its owner’s alone', async () => {
  const code = await exported()
  expect(code).toMatch(/^([0-9A-Z]{4}-){7}[0-9A-Z]{4}$/)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(code.replaceAll('-', ''))
  const keys = await openKeys(dataDir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  for (const key of Object.values(keys) as Buffer[])
    for (const form of ['hex', 'base64'] as const) expect(text).not.toContain(key.toString(form))
  expect(statSync(file).mode & 0o077).toBe(0)
  await expect(exported()).rejects.toMatchObject({ code: 'recovery_file_exists' })
})

it('another code, another console’s file or a console that runs changes nothing', async () => {
  const code = await exported()
  const before = readFileSync(keystorePath(dataDir), 'utf8')
  await expect(restored(code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))).rejects.toMatchObject({
    code: 'wrong_recovery_code',
  })
  await expect(restored(code, 'short')).rejects.toMatchObject({ code: 'short_passphrase' })
  const release = lockDataDir(dataDir)
  await expect(restored(code)).rejects.toMatchObject({ code: 'data_dir_in_use' })
  release()
  const other = mkdtempSync(join(away, 'other-'))
  await openKeys(other, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  const theirs = join(away, 'theirs.json')
  const theirCode = await exportKey({ dataDir: other, passphrase, file: theirs }, systemRandomness)
  await expect(restoreKey({ dataDir, passphrase: fresh, file: theirs, code: theirCode }, ports)).rejects.toMatchObject({
    code: 'wrong_key',
  })
  expect(readFileSync(keystorePath(dataDir), 'utf8')).toBe(before)
})

it('is a command: what it exports it restores, and what was there is kept', async () => {
  const run = (args: string[], typed: string, input = '') => {
    const plain = Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name))
    const command = [join(root, 'main', 'commands', 'launch.mjs'), 'keys', ...args, '--data-dir', dataDir]
    const env = { ...Object.fromEntries(plain), PSYFLO_PASSPHRASE: typed }
    return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', env, input })
  }
  const { stdout, status } = run(['export', file], passphrase)
  expect(status).toBe(0)
  writeFileSync(keystorePath(dataDir), 'damaged')
  const wrong = run(['restore', file], fresh, '0000-0000\n')
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('The recovery code does not open this recovery file.')
  expect(wrong.stderr).not.toMatch(/^\s+at /m)
  expect(run(['restore', file], fresh, stdout).status).toBe(0)
  expect(await open(fresh)).toBe('console-1')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('keystore.json.replaced-'))).toHaveLength(1)
  expect(run(['restore'], fresh).status).toBe(2)
})
