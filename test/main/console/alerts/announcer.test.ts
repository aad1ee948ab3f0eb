import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAnnouncer, type Announcer } from '../../../../main/console/alerts/index.ts'
import type { Touched } from '../../../../main/store/console/index.ts'
import { minutes, seconds } from '../../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let announcer: Announcer
let said: string[]
beforeEach(() => {
  at = openRecord()
  said = []
  const shell = {
    notify: ({ title }: { title: string }) => void said.push(title),
    badge: () => undefined,
    openExternal: () => undefined,
  }
  announcer = createAnnouncer(at.db, { clock: at.clock, shell }, () => school)
})
afterEach(() => at.close())

const tellLast = () => announcer.tell(at.changes.at(-1) as Touched)

it('a higher tier on an open alert is news', async () => {
  await at.receive(analyzed({ session_id: 's', tier: 'high', score: 0.8, at: noon }))
  tellLast()
  at.clock.advance(seconds(60))
  await at.receive(crisis({ session_id: 's', at: noon + seconds(60) }))
  tellLast()
  expect(said).toEqual(['Alert', 'Crisis alert'])
})

it('an alert that comes late is called late', async () => {
  await at.receive(crisis({ at: noon - minutes(14 * 60) }))
  tellLast()
  expect(said).toEqual(['Late: crisis alert'])
})

it('a flood is one notification, but a crisis is heard behind lesser alerts', async () => {
  for (const index of [1, 2, 3]) {
    await at.receive(analyzed({ session_id: `s${index}`, tier: 'high', score: 0.8, at: noon }))
    tellLast()
  }
  await at.receive(crisis({ session_id: 's4', at: noon }))
  tellLast()
  expect(said).toEqual(['Alert', 'Crisis alert'])
})

it('names nobody', () => {
  announcer.unreadableCrisis()
  expect(said).toEqual(['A crisis event could not be read'])
})
