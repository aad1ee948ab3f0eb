/** Headless entry: the half beside the chat, as a program of its own. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '..', 'compiled'))
await import('./headless-station.ts')
