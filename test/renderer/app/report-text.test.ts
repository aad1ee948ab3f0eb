import { expect, it } from 'vitest'
import { headingOf, reportText, unappliedText } from '../../../renderer/app/report-text.ts'
import type { Because } from '../../../shared/outcome-of-action.ts'
import { seconds } from '../../../shared/time.ts'
import type { ActionReportView } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const osei = { id: 'osei', name: 'K. Osei' }
const held: Because = {
  ...{ why: 'held', by: 'osei', by_name: 'K. Osei', did: 'acknowledged', ahead: seconds(2), holder: 'K. Osei' },
}
const report = (change: Partial<ActionReportView> = {}): ActionReportView => ({
  ...{ action_id: 'a', kind: 'acknowledged', at: 0, waited: false, alert: alertRowAt(0, { owner: osei }) },
  ...{ became: { kind: 'changed nothing', because: held }, ...change },
})

it('says who was first, by how much, and who holds it', () => {
  expect(reportText(report(), 'me')).toBe('Student AAAA: K. Osei acknowledged this 2 s before you; they hold it.')
  const byQueue = report({ became: { kind: 'changed nothing', because: { ...held, ahead: null } } })
  expect(reportText(byQueue, 'me')).toContain('while yours was still on its way')
  expect(reportText(report({ alert: alertRowAt(0, { owner: { id: 'me', name: 'Me' } }) }), 'me')).toContain(
    'you hold it now',
  )
  expect(reportText(report({ alert: alertRowAt(0) }), 'me')).toContain('nobody holds it now')
  expect(unappliedText({ ...report(), applied: false })).toBe(
    'Recorded; it changed nothing: K. Osei acknowledged this 2 s earlier',
  )
})

it('says of what a station refused what to do', () => {
  for (const why of ['signature', 'unsigned', 'console not approved', 'unknown person', 'of another kind']) {
    const said = (here: boolean) => reportText(report({ became: { kind: 'refused', why, here } }), 'me')
    expect(said(false)).toMatch(/changed nothing.* do it again\.$/)
    expect(said(true)).toMatch(/counts on this console alone.* do it again\.$/)
  }
})

it('says below a line of the history what nobody vouches for, and what counts here alone', () => {
  for (const why of ['console not approved', 'unsigned', 'unknown person', 'of another kind']) {
    const unvouched = { kind: 'unvouched', why } as const
    expect(unappliedText({ applied: false, became: unvouched })).toMatch(/^Not vouched for: .*the ladder goes on$/)
    expect(reportText(report({ became: unvouched }), 'me')).toMatch(/changed nothing, because .*\.$/)
    const here = { kind: 'refused', why, here: true } as const
    expect(unappliedText({ applied: true, became: here })).toMatch(/^Counts on this console alone/)
  }
  expect(unappliedText({ applied: true, became: { kind: 'counts' } })).toBeNull()
})

it('counts what was done offline, and what of it changed nothing', () => {
  const arrived = report({ waited: true, became: { kind: 'counts' } })
  expect(headingOf([arrived, arrived, report({ waited: true })])).toBe(
    '3 things you did while offline arrived; 1 changed nothing:',
  )
  expect(headingOf([arrived])).toBe('1 thing you did while offline arrived.')
  expect(headingOf([report(), report()])).toBe('2 things you did changed nothing:')
})
