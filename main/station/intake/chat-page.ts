/** The chat page: three files, served where it was asked for, to anybody; whoever talks through it needs a key. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fixedHeaders } from '../../platform/browser/policy.ts'
import { projectRoot } from '../../platform/project-root.ts'

const files = [
  { path: '/chat', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/chat/chat.css', file: 'chat.css', type: 'text/css; charset=utf-8' },
  { path: '/chat/chat.js', file: 'chat.js', type: 'text/javascript; charset=utf-8' },
]

/** Nothing by default; then exactly what the page uses. No form of it goes anywhere by itself, with a key in its address. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const headers = { ...fixedHeaders, 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' }

/** Adds the page's routes. They are no calls, and do not stand in /openapi.json. */
export function chatPageRoutes(app: FastifyInstance): void {
  const folder = join(projectRoot(), 'resources', 'chat-page')
  for (const { path, file, type } of files) {
    const content = readFileSync(join(folder, file), 'utf8')
    app.get(path, (_request, reply) => reply.headers(headers).type(type).send(content))
  }
}
