/** Consoles of schools at one topic: each a process of its own with its own queue, and a page at which somebody sits. */
import { SNSClient } from '@aws-sdk/client-sns'
import { CreateQueueCommand } from '@aws-sdk/client-sqs'
import { expect, type Browser, type Page } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'
import type { QueueServer } from './queue-server.ts'
import { subscribeSchool } from './school-queue.ts'
import { goTo } from './shared-demo.ts'
import { signedInEnv } from './sign-in.ts'
import type { StationProcess } from './station-process.ts'

/** A console of a school: what it is started with, and the page at which somebody sits. */
export interface Seat {
  /** Id of its school. */
  school: string
  env: Record<string, string>
  dataDir: string
  console: ConsoleProcess
  page: Page
}

export interface Sitter {
  sub: string
  name: string
  role?: string
}

/** Who sits at a console first, to enrol it and to import the roster. */
export const admin: Sitter = { sub: 'admin-1', role: 'ADMIN', name: 'A. Dean' }

/** Headers of a call to the station by somebody of a school. */
export const headersFor = async (school: string, person: Partial<Sitter> = admin) => ({
  authorization: `Bearer ${(await signedInEnv({ ...person, school_id: school }))['PSYFLO_SIGN_IN_TOKEN']}`,
  'content-type': 'application/json',
})

/** A queue with the school's filter, and somebody of the school, the admin unless named, at a console on it. `ends` takes what ends it. */
export async function openSeat(
  browser: Browser,
  queue: QueueServer,
  { school, queueName, person = admin }: { school: string; queueName: string; person?: Sitter },
  ends: (() => unknown)[],
): Promise<Seat> {
  const { sqs, topicArn, endpoint } = queue
  const { QueueUrl: queueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: queueName, Attributes: { VisibilityTimeout: '5' } }),
  )
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const sns = new SNSClient({ endpoint, region: 'us-east-1', credentials })
  await subscribeSchool({ sns, sqs }, { topicArn, queueUrl, school })
  sns.destroy()
  const dataDir = mkdtempSync(join(tmpdir(), 'seat-'))
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = {
    ...queue.env,
    ...(await signedInEnv({ ...person, school_id: school })),
    PSYFLO_EVENTS_QUEUE_URL: queueUrl,
  }
  const console = await startConsoleProcess({ dataDir, env })
  const page = await (await browser.newContext()).newPage()
  const seat = { school, env, dataDir, console, page }
  ends.push(() => seat.console.stop())
  await page.goto(console.address)
  await expect(page.getByText('No open alerts.')).toBeVisible()
  return seat
}

/** The same console, started again with the token of somebody else. */
export async function changePlaces(seat: Seat, person: Sitter): Promise<void> {
  const { school, dataDir, page } = seat
  expect(await seat.console.stop()).toBe(0)
  seat.env = { ...seat.env, ...(await signedInEnv({ ...person, school_id: school })) }
  seat.console = await startConsoleProcess({ dataDir, env: seat.env })
  await page.goto(seat.console.address)
  await expect(page.getByRole('navigation')).toContainText(person.name)
}

/** The admin reads the fingerprint from the console's screen and approves it at the station. `strangers` may not. */
export async function enrol(station: StationProcess, { school, page }: Seat, strangers?: string): Promise<void> {
  await goTo(page, 'Settings')
  const region = page.getByRole('region', { name: 'This console at your school' })
  await expect(region).toContainText('Waiting for approval')
  const fingerprint = /[0-9A-Z]{4}(-[0-9A-Z]{4}){4}/.exec(await region.innerText())?.[0]
  const headers = await headersFor(school)
  const announced = async () => {
    const answer = await fetch(new URL('/consoles', station.url), { headers })
    const { consoles } = (await answer.json()) as {
      consoles: { console_id: string; fingerprint: string; school_id: string }[]
    }
    return consoles.find((each) => each.fingerprint === fingerprint)
  }
  await expect.poll(announced).toMatchObject({ school_id: school })
  const approval = new URL(`/consoles/${(await announced())?.console_id}/approve`, station.url)
  const body = JSON.stringify({ fingerprint })
  if (strangers !== undefined) {
    const refused = await fetch(approval, { method: 'POST', headers: await headersFor(strangers), body })
    expect(refused.status).toBe(404)
  }
  expect((await fetch(approval, { method: 'POST', headers, body })).status).toBe(200)
  await expect(region).toContainText('Approved')
}

/** The admin imports a roster with the salt that the station tells them. */
export async function importRoster(station: StationProcess, { school, page }: Seat, csv: string): Promise<void> {
  const answer = await fetch(new URL('/salt', station.url), { headers: await headersFor(school) })
  const { salt } = (await answer.json()) as { salt: string }
  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Roster import' }).click()
  await page
    .getByLabel('CSV file')
    .first()
    .setInputFiles({ name: 'r.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByLabel('School salt').fill(salt)
  await page.getByRole('button', { name: 'Import' }).first().click()
  await expect(page.getByText(/^\d+ students? imported\.$/)).toBeVisible()
}

/** What `npm run doctor -- --json` says of the console of a seat. */
export function doctor({ dataDir, env }: Seat): unknown {
  const root = resolve(import.meta.dirname, '..', '..')
  const args = [join(root, 'main', 'commands', 'launch.mjs'), 'doctor', '--json', '--data-dir', dataDir]
  const plain = Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name))
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...Object.fromEntries(plain), ...env },
  })
  return JSON.parse(stdout)
}
