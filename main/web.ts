/** Loopback entry: the whole console in a browser on this machine. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compiling takes a fifth of a start: what was compiled once is kept beside the build.
enableCompileCache(join(import.meta.dirname, '..', 'compiled'))
await import('./browser-console.ts')
