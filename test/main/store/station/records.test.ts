import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepRecord } from '../../../../main/store/station/index.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

onEachStore((kind) => {
  let at: TestStore
  beforeEach(async () => void (at = await openTestStore(kind)))
  afterEach(() => at.close())
  const keep = (ack_id: string, session_id: string | null, school_id = school) =>
    at.store.asStation((unit) => keepRecord(unit, { school_id, ack_id, session_id, relayed_at: 1 }))

  it('takes the next place in its session, and what comes twice takes none', async () => {
    expect(await keep('a', 's')).toEqual({ isNew: true, position: 1 })
    expect(await keep('a', 's')).toEqual({ isNew: false, position: null })
    expect(await keep('b', 's')).toEqual({ isNew: true, position: 2 })
    // The same record cannot be had again by naming another session.
    expect(await keep('a', 'another')).toEqual({ isNew: false, position: null })
    expect(await keep('c', 'another')).toEqual({ isNew: true, position: 1 })
  })

  it('is its school’s own, and without a session has no place', async () => {
    await keep('a', 's')
    expect(await keep('a', 's', otherSchool)).toEqual({ isNew: true, position: 1 })
    expect(await keep('b', null)).toEqual({ isNew: true, position: null })
    expect(await keep('b', null)).toEqual({ isNew: false, position: null })
  })

  it('leaves no gap and no twin where many come at once', async () => {
    const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => keep(`ack-${index % 15}`, 's')))
    const positions = kept.flatMap(({ position }) => (position === null ? [] : [position]))
    expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
  })
})
