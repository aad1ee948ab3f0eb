import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callDesk, deskAdmin, setUpDesk, signedIn, type DeskHouse } from '../support/desk.ts'
import { openPage } from '../support/real-console.ts'
import type { ConsoleProcess } from '../support/console-process.ts'

let house: DeskHouse
let desk: ConsoleProcess
beforeAll(async () => {
  house = await setUpDesk()
  desk = await house.start()
}, 60_000)
afterAll(async () => {
  await desk?.stop()
  house?.remove()
})

it('a desk opens unattended, and tells nobody but how many alerts wait', async () => {
  expect(readFileSync(join(house.dataDir, 'desk.json'), 'utf8')).toBe('{"version":1}\n')
  const { session_id } = await callDesk(house.dataDir, '/sessions', { user_id: 'S-1' })
  const said = { sender: 'user', content: 'I am going to kill myself tonight.' }
  await callDesk(house.dataDir, `/sessions/${String(session_id)}/messages`, said)
  const page = await openPage(desk.address)
  const states: unknown[] = []
  const seen = new Promise<void>((resolve) => {
    page.calls.signIn.state.subscribe(undefined, {
      onData(state) {
        states.push(state)
        if (state.state === 'out' && state.waiting === 1) resolve()
      },
    })
  })
  await seen
  expect(states.at(-1)).toEqual({ state: 'out', waiting: 1, school: 'Lakeside High' })
  await expect(page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 })).rejects.toThrow('Nobody is signed in') // prettier-ignore
  await expect(page.calls.setUp.defaults.query()).rejects.toThrow('Nothing is to be set up')
  await signedIn(page)
  expect(await page.calls.me.get.query()).toMatchObject({
    person: { name: deskAdmin.name, role: 'ADMIN' },
    desk: true,
    demo: false,
    school_name: 'Lakeside High',
    time_zone: 'America/Chicago',
    has_account: true,
    may_set_up: false,
  })
  const { rows } = await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 })
  expect(rows).toHaveLength(1)
  await page.close()
})
