import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../renderer/charts/csv.ts'

describe('a table saved as CSV', () => {
  it('comes back as it was', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !/^[=+\-@\t\r]/.test(text))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const text = toCsv({ columns: ['a', 'b'], rows })
        expect(parse(text, { record_delimiter: '\r\n' })).toEqual([['a', 'b'], ...rows])
      }),
    )
  })

  it('holds nothing that a spreadsheet would run', () => {
    expect(toCsv({ columns: ['=1+1'], rows: [['@SUM(A1)'], ['-2']] })).toBe("'=1+1\r\n'@SUM(A1)\r\n'-2\r\n")
  })

  it('keeps numbers as numbers and leaves the unknown empty', () => {
    expect(toCsv({ columns: ['n', 'm'], rows: [[-2, null]] })).toBe('n,m\r\n-2,\r\n')
  })
})
