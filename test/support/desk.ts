/** A school's own desk as its own process: set up as a page does it, started again, signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findIntake } from '../../main/platform/intake-address.ts'
import type { SetUpInput } from '../../shared/set-up.ts'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'
import { openPage, type Page } from './real-console.ts'

export const deskPassphrase = 'correct horse battery staple'
export const deskAdmin = { name: 'A. Dean', user_name: 'dean', password: 'lamp ticket orbit meadow' }
export const deskSetUp: SetUpInput = {
  school: { name: 'Lakeside High', time_zone: 'America/Chicago' },
  admin: deskAdmin,
  lock: { kind: 'passphrase', passphrase: deskPassphrase },
}

export interface DeskHouse {
  dataDir: string
  /** Starts the desk that was set up here, without anybody who types. */
  start(): Promise<ConsoleProcess>
  remove(): void
}

/** A data directory that was set up as a desk, through the calls that a page makes. */
export async function setUpDesk(): Promise<DeskHouse> {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-desk-'))
  const first = await startConsoleProcess({ dataDir, args: ['--desk'], until: 'Waiting to be set up' })
  const page = await openPage(first.address)
  await page.calls.setUp.make.mutate(deskSetUp)
  await until(() => /^Console: /m.test(first.written.stdout))
  void page.close()
  await first.stop()
  return {
    dataDir,
    start: () => startConsoleProcess({ dataDir, env: { PSYFLO_PASSPHRASE: deskPassphrase } }),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/** Signs in at a page as the first admin. */
export async function signedIn(page: Page): Promise<Page> {
  const { user_name, password } = deskAdmin
  await page.calls.signIn.signIn.mutate({ user_name, password })
  return page
}

/** Talks to the desk as the chat does, with its own key; rejects where it does not answer with success. */
export async function callDesk(dataDir: string, path: string, body: object): Promise<Record<string, unknown>> {
  const intake = findIntake(dataDir)
  if (!intake) throw new Error('no intake is announced')
  const answer = await fetch(new URL(path, intake.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${intake.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

/** Waits for what another process does. */
async function until(holds: () => boolean): Promise<void> {
  const giveUp = Date.now() + 20_000
  while (!holds()) {
    if (Date.now() > giveUp) throw new Error('it did not come to pass')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
