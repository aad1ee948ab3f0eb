import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDesk, setUpDefaults } from '../../../../main/console/identity/index.ts'
import { deskMarker, finishedSetUp, isDesk } from '../../../../main/platform/desk-marker.ts'
import { deskKey } from '../../../../main/platform/intake-address.ts'
import { passphraseProvider } from '../../../../main/platform/key-providers.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { openDatabase, openKeys, settleSetUp, storedSchool, verifyAudit } from '../../../../main/store/console/index.ts'
import type { SetUpInput } from '../../../../shared/set-up.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { school } from '../../../support/wire.ts'

const cost = { N: 1024, r: 8, p: 1 }
const provider = passphraseProvider('correct horse battery', systemRandomness, cost)
const input: SetUpInput = {
  school: { name: 'Lakeside High', time_zone: 'America/Chicago' },
  admin: { name: 'A. Dean', user_name: 'dean', password: 'lamp ticket orbit meadow' },
  lock: { kind: 'passphrase', passphrase: 'correct horse battery' },
}

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'make-desk-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const make = async (changes: Partial<SetUpInput> = {}, keys = provider) => {
  const options = {
    dataDir,
    provider: keys,
    schoolId: school,
    clock: virtualClock(),
    randomness: systemRandomness,
    cost,
  }
  const made = await makeDesk(options, { ...input, ...changes })
  made.release()
  return made
}
const files = () =>
  readdirSync(dataDir)
    .filter((file) => file !== 'console.lock')
    .sort()
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: { code?: string }) => error.code,
  )

/** Opens what was made as the next start does. */
async function openAgain<T>(read: (db: ReturnType<typeof openDatabase>) => T): Promise<T> {
  const { database } = await openKeys(dataDir, provider, systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database)
  try {
    return read(db)
  } finally {
    db.close()
  }
}

describe('a set-up', () => {
  it('makes keys, school and first admin, for the owner’s eyes alone, and a marker that names nobody', async () => {
    const { admin, keys } = await make()
    expect(files()).toEqual(['console.db', 'desk.json', 'intake.key', 'keystore.json'])
    expect(isDesk(dataDir)).toBe(true)
    expect(readFileSync(join(dataDir, deskMarker), 'utf8')).toBe('{"version":1}\n')
    for (const file of [deskMarker, 'intake.key']) expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0)
    expect(await openKeys(dataDir, provider, systemRandomness)).toEqual(keys)
    await openAgain((db) => {
      expect(storedSchool(db)).toBe(school)
      expect(db.prepare('SELECT name, role FROM people').all()).toEqual([{ name: 'A. Dean', role: 'ADMIN' }])
      expect(db.prepare('SELECT person_id, user_name, must_change FROM accounts').all()).toEqual([{ person_id: admin.id, user_name: 'dean', must_change: 0 }]) // prettier-ignore
      expect(verifyAudit(db)).toMatchObject({ ok: true, entries: 1 })
    })
  })

  it('leaves no key of the demonstration that ran here good for the desk', async () => {
    const before = deskKey(dataDir, systemRandomness)
    await expect(make({ admin: { ...input.admin, password: 'password1234' } })).rejects.toThrow()
    expect(deskKey(dataDir, systemRandomness)).toBe(before)
    await make()
    const now = readFileSync(join(dataDir, 'intake.key'), 'utf8')
    expect([now.trim().length, now.includes(before)]).toEqual([43, false])
    expect(deskKey(dataDir, systemRandomness)).toBe(now.trim())
  })

  it('that fails leaves nothing that counts, and can be done again', async () => {
    const failing = { ...provider, wrap: () => Promise.reject(new Error('no entropy')) }
    await expect(make({}, failing)).rejects.toThrow('no entropy')
    expect(isDesk(dataDir)).toBe(false)
    expect(files()).not.toContain('keystore.json')
    expect(await codeOf(make({ admin: { ...input.admin, password: 'password1234' } }))).toBe('weak_password')
    expect(await codeOf(make())).toBe('fine')
  })

  it('is refused where data are already, and touches them not', async () => {
    writeFileSync(join(dataDir, 'keystore.json'), 'of a district console')
    expect(() => setUpDefaults(dataDir)).toThrowError(expect.objectContaining({ code: 'data_dir_taken' }) as Error)
    expect(await codeOf(make())).toBe('data_dir_taken')
    expect(readFileSync(join(dataDir, 'keystore.json'), 'utf8')).toBe('of a district console')
    expect(files()).toEqual(['keystore.json'])
  })

  it('cut short before its one decisive step is nothing', async () => {
    mkdirSync(join(dataDir, `${finishedSetUp}.unfinished`))
    for (const file of ['keystore.json', 'console.db', deskMarker])
      writeFileSync(join(dataDir, `${finishedSetUp}.unfinished`, file), 'half')
    expect(isDesk(dataDir)).toBe(false)
    expect(await codeOf(make())).toBe('fine')
    expect(files()).toEqual(['console.db', 'desk.json', 'intake.key', 'keystore.json'])
  })

  it.each([0, 1, 2, 3, 4])('cut short after it, with %i of its files in their place, is all of it', async (moved) => {
    await make()
    // As it stood when the process was ended.
    const folder = join(dataDir, finishedSetUp)
    mkdirSync(folder)
    for (const file of ['intake.key', 'keystore.json', 'console.db', deskMarker].slice(moved)) renameSync(join(dataDir, file), join(folder, file)) // prettier-ignore
    expect(isDesk(dataDir)).toBe(true)
    expect(await codeOf(make())).toBe('data_dir_taken')
    settleSetUp(dataDir)
    expect(files()).toEqual(['console.db', 'desk.json', 'intake.key', 'keystore.json'])
    expect(existsSync(folder)).toBe(false)
    expect(await openAgain((db) => storedSchool(db))).toBe(school)
    settleSetUp(dataDir)
  })
})

describe('a marker', () => {
  it.each([
    ['{"version":2}', 'desk_newer'],
    ['{"version":0}', 'desk_marker'],
    ['not JSON', 'desk_marker'],
  ])('%s is refused', (text, code) => {
    writeFileSync(join(dataDir, deskMarker), text)
    expect(() => isDesk(dataDir)).toThrowError(expect.objectContaining({ code }) as Error)
  })
})
