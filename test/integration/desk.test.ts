import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../main/platform/clock.ts'
import { findDemonstration, findIntake } from '../../main/platform/intake-address.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { callDesk, deskAdmin, setUpDesk, signedIn, type DeskHouse } from '../support/desk.ts'
import { openPage } from '../support/real-console.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'

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
  expect(states.at(-1)).toEqual({
    start_id: expect.any(String) as string,
    state: 'out',
    waiting: 1,
    school: 'Lakeside High',
  })
  await expect(page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 })).rejects.toThrow(
    'No one is signed in',
  )
  await expect(page.calls.setUp.defaults.query()).rejects.toThrow('There is nothing to set up')
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

it('what is left of the set-up is somebody who may read a student’s words, until there is one', async () => {
  const again = await openAgain({ dataDir: house.dataDir, demo: false, port: 0 }, systemClock)
  const page = await openPage(again?.address ?? '')
  await signedIn(page)
  const isDone = async (which: string) =>
    (await page.calls.desk.checklist.query()).steps.find(({ step }) => step === which)?.done
  const people = () => isDone('people')
  await page.calls.accounts.add.mutate({ name: 'Another admin', role: 'ADMIN', user_name: 'another' })
  expect(await people()).toBe(false)
  await page.calls.accounts.add.mutate({ name: 'A counselor', role: 'COUNSELOR', user_name: 'counselor' })
  expect(await people()).toBe(true)
  // The ladder as it begins tells whoever is there, at the desk.
  await expect.poll(() => isDone('ladder'), { timeout: 10_000 }).toBe(true)
  // This one is started with the passphrase in its environment.
  expect((await page.calls.desk.checklist.query()).asks_passphrase).toBe(false)
  await page.close()
})

it('the demonstration opens beside the desk that runs, at an address of its own', async () => {
  const demonstration = await startConsoleProcess({ dataDir: house.dataDir, args: ['--demo'] })
  try {
    expect(new URL(demonstration.address).origin).not.toBe(new URL(desk.address).origin)
    const again = async (demo: boolean) =>
      new URL((await openAgain({ dataDir: house.dataDir, demo, port: 0 }, systemClock))?.address ?? '').origin
    expect(await again(true)).toBe(new URL(demonstration.address).origin)
    expect(await again(false)).toBe(new URL(desk.address).origin)
  } finally {
    expect(await demonstration.stop()).toBe(0)
  }
}, 60_000)

it('no name, password, key or word of it all is in a log or in a file that anybody can read', async () => {
  const again = await openAgain({ dataDir: house.dataDir, demo: false, port: 0 }, systemClock)
  const page = await openPage(again?.address ?? '')
  await signedIn(page)
  expect(await page.calls.chatKeys.address.query()).toBe(findIntake(house.dataDir)?.url)
  const { key } = await page.calls.chatKeys.issue.mutate({ label: 'MARKED-label' })
  await page.calls.accounts.add.mutate({ name: 'MARKED-counselor', role: 'COUNSELOR', user_name: 'marked-user' })
  await page.calls.roster.import.mutate({ csv: 'student id,name,counselor\nMARKED-1,MARKED-name,MARKED-counselor\n' })
  await expect(
    page.calls.signIn.signIn.mutate({ user_name: 'MARKED-typed', password: 'MARKED-secret' }),
  ).rejects.toThrow()
  const { session_id } = await callDesk(house.dataDir, '/sessions', { user_id: 'MARKED-1' })
  const said = { sender: 'user', content: 'MARKED-words: I am going to kill myself tonight.' }
  await callDesk(house.dataDir, `/sessions/${String(session_id)}/messages`, said)
  await expect
    .poll(async () =>
      (await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 })).rows.map(
        (row) => 'student' in row && row.student.name,
      ),
    )
    .toContain('MARKED-name')
  await page.close()
  expect(await desk.stop()).toBe(0)
  const marks = ['marked-', key, String(session_id), deskAdmin.password, deskAdmin.name, 'lakeside', 'correct horse']
  const files = readdirSync(house.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['console.db', 'station.db', 'console.log', 'desk.json']),
  )
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name)).toString('latin1').toLowerCase()
    for (const mark of marks) expect([name, mark, text.includes(mark.toLowerCase())]).toEqual([name, mark, false])
  }
  for (const mark of marks)
    expect(`${desk.written.stdout}${desk.written.stderr}`.toLowerCase()).not.toContain(mark.toLowerCase())
})

it('the chat finds the desk at the same port after every start, and a port that is taken is said', async () => {
  desk = await house.start()
  const { port } = new URL(findIntake(house.dataDir)?.url ?? '')
  await desk.stop()
  desk = await house.start()
  expect(new URL(findIntake(house.dataDir)?.url ?? '').port).toBe(port)
  await desk.stop()
  const squatter = createServer()
  await new Promise<void>((done) => squatter.listen(Number(port), '127.0.0.1', done))
  await expect(house.start()).rejects.toThrow(`Another program is using port ${port} on this machine`)
  squatter.close()
})

it('a key of another school is refused at the start, and one of its own opens the desk', async () => {
  await desk.stop()
  const [own, strange] = ['key-of-the-own-school', 'key-of-another-school']
  const school = '00000000-1111-4222-8333-444444444444'
  await expect(house.start({ CONSULTX_API_KEYS: `${own},${strange}:${school}` })).rejects.toThrow(
    'CONSULTX_API_KEYS, or its file, contains a key for a school other than',
  )
  desk = await house.start({ CONSULTX_API_KEYS: `${own}:${testSchool}` })
  const call = { method: 'POST', headers: { 'x-api-key': own, 'content-type': 'application/json' } }
  const url = new URL('/sessions', findIntake(house.dataDir)?.url)
  expect((await fetch(url, { ...call, body: JSON.stringify({ user_id: 'S-2' }) })).ok).toBe(true)
})

it('a demonstration on its directory has another key, address and data, and takes them with it', async () => {
  await desk.stop()
  const { dataDir } = house
  const files = () =>
    readdirSync(dataDir)
      .filter((name) => !/^(logs|demo|preferences|window)/.test(name))
      .sort()
  const before = files()
  const ownKey = readFileSync(join(dataDir, 'intake.key'), 'utf8')
  const demonstration = await startConsoleProcess({ dataDir, args: ['--demo'] })
  try {
    expect(findIntake(dataDir)).toBeNull()
    const intake = findDemonstration(dataDir)
    const begin = async (key: string | undefined): Promise<number> => {
      const headers = { 'x-api-key': key ?? '', 'content-type': 'application/json' }
      return (await fetch(new URL('/sessions', intake?.url), { method: 'POST', headers, body: '{"user_id":"S-3"}' }))
        .status
    }
    expect(await begin(intake?.key)).toBe(201)
    expect(await begin(ownKey.trim())).toBe(401)
  } finally {
    await demonstration.stop()
  }
  expect(findDemonstration(dataDir)).toBeNull()
  expect(readdirSync(join(dataDir, 'demo'))).toEqual([])
  expect(files()).toEqual(before)
  expect(readFileSync(join(dataDir, 'intake.key'), 'utf8')).toBe(ownKey)
})

it('a sign-in token signs the first window of a desk in, where it names its school', async () => {
  await desk.stop()
  const { PSYFLO_SIGN_IN_TOKEN, PSYFLO_JWT_SECRET } = await signedInEnv({ name: 'T. Oken', role: 'CLINICIAN' })
  desk = await house.start({
    PSYFLO_SIGN_IN_TOKEN: PSYFLO_SIGN_IN_TOKEN ?? '',
    PSYFLO_JWT_SECRET: PSYFLO_JWT_SECRET ?? '',
  })
  const page = await openPage(desk.address)
  expect(await page.calls.me.get.query()).toMatchObject({
    person: { name: 'T. Oken', role: 'CLINICIAN' },
    has_account: false,
  })
  const again = await openAgain({ dataDir: house.dataDir, demo: false, port: 0 }, systemClock)
  const second = await openPage(again?.address ?? '')
  await expect(second.calls.me.get.query()).rejects.toThrow('No one is signed in')
  expect((await page.calls.me.get.query()).person).toMatchObject({ name: 'T. Oken' })
  await second.close()
  await page.close()
})
