/** The directory of a school's own desk: its accounts, its crisis numbers and its roster are in it by themselves. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { DirectoryView } from '../../shared/views.ts'
import type { ConsoleProcess } from '../support/console-process.ts'
import { deskAdmin, setUpDesk, signedIn, type DeskHouse } from '../support/desk.ts'
import { openPage, type Page } from '../support/real-console.ts'

let house: DeskHouse
let desk: ConsoleProcess
let page: Page
let view: DirectoryView | null = null

async function open(): Promise<void> {
  view = null
  desk = await house.start()
  page = await signedIn(await openPage(desk.address))
  page.calls.policy.watch.subscribe(undefined, { onData: (next) => void (view = next) })
}
beforeAll(async () => {
  house = await setUpDesk()
  await open()
}, 60_000)
afterAll(async () => {
  await page.close()
  await desk.stop()
  house.remove()
})

const kept = () => view?.kept?.policy
const people = () => kept()?.people.map(({ name, role }) => `${name} ${role}`)

it('lists the accounts as they come, change and end, and is filled again by nobody after a kill', async () => {
  const { calls } = page
  await vi.waitFor(() => expect(people()).toEqual([`${deskAdmin.name} ADMIN`]), 20_000)
  expect(view).toMatchObject({ station: 'here', sealed: false, kept: { version: 1, changed_by: 'system' } })
  expect(kept()?.calendar.time_zone).toBe('America/Chicago')

  await calls.accounts.add.mutate({ name: 'K. Osei', role: 'COUNSELOR', user_name: 'osei' })
  await vi.waitFor(() => expect(people()).toEqual([`${deskAdmin.name} ADMIN`, 'K. Osei COUNSELOR']), 20_000)
  const osei = kept()?.people.find(({ name }) => name === 'K. Osei')
  const base = await calls.policy.edit.mutate()
  const reached = { sms: '+15550101', voice: null, email: null }
  const policy = { ...base.policy, people: base.policy.people.map((each) => ({ ...each, channels: reached })) }
  expect(await calls.policy.save.mutate({ version: base.version, policy })).toHaveProperty('changed')
  expect(await calls.policy.save.mutate({ version: base.version, policy: base.policy })).toHaveProperty('stale')
  await calls.accounts.setRole.mutate({ person_id: osei?.id ?? '', role: 'CLINICIAN' })
  await vi.waitFor(() => expect(people()).toContain('K. Osei CLINICIAN'), 20_000)
  expect(kept()?.people.map(({ channels }) => channels)).toEqual([reached, reached])

  const numbers = [{ name: 'Front desk', contact: '555-0142' }]
  const text = 'Please talk to somebody now: call or text 988, day and night.'
  await calls.desk.setResources.mutate({ text, numbers })
  await vi.waitFor(() => expect(kept()?.crisis_numbers).toEqual(numbers), 20_000)

  const csv = 'student id,name,counselor\n1,Ada,K. Osei\n2,Bea,Nobody Here\n'
  const imported = await calls.roster.import.mutate({ csv })
  expect(imported).toMatchObject({ imported: 2 })
  await vi.waitFor(() => expect(view?.assignments).toEqual({ waiting: 0, problem: null, sending: false }), 20_000)

  const before = view?.kept
  await desk.stop('SIGKILL')
  await page.close()
  await open()
  await vi.waitFor(() => expect(view?.kept).toEqual(before), 20_000)
  await page.calls.accounts.end.mutate({ person_id: osei?.id ?? '' })
  await vi.waitFor(() => expect(people()).toEqual([`${deskAdmin.name} ADMIN`]), 20_000)
  expect(view?.kept?.version).toBe((before?.version ?? 0) + 1)
}, 120_000)
