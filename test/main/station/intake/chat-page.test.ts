import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildIntakeServer } from '../../../../main/station/intake/index.ts'
import { intakeSchool, type IntakeSchool } from '../../../support/intake-school.ts'

const paths = ['/chat', '/chat/chat.css', '/chat/chat.js']
let at: IntakeSchool
let app: FastifyInstance
beforeEach(async () => {
  at = await intakeSchool()
})
afterEach(async () => {
  await app.close()
  await at.close()
})
const open = (more: { chatPage?: boolean }) => {
  app = buildIntakeServer({ ...at.serverOptions('key-of-the-chat-0001'), ...more })
}

it('is not there unless it is asked for', async () => {
  open({})
  for (const path of paths) expect((await app.inject(path)).statusCode, path).toBe(404)
})

it('is served to anybody, under a policy that lets it call its own intake and do nothing else', async () => {
  open({ chatPage: true })
  for (const path of paths) {
    const { statusCode, headers } = await app.inject(path)
    expect(statusCode, path).toBe(200)
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  }
  expect((await app.inject('/chat')).headers['content-type']).toBe('text/html; charset=utf-8')
  expect((await app.inject('/chat/')).statusCode).toBe(404)
  expect((await app.inject('/chat/../server.ts')).statusCode).toBe(404)
})

it('is no call of the intake: /openapi.json does not know it', async () => {
  open({ chatPage: true })
  await app.ready()
  expect((await app.inject('/openapi.json')).body).not.toContain('/chat')
})

it('holds no script or style of its own, asks nobody else for anything, and keeps nothing', async () => {
  open({ chatPage: true })
  const [page = '', style = '', script = ''] = await Promise.all(
    paths.map((path) => app.inject(path).then(({ body }) => body)),
  )
  expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son[a-z]+=/)
  for (const text of [page, style, script]) expect(text).not.toMatch(/https?:|\burl\(|\/\/[a-z]+\./)
  expect(script).not.toMatch(/localStorage|sessionStorage|indexedDB|cookie|innerHTML|location|history/)
})
