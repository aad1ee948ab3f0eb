/** Which intake a command of this machine sends to. */
import { ConsoleError } from '../../shared/errors.ts'
import { dataDirOf, UsageError } from '../configuration/index.ts'
import { findDemonstration, findIntake } from '../platform/intake-address.ts'
import { parseApiKeys } from '../station/intake/index.ts'

/** Address of an intake, and an API key that may write there. */
export interface Target {
  url: string
  key: string
}

/** What the flags `--url`, `--key` and `--data-dir` say. */
interface TargetOptions {
  url?: string | undefined
  key?: string | undefined
  'data-dir'?: string | undefined
}

/** The three flags, for the text of `--help`. */
export const targetUsage = `  --url URL        address of the desk or station (default: the console running on the data directory)
  --key KEY        API key that may write (default: the desk's own, or the first in CONSULTX_API_KEYS)
  --data-dir DIR   data directory of the running console`

/**
 * The intake that is named, else the one that runs on the data directory. The answer is asked again for each
 * call: a console that was started again has another port. Throws UsageError for an address that is none or
 * comes without a key, ConsoleError `no_intake` where no console runs.
 */
export function findTarget(options: TargetOptions, env: Readonly<Record<string, string | undefined>>): () => Target {
  const { url, key } = options
  const dataDir = dataDirOf(options['data-dir'], env)
  // Words of a chat that names nothing go to the school whose directory it is, and to no invented one beside it.
  const running = () => findIntake(dataDir) ?? findDemonstration(dataDir)
  const found = running()
  if (url === undefined) {
    if (!found) throw noIntake(dataDir)
    let latest = found
    return () => {
      latest = running() ?? latest
      return { url: latest.url, key: key ?? latest.key }
    }
  }
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url)) throw new UsageError('--url wants an http address.')
  const own = found && new URL(found.url).origin === new URL(url).origin ? found.key : undefined
  const known = key ?? parseApiKeys(env.CONSULTX_API_KEYS ?? '')[0]?.key ?? own
  if (known === undefined) throw new UsageError('--url needs --key (or CONSULTX_API_KEYS).')
  return () => ({ url, key: known })
}

function noIntake(dataDir: string): ConsoleError {
  return new ConsoleError({
    code: 'no_intake',
    happened: `No console is running on ${dataDir}.`,
    safe: 'Nothing was sent.',
    todo: 'Start one with `npm start`, or give the address and key of another with --url and --key.',
  })
}
