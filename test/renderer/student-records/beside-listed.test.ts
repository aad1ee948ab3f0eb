import { describe, expect, it } from 'vitest'
import { besideListed } from '../../../renderer/student-records/beside-listed.ts'

const keyOf = (item: string) => item.toLowerCase()
const done = (item: string, undone?: true) => ({
  key: keyOf(item),
  item,
  said: 'Done',
  undo: () => Promise.resolve(),
  ...(undone && { undone }),
})

describe('what was just done', () => {
  it('stays where it stood, as it was, whether or not it is listed still', () => {
    expect(besideListed([done('Call')], ['Ask'], keyOf).items).toEqual(['Ask', 'Call'])
    expect(besideListed([done('Call')], ['call', 'Ask'], keyOf)).toMatchObject({
      items: ['Ask', 'Call'],
      done: [{ item: 'Call' }],
    })
  })

  it('stands as before when it is taken back, until it is listed again', () => {
    expect(besideListed([done('Call', true)], ['Ask'], keyOf)).toEqual({ items: ['Ask', 'Call'], done: [] })
    expect(besideListed([done('Call', true)], ['call', 'Ask'], keyOf)).toEqual({ items: ['call', 'Ask'], done: [] })
  })
})
