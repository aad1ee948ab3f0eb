import { describe, expect, it } from 'vitest'
import {
  differing,
  draftFrom,
  emptyPlan,
  joined,
  savedMeanwhile,
  saysSomething,
  trimmed,
} from '../../../renderer/student-records/plan-draft.ts'

const version = (id: string, warning_signs: string) => ({
  id,
  at: 0,
  by_name: 'A. Rivera',
  sections: { ...emptyPlan, warning_signs },
})

describe('the draft of a safety plan', () => {
  it('follows the newest version, also where it begins with an earlier one', () => {
    const versions = [version('new', 'New'), version('old', 'Old')]
    const draft = draftFrom(versions, versions[1])
    expect(draft).toMatchObject({ based_on: 'new', sections: { warning_signs: 'Old' } })
    expect(savedMeanwhile(draft, versions)).toBeNull()
    expect(draftFrom([], undefined)).toEqual({ based_on: null, sections: emptyPlan })
  })

  it('knows what a colleague saved since, the first version included', () => {
    const first = version('first', 'Theirs')
    expect(savedMeanwhile(draftFrom([], undefined), [first])).toBe(first)
    expect(savedMeanwhile(draftFrom([first], first), [version('second', ''), first])?.id).toBe('second')
  })

  it('differs only by words', () => {
    const mine = { ...emptyPlan, warning_signs: ' Alone \n', coping_strategies: 'Draw' }
    expect(differing(mine, { ...emptyPlan, warning_signs: 'Alone' })).toEqual(['coping_strategies'])
    expect(trimmed(mine).warning_signs).toBe('Alone')
    expect([saysSomething(mine), saysSomething({ ...emptyPlan, warning_signs: ' \n' })]).toEqual([true, false])
  })

  it('takes in saved words once, and loses none of its own', () => {
    expect(joined('Mine', 'Theirs')).toBe('Mine\nTheirs')
    expect(joined('Mine\nTheirs', 'Theirs')).toBe('Mine\nTheirs')
    expect(joined(' ', 'Theirs')).toBe('Theirs')
  })
})
