/** `npm run station -- keys`: the API keys that a station gives out, listed, issued and revoked while it runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../shared/errors.ts'
import { plural } from '../shared/numbers.ts'
import {
  readKeysCommand,
  readKeysConfiguration,
  stationKeysHelp,
  type KeysConfiguration,
} from './configuration/index.ts'
import { isDesk } from './platform/desk-marker.ts'
import { wrappingWith } from './platform/envelope.ts'
import type { Clock, Randomness } from './platform/ports.ts'
import {
  administerKeys,
  examineStationStore,
  listIssuedKeys,
  type IssuedKey,
  type KeyAdministration,
} from './station/index.ts'
import { openStationData } from './station-data.ts'
import { keystoreExists } from './store/index.ts'

export interface Written {
  /** The answer, for standard output. */
  out: string
  /** What is said beside it, for standard error; '' = nothing. */
  beside: string
}

/** Runs `argv` (what follows `keys`). Throws UsageError, and ConsoleError where it cannot be done. */
export async function stationKeys(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  ports: { clock: Clock; randomness: Randomness },
): Promise<Written> {
  const command = readKeysCommand(env, argv)
  if (command.does === 'help') return { out: stationKeysHelp, beside: '' }
  const configuration = readKeysConfiguration(env, argv)
  await refuseNothing(configuration)
  const readonly = command.does === 'list'
  const { store, keys } = await openStationData(configuration, ports.randomness, { readonly })
  try {
    if (command.does === 'list') return listed(await listIssuedKeys(store, command.school), command.json)
    const administration = await administerKeys({
      ...{ store, wrapping: wrappingWith(keys.stationSecrets), ...ports },
      schoolId: configuration.schoolId,
      salt: configuration.salt,
    })
    switch (command.does) {
      case 'issue':
        return await issue(administration, command)
      case 'revoke':
        return await revoke(administration, command)
    }
  } finally {
    await store.close()
  }
}

/** A mistyped folder or database must not become a new station: the first start makes the data. */
async function refuseNothing({ dataDir, databaseUrl, schoolId }: KeysConfiguration): Promise<void> {
  const safe = 'Nothing was created or changed.'
  if (databaseUrl === null && isDesk(dataDir))
    throw new ConsoleError({
      code: 'desk_keys',
      happened: 'This data directory belongs to a desk.',
      safe,
      todo: 'Its keys are created and revoked on screen, under Settings → Chat.',
    })
  const isThere =
    databaseUrl === null
      ? keystoreExists(dataDir) && existsSync(join(dataDir, 'station.db'))
      : (await examineStationStore({ url: databaseUrl }, schoolId ?? '')).keystore !== null
  if (isThere) return
  throw new ConsoleError({
    code: 'no_station_data',
    happened:
      databaseUrl === null
        ? `There is no station data in ${dataDir}.`
        : 'There is no station data in the database of PSYFLO_DATABASE_URL.',
    safe,
    todo: 'Use the same place the station uses (--data-dir, PSYFLO_DATABASE_URL), or start the station once to create it.',
  })
}

function listed(keys: readonly IssuedKey[], json: boolean): Written {
  const beside = ''
  if (json) return { out: JSON.stringify({ keys: keys.map(asJson) }), beside }
  if (keys.length === 0) return { out: 'No key was issued here.', beside }
  const rows = keys.map(({ id, school_id, label, scopes, created_at, revoked_at }) => [
    id,
    revoked_at === null ? 'open' : `revoked ${day(revoked_at)}`,
    scopes.join('+'),
    day(created_at),
    school_id,
    label,
  ])
  const table = [['ID', 'STATE', 'SCOPES', 'MADE', 'SCHOOL', 'LABEL'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  return {
    out: table
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd(),
      )
      .join('\n'),
    beside,
  }
}

async function issue(
  administration: KeyAdministration,
  {
    school,
    label,
    scopes,
    json,
  }: { school: string; label: string; scopes: readonly IssuedKey['scopes'][number][]; json: boolean },
): Promise<Written> {
  const before = await administration.schools()
  const { id, key } = await administration.issueApiKey({ school_id: school, label, scopes })
  const isNew = !before.includes(school)
  if (json) return { out: JSON.stringify({ id, key, school_id: school, label, scopes, new_school: isNew }), beside: '' }
  const beside = [
    `This is the key; it is not shown again. Id ${id}, ${plural(scopes.length, { one: 'scope', other: 'scopes' })} ${scopes.join(' and ')}, school ${school}.`,
    ...(isNew ? ['The school is new to this station and now has its own salt and content key.'] : []),
    'Running stations accept it within 2 seconds.',
  ]
  return { out: key, beside: beside.join('\n') }
}

async function revoke(
  administration: KeyAdministration,
  { id, json }: { id: string; json: boolean },
): Promise<Written> {
  const found = (await administration.listApiKeys(null)).find((key) => key.id === id)
  if (found === undefined)
    throw new ConsoleError({
      code: 'unknown_key',
      happened: 'No key with this id was issued here.',
      safe: 'Nothing was changed.',
      todo: 'See `npm run station -- keys list`. To revoke a key from CONSULTX_API_KEYS, remove it there and restart the station.',
    })
  const isNews = await administration.revokeApiKey({ school_id: found.school_id, id })
  if (json) return { out: JSON.stringify({ id, revoked: isNews, was_revoked: !isNews }), beside: '' }
  const out = isNews
    ? 'Revoked. Running stations refuse it within 2 seconds.'
    : 'It was already revoked; nothing was changed.'
  return { out, beside: '' }
}

const asJson = ({ created_at, revoked_at, ...key }: IssuedKey) => ({
  ...key,
  created_at: new Date(created_at).toISOString(),
  revoked_at: revoked_at === null ? null : new Date(revoked_at).toISOString(),
})

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
