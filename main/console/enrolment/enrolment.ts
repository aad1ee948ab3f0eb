/** How this console becomes one of its school: its keys are announced, and what the school seals to them is opened. */
import { z } from 'zod'
import { sealingContext, type ConsoleAnnounced } from '../../../shared/enrolment.ts'
import type { SchoolKeySealed } from '../../../shared/events.ts'
import type { ConsoleEnrolment } from '../../../shared/views.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import { contentKeyId } from '../../platform/sealing.ts'
import {
  approvedSince,
  enqueue,
  insertSchoolKey,
  lastProof,
  readSetting,
  schoolKeys,
  sealedKeysAfter,
  writeSetting,
  type Database,
} from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { ConsoleKeys } from './console-keys.ts'

export interface Enrolment {
  /** This console's fingerprint, and whether its school has approved it. */
  view(): ConsoleEnrolment
  /** Resolves when everything that came sealed so far has been tried. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface EnrolmentOptions {
  db: Database
  changes: Changes
  keys: ConsoleKeys
  consoleId: string
  /** The console's school, asked each time; '' until it is named. */
  schoolId(): string
  /** False where no acknowledgement queue is configured: nobody can be told. */
  hasAckQueue: boolean
  clock: Clock
  randomness: Randomness
  logger: Logger
}

const announcedSchema = z.object({ school_id: z.string(), fingerprint: z.string(), at: z.number() })
type Announced = z.infer<typeof announcedSchema>

/**
 * Announces the keys once for a school, as soon as its station has been heard of, and opens content keys as they
 * come, until it is stopped.
 */
export function startEnrolment(options: EnrolmentOptions): Enrolment {
  const { db, changes, keys, schoolId, hasAckQueue } = options
  const { fingerprint } = keys
  let announced = readAnnounced(db)
  // A back end that proves nothing is no station: it may not know what to make of an announcement.
  let heard = lastProof(db) !== null
  let stopped = false
  let work = Promise.resolve()

  const announceOnce = (): void => {
    const school_id = schoolId()
    if (!hasAckQueue || school_id === '' || !heard) return
    if (announced?.school_id === school_id && announced.fingerprint === fingerprint) return
    announced = announce(options, school_id)
  }
  const open = (): void => {
    work = work
      .then(() => (stopped ? undefined : openSealed(options)))
      .catch((error: unknown) => options.logger.error({ error }, 'sealed school keys could not be worked; tried again'))
  }
  const unlisten = changes.listen(({ key_sealed, every_student, proven_at }) => {
    heard ||= proven_at !== null
    // A school that was named is told as a change that concerns everybody.
    if (every_student || proven_at !== null) announceOnce()
    if (key_sealed) open()
  })
  announceOnce()
  open()

  return {
    view() {
      const school_id = schoolId()
      const approved = school_id === '' ? null : approvedSince(db, { school_id, fingerprint })
      if (approved !== null) return { fingerprint, state: 'approved', since: approved }
      if (!hasAckQueue) return { fingerprint, state: 'no queue', since: null }
      if (announced === null || school_id === '') return { fingerprint, state: 'not announced', since: null }
      return { fingerprint, state: 'waiting', since: announced.at }
    },
    settled: () => work,
    async stop() {
      stopped = true
      unlisten()
      await work
    },
  }
}

function readAnnounced(db: Database): Announced | null {
  const text = readSetting(db, 'announced_keys')
  return text === undefined ? null : announcedSchema.parse(JSON.parse(text))
}

/** The announcement and the note that it was made are one commit. */
function announce({ db, changes, keys, consoleId, clock, randomness }: EnrolmentOptions, school_id: string): Announced {
  const at = clock.now()
  const ack_id = randomness.uuid()
  const said: Omit<ConsoleAnnounced, 'signature'> = {
    schema_version: 1,
    ack_id,
    event_type: 'CONSOLE_ANNOUNCED',
    console_id: consoleId,
    school_id,
    ...keys.public,
    at: new Date(at).toISOString(),
  }
  const announced: Announced = { school_id, fingerprint: keys.fingerprint, at }
  changes.commit((altered) => {
    const body = JSON.stringify(keys.signing.sign(said))
    enqueue(db, { id: ack_id, group: `console:${consoleId}`, event_type: said.event_type, body, at })
    writeSetting(db, 'announced_keys', JSON.stringify(announced))
    altered.add({ queued: true })
  })
  return announced
}

/** The place in the log up to which sealed keys have been tried. */
const triedUntil = 'sealed_keys_tried_until'

/** Opens what came sealed since the last time, one after the other; each is tried once. */
async function openSealed(options: EnrolmentOptions): Promise<void> {
  const { db, changes, schoolId, clock, logger } = options
  if (schoolId() === '') return
  let from = Number(readSetting(db, triedUntil) ?? 0)
  for (let next = sealedKeysAfter(db, from); next.length > 0; next = sealedKeysAfter(db, from)) {
    for (const { seq, event } of next) {
      const content_key = event && (await openOne(options, event))
      changes.commit((altered) => {
        writeSetting(db, triedUntil, String(seq))
        if (!event || !content_key) return
        const { school_id, key_id, fingerprint, timestamp } = event
        const known = schoolKeys(db, school_id)
        // Its sender's clock says nothing of a time that is still to come.
        const approved_at = Math.min(timestamp, clock.now())
        insertSchoolKey(db, { school_id, key_id, content_key, fingerprint, approved_at })
        if (known.length > 0 && known.every((each) => each.key_id !== key_id))
          logger.warn(
            { keys: known.length + 1 },
            'another key of the school came; the one its directory opens with stays first',
          )
        // Words that could not be shown can be now.
        altered.add({ every_student: true })
      })
      from = seq
    }
  }
}

const contentKeyBytes = 32
/** How many sealed keys did not open so far. */
const refusedKeys = 'sealed_keys_refused'

/** Null where it is for another console, school or pair of keys, or does not open. */
async function openOne({ db, keys, consoleId, schoolId, logger }: EnrolmentOptions, event: SchoolKeySealed) {
  const { console_id, school_id, fingerprint, sealed } = event
  if (console_id !== consoleId || school_id !== schoolId() || fingerprint !== keys.fingerprint) return null
  try {
    const key = await keys.sealing.open(sealed, sealingContext(event))
    if (key.length === contentKeyBytes && contentKeyId(key) === event.key_id) return key
  } catch {
    // Said below: whoever made it could not seal for this console, or it was changed on the way.
  }
  const refused = Number(readSetting(db, refusedKeys) ?? 0) + 1
  writeSetting(db, refusedKeys, String(refused))
  logger.warn({ refused }, 'a school key that came for this console does not open; it was not kept')
  return null
}
