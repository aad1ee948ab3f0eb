import { usualPort } from '../configuration/index.ts'
import type { Clock } from '../platform/ports.ts'
import { pagesThatRun } from '../platform/window-file.ts'
import { failed, ok, skipped, type Check } from './report.ts'

/** Whether the console in the browser, where one runs on this directory, answers its windows. */
export async function checkPage(dataDir: string, clock: Clock): Promise<Check> {
  const name = 'Page'
  const pages = await pagesThatRun(dataDir, clock)
  if (pages.length === 0)
    return skipped(
      name,
      `No console in the browser runs on it; one would be at the port where it was before, else at ${usualPort} or the next free one.`,
    )
  const silent = pages.filter(({ answers }) => !answers)
  if (silent.length === 0) return ok(name, `The console answers at ${pages.map(({ url }) => url).join(' and ')}.`)
  return failed(
    name,
    `The console at ${silent.map(({ url }) => url).join(' and ')} runs and does not answer: its windows say so, and nothing done in them is recorded.`,
    'Stop it and start it again; open windows find it at the same address.',
  )
}
