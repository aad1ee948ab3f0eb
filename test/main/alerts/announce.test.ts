import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAnnouncer, type Announcer } from '../../../main/alerts/index.ts'
import { importRoster } from '../../../main/identity/index.ts'
import type { Touched } from '../../../main/store/index.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { analyzed, crisis, hashOf, noon, school } from '../../support/wire.ts'

let at: OpenRecord
let announcer: Announcer
let said: string[]
/** All that reached the desktop, word for word. */
let told: unknown[]
beforeEach(() => {
  at = openRecord()
  said = []
  told = []
  const shell = {
    notify: (notification: { title: string }) => {
      said.push(notification.title)
      told.push(notification)
    },
    badge: (count: number) => void told.push(count),
    openExternal: (url: string) => void told.push(url),
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

it('names nobody and quotes nothing, whatever the event says and the roster knows', async () => {
  const session_id = 'MARKED session'
  const student_hash = hashOf('MARKED student')
  const csv = `student id,name,grade,class,counselor\nS-1,MARKED name,9,MARKED class,MARKED counselor\n`
  importRoster(at.db, csv, 'salt', school, noon)
  const known = String(at.rows('SELECT student_hash FROM roster')[0]?.['student_hash'])
  const worded = { reasoning: 'MARKED words', matched_patterns: ['suicidal_intent', 'MARKED pattern'] }
  for (const event of [
    crisis({ ...worded, session_id, student_hash }),
    crisis({ ...worded, session_id: 'known', student_hash: known, message_id: 'MARKED message' }),
    crisis({ ...worded, session_id: 'late', student_hash: known, at: noon - minutes(90) }),
    analyzed({ ...worded, session_id: 'high', student_hash: known, tier: 'high', score: 0.8, at: noon }),
  ]) {
    await at.receive(event)
    tellLast()
    at.clock.advance(seconds(10))
  }
  announcer.unreadableCrisis()
  expect(said).toEqual([
    'Crisis alert',
    'Crisis alert',
    'Late: crisis alert',
    'Alert',
    'A crisis event could not be read',
  ])
  const everything = JSON.stringify(told)
  for (const secret of ['MARKED', student_hash, known, known.slice(0, 4).toUpperCase(), school, 'suicid'])
    expect(everything).not.toContain(secret)
})
