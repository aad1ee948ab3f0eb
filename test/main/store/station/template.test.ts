import { afterEach, beforeEach, expect, it } from 'vitest'
import { template } from '../../../../main/store/station/template.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

let at: TestStore
afterEach(() => at.close())

onEachStore((kind) => {
  beforeEach(async () => {
    at = await openTestStore(kind)
  })

  it('asks the same question with other values each time, and puts it together once', async () => {
    let built = 0
    const keep = template<{ name: string; value: string }, unknown>((unit, value) =>
      unit.insertInto('settings').values({ name: value('name'), value: value('value') }),
    )
    const find = template<{ name: string }, { value: string; more: number }>((unit, value) => {
      built += 1
      return unit
        .selectFrom('settings')
        .select((row) => ['value', row.val(7).as('more')])
        .where('name', '=', value('name'))
    })
    const found = await at.store.asStation(async (unit) => {
      await keep(unit, { name: 'one', value: `it's 1 ? $1` })
      await keep(unit, { name: 'two', value: '2' })
      return [await find(unit, { name: 'two' }), await find(unit, { name: 'one' }), await find(unit, { name: 'three' })]
    })
    expect(found).toMatchObject([[{ value: '2' }], [{ value: `it's 1 ? $1` }], []])
    expect(built).toBe(1)
  })
})
