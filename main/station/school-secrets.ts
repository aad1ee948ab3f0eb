/** What each school's pseudonyms and envelopes are made with: made once, kept wrapped, never replaced. */
import { ConsoleError } from '../../shared/errors.ts'
import { evidenceKey, type EvidenceKey } from '../platform/envelope.ts'
import type { Randomness } from '../platform/ports.ts'
import { findSecrets, hasSessions, insertSecrets, knownSchools, type StationStore } from '../store/station/index.ts'

/** Seals what stands in the database so that the database alone does not open it. */
export interface Wrapping {
  wrap(secret: Buffer): Promise<string>
  /** Throws where it was wrapped with another key, or changed. */
  unwrap(wrapped: string): Promise<Buffer>
}

export interface SchoolSecrets {
  salt: string
  evidenceKey: EvidenceKey
  /** 32 bytes: what the evidence key is made of, as it is sealed to the school's consoles. */
  contentKey: Buffer
}

export interface SchoolSecretsOptions {
  store: StationStore
  wrapping: Wrapping
  randomness: Randomness
  /**
   * Given from outside: the salt of a station with one school, and the content key with which a desk's console reads;
   * that is the first school's alone, so that no other school's console ever opens with it.
   */
  given: { salt: string | null; contentKey: Buffer | null }
}

export interface AllSecrets {
  /** The secrets of a school, made at its first use. Throws ConsoleError `salt` or `content_key`, or DatabaseGone. */
  of(schoolId: string): Promise<SchoolSecrets>
  /** The schools that have had secrets made. */
  schools(): Promise<string[]>
}

/**
 * Opens the secrets of the schools that this station serves. Throws ConsoleError `salt` or `content_key`
 * rather than making another student of everybody, or sealing with what nobody opens. `schools`: the station's own first.
 */
export async function openSecrets(options: SchoolSecretsOptions, schools: readonly string[]): Promise<AllSecrets> {
  const { store, given } = options
  if (given.salt !== null && schools.length > 1)
    throw refused(
      'A salt was given, but the API keys name more than one school.',
      'Start without it: each school keeps a salt of its own.',
    )
  const opened = new Map<string, SchoolSecrets>()
  const ofOthers = { ...options, given: { ...given, contentKey: null } }
  for (const [index, school] of schools.entries())
    opened.set(school, await open(index === 0 ? options : ofOthers, school))
  return {
    async of(schoolId) {
      const known = opened.get(schoolId)
      if (known) return known
      if (given.salt !== null)
        throw refused(
          'A salt was given, but an API key names another school.',
          'Start without it: each school keeps a salt of its own.',
        )
      const secrets = await open(ofOthers, schoolId)
      opened.set(schoolId, secrets)
      return secrets
    },
    schools: () => store.asStation(knownSchools),
  }
}

async function open({ store, wrapping, randomness, given }: SchoolSecretsOptions, school: string) {
  const kept = await store.asStation(async (unit) => {
    const found = await findSecrets(unit, school)
    if (found === null && (await hasSessions(unit, school)))
      throw refused(
        'The salt of a school that has sessions here is gone.',
        'Restore the data of this station from a backup, and start again.',
      )
    return found
  })
  const salt = given.salt ?? randomness.bytes(32).toString('hex')
  const contentKey = given.contentKey ?? randomness.bytes(32)
  const wrapped = kept ?? (await keepFirst(store, wrapping, school, { salt, contentKey }))
  const keptSalt = (await wrapping.unwrap(wrapped.salt)).toString('utf8')
  const keptKey = await wrapping.unwrap(wrapped.content_key)
  if (given.salt !== null && given.salt !== keptSalt)
    throw refused(
      'The salt that was given is not the one with which this school’s students are known here.',
      'Start without it: the salt that these data were made with is kept with them.',
    )
  if (given.contentKey !== null && !given.contentKey.equals(keptKey)) throw anotherContentKey()
  return { salt: keptSalt, evidenceKey: evidenceKey(keptKey), contentKey: keptKey }
}

/** What is kept in the end: another station may have been first. */
async function keepFirst(
  store: StationStore,
  wrapping: Wrapping,
  school: string,
  { salt, contentKey }: { salt: string; contentKey: Buffer },
) {
  const made = { salt: await wrapping.wrap(Buffer.from(salt, 'utf8')), content_key: await wrapping.wrap(contentKey) }
  return store.asStation(async (unit) => {
    await insertSecrets(unit, school, made)
    return (await findSecrets(unit, school)) ?? made
  })
}

function refused(happened: string, todo: string): ConsoleError {
  return new ConsoleError({
    code: 'salt',
    happened,
    safe: 'Nothing was changed: with another salt, every student would get a different pseudonym.',
    todo,
  })
}

function anotherContentKey(): ConsoleError {
  return new ConsoleError({
    code: 'content_key',
    happened: 'The key in this data directory is not the one that sealed this school’s records.',
    safe: 'Nothing was changed: the records open only with the key that sealed them.',
    todo: 'Restore keystore.json and the station’s data from the same backup, then start again.',
  })
}
