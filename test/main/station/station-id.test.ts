import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { openStationId } from '../../../main/station/station-id.ts'
import { onEachStore, openTestStore, type TestStore } from '../../support/test-stores.ts'

onEachStore((kind) => {
  let at: TestStore
  beforeEach(async () => void (at = await openTestStore(kind)))
  afterEach(() => at.close())
  const open = (name: string) => openStationId(at.store, join(at.folder, name), systemRandomness)

  it('is the same at every start', async () => {
    const id = await open('one')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await open('one')).toBe(id)
  })

  it('is another one for another station on the same database', async () => {
    const ids = [await open('one'), await open('two')]
    // A file is one station's, wherever its data directory lies.
    expect(new Set(ids).size).toBe(kind === 'file' ? 1 : 2)
  })
})
