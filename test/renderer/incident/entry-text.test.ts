import { beforeAll, describe, expect, it } from 'vitest'
import type { IncidentEntry } from '../../../shared/incident-record.ts'
import type { ActionView } from '../../../shared/views.ts'
import { showTimesIn, whenText } from '../../../renderer/controls/index.ts'
import { entryText } from '../../../renderer/incident/entry-text.ts'

beforeAll(() => showTimesIn('America/Chicago'))

const at = Date.UTC(2026, 0, 20, 16, 15)
type Acted = Extract<IncidentEntry, { kind: 'action' }>

function action(changes: Partial<ActionView>, of: Partial<Pick<Acted, 'about' | 'corrected_at' | 'told'>> = {}): Acted {
  const view = {
    ...{ id: 'a', kind: 'noted', at, by: 'rivera', by_name: 'A. Rivera', applied: true, refused: false, note: null },
    ...{ next_action: null, due_at: null, to_name: null, disposition: null, reason: null, corrects: null },
    ...{ withdraws: null, commitment: null, step: null, title: null, contact: null, outcome: null, who: null },
    ...{ withdrawn_at: null, sealed: false },
    ...changes,
  } as ActionView
  return { id: 'a', at, kind: 'action', action: view, told: false, corrected_at: null, about: null, ...of }
}

describe('a line of the timeline', () => {
  it('says who takes the alert and what is next, until when', () => {
    const due_at = at + 900_000
    const entry = action({ kind: 'acknowledged', next_action: 'See Ada', due_at })
    expect(entryText(entry)).toMatchObject({
      who: 'A. Rivera',
      what: `Acknowledged the alert. Next: See Ada, due ${whenText(due_at, at)}`,
      marks: [],
    })
  })

  it('tells an attempt from somebody who was reached', () => {
    const tried = action({ kind: 'contact_attempted', contact: 'guardian', outcome: 'no answer', who: 'Her mother' })
    const reached = action({ kind: 'contact_attempted', contact: 'guardian', outcome: 'reached' })
    expect(entryText(tried).what).toBe('Tried to reach Her mother: no answer')
    expect(entryText(reached).what).toBe('Reached a guardian')
  })

  it('keeps a corrected note word for word and says when it was corrected', () => {
    const corrected_at = at + 60_000
    const note = entryText(action({ note: 'Mother reached.' }, { corrected_at }))
    expect(note).toMatchObject({ note: 'Mother reached.', undone: false })
    expect(note.marks).toEqual([`Corrected ${whenText(corrected_at, at)}; the correction is below`])
    const about = { kind: 'noted', at: at - 60_000, by_name: 'A. Rivera', what: null } as const
    const correction = entryText(action({ kind: 'corrected', corrects: 'n', note: 'Aunt reached.' }, { about }))
    expect(correction.what).toBe(`Correction of the note of ${whenText(about.at, at)}`)
  })

  it('says in words what was undone, what changed nothing, what nobody could verify and what was told later', () => {
    const withdrawn_at = at + 5000
    const undone = entryText(action({ applied: false, withdrawn_at }))
    expect(undone).toMatchObject({ undone: true, marks: [`Undone ${whenText(withdrawn_at, at)}`] })
    expect(entryText(action({ applied: false })).marks[0]).toMatch(/colleague acted first/)
    expect(entryText(action({ applied: false, refused: true })).marks).toHaveLength(1)
    expect(entryText(action({}, { told: true })).marks).toEqual(['Entered afterwards'])
  })

  it('says a commitment once where only its time changed', () => {
    const about = { kind: 'commitment_made', at, by_name: 'A. Rivera', what: 'Call the aunt' } as const
    const due_at = at + 900_000
    const moved = { kind: 'commitment_moved', commitment: 'c', due_at } as const
    const due = whenText(due_at, at)
    expect(entryText(action({ ...moved, next_action: 'Call the aunt' }, { about })).what).toBe(
      `Changed: Call the aunt. Due ${due}`,
    )
    expect(entryText(action({ ...moved, next_action: 'Call the uncle' }, { about })).what).toBe(
      `Changed: Call the aunt. Next: Call the uncle, due ${due}`,
    )
  })

  it('names the program where the clock acted', () => {
    const entry = action({ kind: 'reopened', by: 'system', by_name: 'The clock', reason: 'due time passed' })
    expect(entryText(entry)).toMatchObject({ who: 'The program', what: 'Reopened the alert: the due time passed' })
  })

  it('says of a message by which words it was raised, and how late it came', () => {
    const moment = {
      ...{ number: 2, said_at: null, detected_at: at, received_at: at + 240_000, tier: 'crisis' as const },
      categories: ['suicidal_intent' as const],
      about_other: false,
    }
    expect(entryText({ id: 'm', at, kind: 'moment', moment }).what).toMatch(
      /^Message 2 raised crisis: suicidal intent$/,
    )
    const arrived = { id: 'n', at: at + 240_000, kind: 'arrived', moment, late_by: 240_000 } as const
    expect(entryText(arrived).what).toBe('Message 2 reached this console 4 min late')
  })

  it('says resolving with its outcome, and what was left out with its reason', () => {
    const entry = action({ kind: 'resolved', disposition: 'referred', reason: 'The clinic went on.' })
    expect(entryText(entry).what).toBe('Resolved the alert: referred. Required steps left out: The clinic went on.')
  })
})
