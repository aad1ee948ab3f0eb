import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openBrowserHost, type BrowserHost } from '../../../main/platform/browser/index.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { createLogger } from '../../../main/platform/logger.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { consoleAnswers, openAgain, writeWindowFile, type WindowFile } from '../../../main/platform/window-file.ts'

const t = initTRPC.context<{ windowId: string }>().create()
const router = t.router({ who: t.procedure.query(({ ctx }) => ctx.windowId) })

let pageDir: string
let host: BrowserHost

beforeEach(async () => {
  pageDir = mkdtempSync(join(tmpdir(), 'page-'))
  mkdirSync(join(pageDir, 'assets'))
  writeFileSync(join(pageDir, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(pageDir, 'assets', 'page-abc.js'), 'export {}')
  host = await openBrowserHost({ ports: [0], pageDir, randomness: systemRandomness, logger: createLogger() })
  host.serve(router, (windowId) => ({ windowId }))
})
afterEach(async () => {
  await host.close()
  rmSync(pageDir, { recursive: true })
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** One request with exactly these headers; `fetch` would not let a test lie about its host. */
function get(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((done, failed) => {
    const request = httpRequest(address, { method, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    request.on('error', failed).end()
  })
}

async function enter(): Promise<string> {
  const answer = await get(host.address())
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

const home = () => `http://127.0.0.1:${host.port}/`

/** Outcome of opening a socket: `open`, or the status it was refused with. */
function upgrade(headers: Record<string, string>, path = 'trpc'): Promise<string> {
  return new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}/${path}`, { headers })
    socket.on('open', () => {
      socket.terminate()
      done('open')
    })
    socket.on('unexpected-response', (_request, response) => done(String(response.statusCode)))
    socket.on('error', () => undefined)
  })
}

describe('the address', () => {
  it('is exchanged for a strict cookie and a clean address, once', async () => {
    const address = host.address()
    const first = await get(address)
    expect(first.status).toBe(303)
    expect(first.headers.location).toBe('/')
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)

    const second = await get(address)
    expect(second.status).toBe(401)
    expect(second.headers['set-cookie']).toBeUndefined()
    expect(second.body).toContain('npm start')
  })

  it('lets whoever holds the cookie reload the page, even at the used address', async () => {
    const address = host.address()
    const cookie = String((await get(address)).headers['set-cookie']).split(';')[0] ?? ''
    expect((await get(home(), { cookie })).body).toContain('<title>Console</title>')
    expect((await get(home(), { cookie })).status).toBe(200)
    expect((await get(address, { cookie })).status).toBe(303)
  })

  it('is followed by one that the same browser may open too, and nobody after it', async () => {
    const waiting = host.address()
    const cookie = String((await get(waiting)).headers['set-cookie']).split(';')[0] ?? ''
    const ready = host.address()
    expect((await get(ready, { cookie })).headers.location).toBe('/')
    expect((await get(home(), { cookie })).status).toBe(200)
    expect((await get(ready)).status).toBe(401)
  })

  it('stops working where it was never used and a newer one is printed', async () => {
    const older = host.address()
    const newer = host.address()
    expect((await get(older)).status).toBe(401)
    expect((await get(newer)).status).toBe(303)
  })

  it('shows nothing, not even the page’s files, without a cookie', async () => {
    for (const path of ['', 'assets/page-abc.js', '?token=guess', '?token='])
      expect((await get(home() + path)).status, path).toBe(401)
    expect((await get(home(), { cookie: `psyflo_${host.port}=guess` })).status).toBe(401)
  })

  it('passes through a page of its own where another site led here', async () => {
    const answer = await get(host.address(), { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toBeDefined()
    expect(answer.body).toContain('url=/')
  })
})

describe('a second start', () => {
  const dirs: string[] = []
  const folder = () => {
    const dir = mkdtempSync(join(tmpdir(), 'again-'))
    dirs.push(dir)
    return dir
  }
  afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true })))
  const word = (changed: Partial<WindowFile> = {}): WindowFile => ({
    url: home(),
    pid: process.pid,
    secret: host.secret,
    demo: true,
    ...changed,
  })
  const wish = { demo: true, port: 0 }
  const knock = (headers: Record<string, string>) =>
    get(`${home()}again`, { authorization: `Bearer ${host.secret}`, ...headers }, 'POST')

  it('is given a new address once the console has one, and none by asking whether it is there', async () => {
    const dataDir = folder()
    writeWindowFile(dataDir, word())
    expect(await openAgain({ dataDir, ...wish }, systemClock)).toBeNull()
    host.opensAs('Waiting for the passphrase')
    const printed = host.address()
    expect(await consoleAnswers(dataDir, systemClock)).toBe(true)
    expect((await get(printed)).status).toBe(303)
    const again = await openAgain({ dataDir, ...wish }, systemClock)
    expect(again?.what).toBe('Waiting for the passphrase')
    expect((await get(again?.address ?? '')).status).toBe(303)
    expect((await get(again?.address ?? '')).status).toBe(401)
  })

  it('is believed only with the secret, on this host, and from no page', async () => {
    host.opensAs('Console')
    expect((await knock({})).status).toBe(200)
    for (const headers of [
      { authorization: 'Bearer guess' },
      { authorization: '' },
      { host: `evil.example:${host.port}` },
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${host.port}` },
    ]) {
      const refused = await knock(headers)
      expect(refused.status, JSON.stringify(headers)).toBe(403)
      expect(refused.body).not.toContain('token')
    }
    expect((await get(`${home()}again`, { authorization: `Bearer ${host.secret}` })).status).toBe(401)
  })

  it('starts by itself where the word is stale, damaged, or leads away from this machine', async () => {
    host.opensAs('Console')
    const dead = spawnSync(process.execPath, ['--version']).pid
    for (const changed of [{ pid: dead }, { secret: 'x'.repeat(43) }, { url: `http://evil.example:${host.port}/` }]) {
      const dataDir = folder()
      writeWindowFile(dataDir, word(changed))
      expect(await openAgain({ dataDir, ...wish }, systemClock), JSON.stringify(changed)).toBeNull()
    }
    const dataDir = folder()
    writeFileSync(join(dataDir, 'demonstration-window.json'), '{"url"')
    expect(await openAgain({ dataDir, ...wish }, systemClock)).toBeNull()
  })

  it('finds the school’s own console and the demonstration beside it, each by its own word', async () => {
    host.opensAs('Console')
    const dataDir = folder()
    const removeDemonstration = writeWindowFile(dataDir, word())
    const own = { demo: false, port: 0 }
    expect(await openAgain({ dataDir, ...own }, systemClock)).toBeNull()
    const removeOwn = writeWindowFile(dataDir, word({ demo: false, desk: true }))
    expect(await openAgain({ dataDir, ...own }, systemClock)).toMatchObject({ what: 'Console' })
    expect(await openAgain({ dataDir, ...wish }, systemClock)).toMatchObject({ what: 'Console' })
    await expect(openAgain({ dataDir, ...own, port: host.port + 1 }, systemClock)).rejects.toMatchObject({
      code: 'console_running',
      happened: `A console is running on this data directory: a school’s desk, on port ${host.port}.`,
    })
    removeOwn()
    expect(await openAgain({ dataDir, ...own }, systemClock)).toBeNull()
    expect(await consoleAnswers(dataDir, systemClock)).toBe(true)
    removeDemonstration()
    expect(await consoleAnswers(dataDir, systemClock)).toBe(false)
  })

  it('takes away its own word only', () => {
    const dataDir = folder()
    const removeFirst = writeWindowFile(dataDir, word())
    const removeSecond = writeWindowFile(dataDir, word({ secret: 'y'.repeat(43) }))
    removeFirst()
    expect(readdirSync(dataDir)).toEqual(['demonstration-window.json'])
    removeSecond()
    expect(readdirSync(dataDir)).toEqual([])
  })
})

describe('the page', () => {
  it('comes with a policy that allows nothing by default', async () => {
    const cookie = await enter()
    const answer = await get(home(), { cookie })
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['content-security-policy']).toContain(`ws://127.0.0.1:${host.port}`)
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/)
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('keeps files whose name is a digest, and knows nothing beside its folder', async () => {
    const cookie = await enter()
    expect((await get(`${home()}assets/page-abc.js`, { cookie })).headers['cache-control']).toContain('immutable')
    for (const path of ['nothing', '..%2f..%2fetc/passwd', '%2e%2e/%2e%2e/etc/passwd'])
      expect((await get(home() + path, { cookie })).status, path).toBeGreaterThanOrEqual(400)
  })

  it('is refused to a name that merely leads to this machine, and to pages of other origins', async () => {
    const cookie = await enter()
    expect((await get(home(), { cookie, host: `evil.example:${host.port}` })).status).toBe(403)
    expect((await get(home(), { cookie, host: `127.0.0.1:${host.port + 1}` })).status).toBe(403)
    expect((await get(home(), { cookie, origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('the socket', () => {
  const origin = () => `http://127.0.0.1:${host.port}`

  it('answers the page that holds the cookie, with one window for all its connections', async () => {
    const cookie = await enter()
    const ask = async () => {
      class Socket extends WebSocket {
        constructor(url: string) {
          super(url, { headers: { cookie }, origin: origin() })
        }
      }
      const client = createWSClient({ url: `ws://127.0.0.1:${host.port}/trpc`, WebSocket: Socket as never })
      const answer = await createTRPCClient<typeof router>({ links: [wsLink({ client })] }).who.query()
      await client.close()
      return answer
    }
    const windowId = await ask()
    expect(windowId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ask()).toBe(windowId)
  })

  it('is refused without the cookie, without an origin, and from another', async () => {
    const cookie = await enter()
    expect(await upgrade({ cookie, origin: origin() })).toBe('open')
    expect(await upgrade({ origin: origin() })).toBe('401')
    expect(await upgrade({ cookie })).toBe('403')
    expect(await upgrade({ cookie, origin: 'http://evil.example' })).toBe('403')
    expect(await upgrade({ cookie, origin: origin(), host: 'evil.example' })).toBe('403')
    expect(await upgrade({ cookie, origin: origin() }, 'elsewhere')).toBe('503')
  })
})

it('says what to do where the port is taken', async () => {
  const squatter = createServer()
  await new Promise<void>((done) => squatter.listen(0, '127.0.0.1', done))
  const { port } = squatter.address() as { port: number }
  await expect(
    openBrowserHost({ ports: [port], pageDir, randomness: systemRandomness, logger: createLogger() }),
  ).rejects.toMatchObject({
    code: 'port_taken',
    todo: expect.stringContaining('--port 0') as string,
  })
  squatter.close()
})

it('is at the first of several ports that is free', async () => {
  const squatter = createServer()
  await new Promise<void>((done) => squatter.listen(0, '127.0.0.1', done))
  const { port } = squatter.address() as { port: number }
  const options = { pageDir, randomness: systemRandomness, logger: createLogger() }
  const other = await openBrowserHost({ ports: [port, 0], ...options })
  expect(other.port).not.toBe(port)
  await new Promise((done) => squatter.close(done))
  const first = await openBrowserHost({ ports: [port, 0], ...options })
  expect(first.port).toBe(port)
  await Promise.all([other.close(), first.close()])
})
