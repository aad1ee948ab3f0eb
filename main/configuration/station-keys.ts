/** What the command line and the environment say about the API keys of a station. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { apiKeyScopes, isApiKeyScope, type ApiKeyScope } from '../../shared/api-keys.ts'
import { normalSchoolId } from '../../shared/school.ts'
import { readVariables, type Environment } from './environment.ts'
import { UsageError, wrongFlag } from './flags.ts'
import { misconfigured } from './misconfigured.ts'
import { passphraseOf } from './passphrase.ts'
import { dataDirOf } from './paths.ts'

export const stationKeysUsage = `npm run station -- keys list [OPTIONS]
npm run station -- keys issue --label TEXT [OPTIONS]
npm run station -- keys revoke ID [OPTIONS]
  --label TEXT     what the key is called in lists, up to 100 characters; not a person’s name
  --scopes LIST    what it may do: read, write, analytics, backfill (import history), joined by +
                   (default read+write)
  --school ID      the school of a new key (default PSYFLO_SCHOOL_ID); with list, show only its keys
  --data-dir DIR   where the station’s data is kept
  --json           print one JSON object
  --help           show this text`

export const stationKeysHelp = `${stationKeysUsage}

The API keys a chat uses to call the station, in addition to those in CONSULTX_API_KEYS. They are kept in the
station’s database, and running stations need no restart: they accept a new key, and refuse a revoked one, within
2 seconds. Only a digest of a key is stored: issue prints the key to standard output once, and nothing else.

Needs what opens the data: PSYFLO_PASSPHRASE or PSYFLO_PASSPHRASE_FILE, PSYFLO_DATABASE_URL if it is PostgreSQL,
and PSYFLO_STUDENT_SALT if the station is given one. A desk’s keys are on screen, under Settings → Chat.
Exit code: 0 done, 1 not done, 2 misused.`

export type KeysCommand =
  | { does: 'help' }
  | { does: 'list'; school: string | null; json: boolean }
  | { does: 'issue'; school: string; label: string; scopes: readonly ApiKeyScope[]; json: boolean }
  | { does: 'revoke'; id: string; json: boolean }

export interface KeysConfiguration {
  dataDir: string
  databaseUrl: string | null
  passphrase: string
  schoolId: string | null
  salt: string | null
}

/** `argv`: what follows `keys`. Throws UsageError. */
export function readKeysCommand(env: Environment, argv: readonly string[]): KeysCommand {
  const { values: flags, positionals } = readFlags(argv)
  const [does, id, ...more] = positionals
  const { json = false, label, help } = flags
  if (help) return { does: 'help' }
  if (does !== 'revoke' && id !== undefined) throw new UsageError(`“${id}” is not expected here.`)
  if (does !== 'issue' && (label !== undefined || flags.scopes !== undefined))
    throw new UsageError('--label and --scopes are for keys issue.')
  switch (does) {
    case 'list':
      return { does, school: flags.school === undefined ? null : schoolOf(flags.school), json }
    case 'issue':
      return { does, school: ownSchool(flags.school, env), label: labelOf(label), scopes: scopesIn(flags.scopes), json }
    case 'revoke':
      if (id === undefined || more.length > 0)
        throw new UsageError('keys revoke needs the id of one key, as shown by keys list.')
      if (flags.school !== undefined)
        throw new UsageError('--school is for keys list and keys issue; a key’s id already belongs to one school.')
      return { does, id, json }
    case undefined:
      throw new UsageError('keys needs a command: list, issue, or revoke.')
    default:
      throw new UsageError(`There is no command keys ${does}; use list, issue, or revoke.`)
  }
}

/** Where the keys are. Throws ConsoleError `configuration`. */
export function readKeysConfiguration(env: Environment, argv: readonly string[]): KeysConfiguration {
  const set = readVariables(env, 'station')
  const passphrase = passphraseOf(set)
  if (passphrase === null)
    throw misconfigured('PSYFLO_PASSPHRASE or PSYFLO_PASSPHRASE_FILE is needed to open the station’s data.', {
      todo: 'Set one of them to the value the station is started with, then try again.',
    })
  return {
    dataDir: dataDirOf(readFlags(argv).values['data-dir'], env),
    databaseUrl: set.PSYFLO_DATABASE_URL ?? null,
    passphrase,
    schoolId: set.PSYFLO_SCHOOL_ID ?? null,
    salt: set.PSYFLO_STUDENT_SALT ?? null,
  }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        label: { type: 'string' },
        scopes: { type: 'string' },
        school: { type: 'string' },
        'data-dir': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw wrongFlag(error)
  }
}

function ownSchool(flag: string | undefined, env: Environment): string {
  const school = flag ?? env.PSYFLO_SCHOOL_ID
  if (!school) throw new UsageError('keys issue needs --school or PSYFLO_SCHOOL_ID.')
  return schoolOf(school)
}

function schoolOf(text: string): string {
  const school = z.guid().safeParse(normalSchoolId(text))
  if (school.success) return school.data
  throw new UsageError('--school needs the UUID of a school.')
}

function labelOf(text: string | undefined): string {
  const label = text?.trim() ?? ''
  if (label === '') throw new UsageError('keys issue needs --label: what the key is called in lists.')
  if (label.length > 100 || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(label))
    throw new UsageError('--label needs up to 100 characters on one line.')
  return label
}

function scopesIn(text = 'read+write'): ApiKeyScope[] {
  const named = [...new Set(text.split('+').map((each) => each.trim()))]
  if (named.every(isApiKeyScope)) return named
  throw new UsageError(`--scopes needs one or more of ${apiKeyScopes.join(', ')}, joined by +.`)
}
