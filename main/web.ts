/** Loopback entry: the whole console in a browser on this machine. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataDirOf } from './configuration/paths.ts'
import { deriveAhead } from './platform/derive-key.ts'

// Compiling takes a fifth of a start: what was compiled once is kept beside the build.
enableCompileCache(join(import.meta.dirname, '..', 'compiled'))
// Deriving the key takes another third: it begins beside the loading of everything else.
const { 'data-dir': dataDir } = parseArgs({ strict: false, options: { 'data-dir': { type: 'string' } } }).values
const { PSYFLO_PASSPHRASE } = process.env
if (PSYFLO_PASSPHRASE)
  deriveAhead(dataDirOf(typeof dataDir === 'string' ? dataDir : undefined, process.env), PSYFLO_PASSPHRASE)
await import('./browser-console.ts')
