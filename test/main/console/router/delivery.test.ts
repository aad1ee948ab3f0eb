import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../../main/platform/clock.ts'
import { seconds } from '../../../../shared/time.ts'
import { openConsole, refusalOf, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { crisis } from '../../../support/wire.ts'

let console: OpenConsole
let key: string
beforeAll(async () => {
  console = await openConsole()
  const now = systemClock.now()
  await console.receive(crisis({ at: now, school_id: testSchool, session_id: 'delivered' }))
  key = (await counselor().alerts.page({ filter: 'open', offset: 0, limit: 1 })).rows.flatMap((row) =>
    row.kind === 'alert' ? [row.key] : [],
  )[0]!
})
afterAll(() => console.stop())

const counselor = () => console.as('COUNSELOR')
const notes = async () => (await counselor().alerts.detail({ key })).actions.filter(({ kind }) => kind === 'noted')
/** A note as a page sends it. */
const note = (id: string, begin_by: number, by = counselor()) => {
  const input = { key, note: 'Called home.', delivery: { id, begin_by } }
  return by.alerts.note(input)
}

it('records once what is sent twice, and answers both times', async () => {
  const id = randomUUID()
  const by = () => systemClock.now() + seconds(4)
  const first = await note(id, by())
  expect(await note(id, by())).toEqual(first)
  expect(await notes()).toHaveLength(1)
  await note(randomUUID(), by())
  expect(await notes()).toHaveLength(2)
})

it('takes the same id of somebody else for another act', async () => {
  const id = randomUUID()
  const by = systemClock.now() + seconds(4)
  const [mine, theirs] = [await note(id, by), await note(id, by, console.as('CLINICIAN'))]
  expect(theirs.ack_id).not.toBe(mine.ack_id)
})

it('leaves alone what comes later than it may be begun, and says so', async () => {
  const before = (await notes()).length
  const refusal = await refusalOf(console, () => note(randomUUID(), systemClock.now() - 1))
  expect(refusal?.personal).toMatchObject({ code: 'not_taken', safe: 'Nothing was changed.' })
  expect(await notes()).toHaveLength(before)
})

it('asks nothing of a caller that names no time, and never delays a question', async () => {
  await counselor().alerts.note({ key, note: 'Without.' })
  const late = { key, delivery: { id: randomUUID(), begin_by: 0 } }
  expect((await counselor().alerts.detail(late)).key).toBe(key)
})
