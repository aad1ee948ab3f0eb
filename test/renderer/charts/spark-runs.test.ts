import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sparkRuns } from '../../../renderer/charts/spark-runs.ts'

it('a day without a message breaks the line', () => {
  expect(sparkRuns([0.1, 0.2, null, 0.3, null]).map((run) => run.map(({ index }) => index))).toEqual([[0, 1], [3]])
})

it('every known day is drawn exactly once, whatever the gaps', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }))), (values) => {
      const drawn = sparkRuns(values).flat()
      expect(drawn).toEqual(values.flatMap((value, index) => (value === null ? [] : [{ index, value }])))
    }),
  )
})
