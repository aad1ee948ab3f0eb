import { afterEach, beforeEach, expect, it } from 'vitest'
import { createChanges, newsOf, type Change } from '../../../main/console/changes.ts'
import { recordingLogger } from '../../support/intake-school.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { crisis } from '../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const put = (name: string) => at.db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(name, '')
const settings = () => at.count(`settings WHERE value = ''`)

it('tells a change once, when it is committed', () => {
  let seen = -1
  at.changes.listen(() => (seen = settings()))
  at.changes.commit((altered) => {
    put('a')
    altered.add({ sent: ['key'] })
    expect(at.heard).toEqual([])
  })
  expect(seen).toBe(1)
  expect(at.heard).toHaveLength(1)
  expect(at.heard[0]).toMatchObject({ sent: ['key'], alerts: [], queued: false })
})

it('tells nobody of what was not committed', () => {
  const broken = () =>
    at.changes.commit((altered) => {
      put('a')
      altered.add({ sent: ['key'] })
      throw new Error('broken')
    })
  expect(broken).toThrow('broken')
  expect(settings()).toBe(0)
  expect(at.heard).toEqual([])
  at.changes.commit((altered) => altered.add({ queued: true }))
  expect(at.heard).toMatchObject([{ sent: [], queued: true }])
})

it('a commit inside a commit is a part of it: one transaction, one change', () => {
  const inside = () =>
    at.changes.commit((outer) => {
      outer.add({ sent: ['outer'] })
      at.changes.commit((inner) => {
        put('a')
        inner.add({ sent: ['inner'] })
      })
      throw new Error('broken')
    })
  expect(inside).toThrow('broken')
  expect(settings()).toBe(0)
  at.changes.commit((outer) => {
    outer.add({ sent: ['outer'] })
    at.changes.commit((inner) => inner.add({ sent: ['inner'] }))
  })
  expect(at.heard).toMatchObject([{ sent: ['outer', 'inner'] }])
})

it('what is told inside a commit is told with it, and not where that fails', () => {
  const tell = (outcome: () => void) => () =>
    at.changes.commit((altered) => {
      altered.add({ queued: true })
      at.changes.tell({ sent: ['told'] })
      expect(at.heard).toEqual([])
      outcome()
    })
  const fails = tell(() => {
    throw new Error('broken')
  })
  expect(fails).toThrow('broken')
  expect(at.heard).toEqual([])
  tell(() => undefined)()
  expect(at.heard).toMatchObject([{ sent: ['told'], queued: true }])
})

it('a listener that commits is heard after the change it answers, by everybody', () => {
  const order: string[] = []
  at.changes.listen(({ sent }) => {
    order.push(`first ${sent.join()}`)
    if (sent.includes('cause')) at.changes.commit((altered) => altered.add({ sent: ['effect'] }))
  })
  at.changes.listen(({ sent }) => void order.push(`second ${sent.join()}`))
  at.changes.tell({ sent: ['cause'] })
  expect(order).toEqual(['first cause', 'second cause', 'first effect', 'second effect'])
})

it('a listener that fails keeps nobody else from hearing', () => {
  const { logger, entries } = recordingLogger()
  const changes = createChanges(at.db, logger)
  const heard: Change[] = []
  changes.listen(() => {
    throw new Error('deaf')
  })
  changes.listen((change) => void heard.push(change))
  changes.tell({ queued: true })
  changes.tell({ queued: true })
  expect(heard).toHaveLength(2)
  expect(entries).toHaveLength(2)
})

it('who stopped listening hears no more', () => {
  let heard = 0
  const stop = at.changes.listen(() => (heard += 1))
  at.changes.tell({})
  stop()
  at.changes.tell({})
  expect(heard).toBe(1)
})

it('an event from the queue is confirmed, and opens an alert that is news', async () => {
  const event = crisis()
  await at.receive(event)
  const [change] = at.heard
  expect(change?.confirmed).toEqual([event['idempotency_key']])
  expect(newsOf(change as Change)).toHaveLength(1)
  await at.receive(event)
  expect(at.heard).toHaveLength(2)
  expect(newsOf(at.heard[1] as Change)).toEqual([])
})
