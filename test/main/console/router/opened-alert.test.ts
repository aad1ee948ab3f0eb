import { expect, it } from 'vitest'
import { openedAlert } from '../../../../main/console/router/opened-alert.ts'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import type { AlertAction } from '../../../../shared/actions.ts'
import type { Alert } from '../../../../shared/alerts.ts'
import { sealWords } from '../../../../shared/record-words.ts'
import { minutes } from '../../../../shared/time.ts'
import { action, only, reduceAlerts, start, trigger } from '../../../support/alerts.ts'

const key = evidenceKey(Buffer.alloc(32, 1))
const crisis = trigger({ school_id: 'school' })
const seal = (one: AlertAction): AlertAction =>
  sealWords(one, key, {
    school_id: 'school',
    student_hash: crisis.student_hash,
    ack_id: one.id,
    by: one.by,
  }) as AlertAction
const after = (minute: number, kind: AlertAction['action'], said: object) =>
  action(kind, [crisis], { at: start + minutes(minute), ...said })
const acknowledged = after(1, 'acknowledged', { id: 'ack', next_action: 'Call', due_at: start + minutes(15) })
const promised = after(2, 'commitment_made', { id: 'promise', next_action: 'Drive over', due_at: start + minutes(60) })
const moved = after(3, 'commitment_moved', { commitment: 'promise', next_action: 'Walk over' })
const planned = after(3, 'corrected', { next_action: 'Wait' })
const noted = after(4, 'noted', { note: 'Spoke.' })
const alertOf = (...actions: AlertAction[]): Alert => only(reduceAlerts([crisis], actions))
const everything = [acknowledged, promised, moved, planned, noted]

it('says what it would say if its words had never been sealed, whichever of them were', () => {
  const written = alertOf(...everything)
  for (let sealed = 0; sealed < 2 ** everything.length; sealed++) {
    const some = everything.map((one, index) => (sealed & (1 << index) ? seal(one) : one))
    expect(openedAlert(alertOf(...some), key)).toEqual(written)
  }
})

it('keeps what does not open as it came', () => {
  const sealed = alertOf(...everything.map(seal))
  expect(openedAlert(sealed, evidenceKey(Buffer.alloc(32, 2)))).toEqual(sealed)
})
