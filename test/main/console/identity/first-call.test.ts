import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { chatCommand, openSessionInPowerShell, openSessionInShell } from '../../../../main/console/identity/index.ts'

const key = "psyflo_it's-a-key"

it('the line for a shell, pasted, is the call that opens a session', async () => {
  const heard: { headers: unknown; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      heard.push({ headers: [request.method, request.url, request.headers.authorization, request.headers['content-type']], body }) // prettier-ignore
      response.end('opened')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const { spawn } = await import('node:child_process')
  const line = openSessionInShell(`http://127.0.0.1:${port}`, key)
  const status = await new Promise((done) => spawn('sh', ['-c', line], { stdio: 'ignore' }).once('exit', done))
  server.close()
  expect(status).toBe(0)
  expect(heard).toEqual([
    { headers: ['POST', '/sessions', `Bearer ${key}`, 'application/json'], body: '{"user_id":"test-student-1"}' },
  ])
})

it('in PowerShell nothing of it is read as anything but text', () => {
  expect(openSessionInPowerShell('http://127.0.0.1:1', key)).toBe(
    `Invoke-RestMethod -Method Post -Uri 'http://127.0.0.1:1/sessions' -Headers @{ Authorization = 'Bearer psyflo_it''s-a-key' } -ContentType 'application/json' -Body '{"user_id":"test-student-1"}'`,
  )
})

it.skipIf(process.platform === 'win32')('the chat is told of a data directory that is not the usual one', () => {
  const [, quoted = ''] = /--data-dir (.*)$/.exec(chatCommand("/home/a dean's/data")) ?? []
  expect(spawnSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' }).stdout).toBe("/home/a dean's/data")
})
