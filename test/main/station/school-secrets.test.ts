import { afterEach, beforeEach, expect, it } from 'vitest'
import { wrappingWith } from '../../../main/platform/envelope.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { openSecrets } from '../../../main/station/school-secrets.ts'
import { otherSchool, school } from '../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../support/test-stores.ts'

let at: TestStore
afterEach(() => at.close())
const wrapping = wrappingWith(systemRandomness.bytes(32))
const none = { salt: null, contentKey: null }
const open = (given: { salt: string | null; contentKey: Buffer | null } = none, schools = [school]) =>
  openSecrets({ store: at.store, wrapping, randomness: systemRandomness, given }, schools)

onEachStore((kind) => {
  beforeEach(async () => void (at = await openTestStore(kind)))

  it('are made once for each school, also by two stations that start together', async () => {
    const [one, two] = await Promise.all([open(), open()])
    const [first, second] = [await one.of(school), await two.of(school)]
    expect(second.salt).toBe(first.salt)
    expect(second.evidenceKey.open(first.evidenceKey.seal('words'))).toBe('words')
    const other = await one.of(otherSchool)
    expect(other.salt).not.toBe(first.salt)
    expect(() => other.evidenceKey.open(first.evidenceKey.seal('words'))).toThrow()
    expect(await one.schools()).toEqual([school, otherSchool])
  })

  it('stand wrapped in the database, and open with nothing else', async () => {
    const { salt } = await (await open()).of(school)
    const kept = JSON.stringify(await at.rows('SELECT * FROM schools'))
    expect(kept).not.toContain(salt)
    const strange = wrappingWith(systemRandomness.bytes(32))
    const opening = openSecrets({ store: at.store, wrapping: strange, randomness: systemRandomness, given: none }, [
      school,
    ])
    await expect(opening).rejects.toThrow()
  })

  it('that are given are kept; another salt or content key is refused with nothing changed', async () => {
    const contentKey = systemRandomness.bytes(32)
    await open({ salt: 'salt of the district', contentKey })
    const before = await at.rows('SELECT * FROM schools')
    await expect(open({ salt: 'another salt', contentKey: null })).rejects.toMatchObject({ code: 'salt' })
    const otherKey = systemRandomness.bytes(32)
    await expect(open({ salt: null, contentKey: otherKey })).rejects.toMatchObject({ code: 'content_key' })
    expect(await at.rows('SELECT * FROM schools')).toEqual(before)
    expect((await (await open()).of(school)).salt).toBe('salt of the district')
  })

  it('of one school are not given to several', async () => {
    const given = { salt: 'salt of the district', contentKey: null }
    await expect(open(given, [school, otherSchool])).rejects.toMatchObject({ code: 'salt' })
    await expect((await open(given)).of(otherSchool)).rejects.toMatchObject({ code: 'salt' })
  })
})
