/**
 * One demonstration school for a whole run of browser tests: telling its history takes the longest. It starts
 * when the first test asks for it, and every test is given a window of its own.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../main/platform/clock.ts'
import { openAgain } from '../../main/platform/window-file.ts'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'

/** Names, in the environment of the tests, where a window is asked for. */
export const windowsVariable = 'DEMONSTRATION_WINDOWS'

/** A window that was let in. */
export interface DemonstrationWindow {
  /** Where the console is served, without a token. */
  origin: string
  cookie: { name: string; value: string }
  dataDir: string
}

/** Playwright's global setup; answers with what ends it. */
export default async function serveWindows(): Promise<() => Promise<void>> {
  let starting: Promise<ConsoleProcess> | null = null
  const openWindow = async (): Promise<DemonstrationWindow> => {
    starting ??= startConsoleProcess({ args: ['--demo', '--chat-page'] })
    const { dataDir } = await starting
    const opened = await openAgain({ dataDir, demo: true, port: 0 }, systemClock)
    if (opened === null) throw new Error('The demonstration does not answer any more.')
    const entered = await fetch(opened.address, { redirect: 'manual' })
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(entered.headers.get('set-cookie') ?? '') ?? []
    return { origin: new URL(opened.address).origin, cookie: { name, value }, dataDir }
  }
  // One after the other: a newer address ends the one before it, used or not.
  let before: Promise<unknown> = Promise.resolve()
  const server = createServer((_request, response) => {
    const opening = before.then(openWindow)
    before = opening.catch(() => undefined)
    opening.then(
      (window) => response.end(JSON.stringify(window)),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  process.env[windowsVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return async () => {
    server.closeAllConnections()
    server.close()
    await (await starting)?.stop()
  }
}
