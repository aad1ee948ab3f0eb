import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createActionReporter } from '../../../../main/console/alerts/index.ts'
import { markActionReportsRead, unreadActionReports } from '../../../../main/store/console/index.ts'
import { relayedEvent } from '../../../../shared/action-message.ts'
import { whatBecame } from '../../../../shared/outcome-of-action.ts'
import { days, hours, minutes, seconds } from '../../../../shared/time.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { crisis, noon } from '../../../support/wire.ts'

/** The console of somebody; what is done there comes back with the position that the station gave it. */
let mine: OpenRecord
let theirs: OpenRecord
const reporters: { stop(): void }[] = []
beforeEach(async () => {
  mine = openRecord()
  theirs = openRecord()
  for (const each of [mine, theirs]) {
    const reporter = createActionReporter(each)
    reporter.start()
    reporters.push(reporter)
    await each.receive(first)
  }
})
afterEach(() => {
  reporters.splice(0).forEach((each) => each.stop())
  mine.close()
  theirs.close()
})

const first = crisis({ session_id: 's', idempotency_key: 'first' })
const keyAt = (at: OpenRecord) => String(at.rows('SELECT key FROM alerts')[0]?.['key'])

/** What a console sends about an action, once its queue has it. */
function sent(at: OpenRecord, id: string): Record<string, unknown> {
  at.db.prepare('UPDATE outbox SET sent_at = ? WHERE id = ?').run(at.clock.now(), id)
  const body = String(at.db.prepare('SELECT body FROM outbox WHERE id = ?').pluck().get(id))
  return relayedEvent(body) as Record<string, unknown>
}
const refusedAs = (refused_record: string) => ({
  ...{ ack_id: 'refused:1', idempotency_key: 'refused:1', refused: 'signature', refused_record },
})
const unread = (at: OpenRecord, person: string) =>
  unreadActionReports(at.db, person).map(({ action_id, became, waited }) => ({ action_id, became, waited }))

describe('who did something is told what became of it', () => {
  it('where a colleague was first by the order of the queue, whichever of the two comes back first', async () => {
    for (const order of ['mine first', 'theirs first']) {
      const { ackId } = theirs.lifecycle.act(keyAt(theirs), osei, { action: 'acknowledged' })
      mine.clock.advance(seconds(2))
      const own = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' }).ackId
      const events = [
        { ...sent(mine, own), position: 2 },
        { ...sent(theirs, ackId), position: 1 },
      ]
      for (const event of order === 'mine first' ? events : events.toReversed()) {
        await mine.receive(event)
        await theirs.receive(event)
      }
      expect(unread(mine, 'marlow')).toEqual([{ action_id: own, became: 'changed nothing', waited: false }])
      expect(unread(theirs, 'osei')).toEqual([])
      expect(mine.heard.some(({ reported }) => reported.includes('marlow'))).toBe(true)
      for (const at of [mine, theirs]) expect(at.eventLog.alertBehind(keyAt(at))?.owner?.id).toBe('osei')
      mine.close()
      theirs.close()
      mine = openRecord()
      theirs = openRecord()
      for (const at of [mine, theirs]) {
        createActionReporter(at).start()
        await at.receive(first)
      }
    }
  })

  it('and not while it is on its way, nor where it counts', async () => {
    const { ackId } = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' })
    expect(unread(mine, 'marlow')).toEqual([])
    await mine.receive({ ...sent(mine, ackId), position: 1 })
    expect(unread(mine, 'marlow')).toEqual([])
  })

  it('where the station refused it, under whatever id, and not where somebody copied what counts', async () => {
    const { ackId } = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' })
    const event = sent(mine, ackId)
    const copy = { ...event, ...refusedAs(ackId) }
    await mine.receive(copy)
    expect(unread(mine, 'marlow')).toEqual([{ action_id: ackId, became: 'refused', waited: false }])
    await mine.receive({ ...event, position: 1 })
    expect(unread(mine, 'marlow')).toEqual([])
    const note = mine.lifecycle.act(keyAt(mine), marlow, { action: 'noted', note: 'n' }).ackId
    await mine.receive({ ...sent(mine, note), position: 2, refused: 'unknown person' })
    expect(unread(mine, 'marlow')).toEqual([{ action_id: note, became: 'refused', waited: false }])
  })

  it('where the station does not vouch for this console: it holds here alone, as the alert says, too', async () => {
    const { ackId } = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' })
    await mine.receive({ ...sent(mine, ackId), position: 1, unvouched: 'console not approved' })
    expect(unread(mine, 'marlow')).toEqual([{ action_id: ackId, became: 'refused', waited: false }])
    const alert = mine.eventLog.alertBehind(keyAt(mine))
    expect(alert).toMatchObject({ state: 'acknowledged', owner: { id: 'marlow' } })
    expect(alert && whatBecame(alert, ackId)).toEqual({ kind: 'refused', why: 'console not approved', here: true })
  })

  it('after days offline: everything that arrived, and what of it changed nothing', async () => {
    const ack = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' }).ackId
    mine.clock.advance(minutes(1))
    const note = mine.lifecycle.act(keyAt(mine), marlow, { action: 'noted', note: 'At home.' }).ackId
    const other = theirs.lifecycle.act(keyAt(theirs), osei, { action: 'acknowledged' }).ackId
    mine.clock.advance(days(2))
    await mine.receive({ ...sent(theirs, other), position: 1 })
    expect(unread(mine, 'marlow')).toEqual([])
    await mine.receive({ ...sent(mine, ack), position: 2 }, { ...sent(mine, note), position: 3 })
    const told = unread(mine, 'marlow')
    expect(told).toHaveLength(2)
    expect(told).toContainEqual({ action_id: ack, became: 'changed nothing', waited: true })
    expect(told).toContainEqual({ action_id: note, became: 'arrived', waited: true })
  })

  it('until they have read it, and again where something else comes of it', async () => {
    const { ackId } = mine.lifecycle.act(keyAt(mine), marlow, { action: 'acknowledged' })
    mine.clock.advance(hours(1))
    await mine.receive({ ...sent(mine, ackId), position: 2 })
    markActionReportsRead(mine.db, { person: 'osei', ids: [ackId], now: noon })
    expect(unread(mine, 'marlow')).toHaveLength(1)
    markActionReportsRead(mine.db, { person: 'marlow', ids: [ackId], now: noon })
    expect(unread(mine, 'marlow')).toEqual([])
    const other = theirs.lifecycle.act(keyAt(theirs), osei, { action: 'acknowledged' }).ackId
    await mine.receive({ ...sent(theirs, other), position: 1 })
    expect(unread(mine, 'marlow')).toEqual([{ action_id: ackId, became: 'changed nothing', waited: true }])
  })
})
