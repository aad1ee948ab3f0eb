/** A school's own desk as its own process: set up, started, signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDesk } from '../../main/console/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { findIntake } from '../../main/platform/intake-address.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { SetUpInput } from '../../shared/set-up.ts'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'
import type { Page } from './real-console.ts'
import { testSchool } from './sign-in.ts'

export const deskPassphrase = 'correct horse battery staple'
export const deskAdmin = { name: 'A. Dean', user_name: 'dean', password: 'lamp ticket orbit meadow' }
export const deskSetUp: SetUpInput = {
  school: { name: 'Lakeside High', time_zone: 'America/Chicago' },
  admin: deskAdmin,
  lock: { kind: 'passphrase', passphrase: deskPassphrase },
}

export interface DeskHouse {
  dataDir: string
  /** Starts the desk that was set up here, without anybody who types; at any free port where none is given. */
  start(env?: Record<string, string>, port?: string): Promise<ConsoleProcess>
  remove(): void
}

/** Cheap enough for a test; the cost is stored, so it is read back. */
const cost = { N: 1024, r: 8, p: 1 }

/** A data directory that was set up as a desk of `testSchool`. */
export async function setUpDesk(): Promise<DeskHouse> {
  const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-desk-'))
  const made = await makeDesk(
    {
      dataDir,
      provider: passphraseProvider(deskPassphrase, systemRandomness, cost),
      schoolId: testSchool,
      clock: systemClock,
      randomness: systemRandomness,
      cost,
    },
    deskSetUp,
  )
  made.release()
  return {
    dataDir,
    start: (env = {}, port = '0') =>
      startConsoleProcess({ dataDir, port, env: { PSYFLO_PASSPHRASE: deskPassphrase, ...env } }),
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
