import { plural } from '../../shared/numbers.ts'
import { hours, minutes } from '../../shared/time.ts'
import { lengthText } from '../platform/length-text.ts'
import {
  atOneMoment,
  countQuarantined,
  peopleCounts,
  readSetting,
  recordCounts,
  unsentMessages,
  verifyAudit,
  type Database,
} from '../store/console/index.ts'
import { failed, ok, warning, type Check, type Counts } from './report.ts'

/** An acknowledgement that has waited this long for its queue deserves a word. */
const longWait = minutes(10)
const tooLong = hours(24)

/** What the open data say: the figures, the audit, the people, what waits. */
export function checkRecords(db: Database, now: number): { checks: Check[]; counts: Counts; audit_ok: boolean } {
  // One moment for all figures, while a console may go on writing.
  return atOneMoment(db, () => {
    const audit = verifyAudit(db)
    return {
      counts: recordCounts(db),
      audit_ok: audit.ok,
      checks: [checkAudit(audit), checkPeople(db), checkOutbox(db, now), checkQuarantine(db)],
    }
  })
}

/** This installation's id; null before its first start ended. */
export function consoleIdOf(db: Database): string | null {
  return readSetting(db, 'console_id') ?? null
}

function checkAudit({ ok: unbroken, entries, broken_at }: ReturnType<typeof verifyAudit>): Check {
  const name = 'Audit'
  if (unbroken) return ok(name, `All ${entries} entries are linked without a break.`)
  return failed(
    name,
    `Entry ${broken_at} does not match the one before: it, or one before it, was changed or removed.`,
    'Keep a copy of the data directory as it is, and tell the person responsible for privacy at the school.',
  )
}

function checkPeople(db: Database): Check {
  const name = 'People'
  const { people, counselors, roster } = peopleCounts(db)
  if (people === 0)
    return warning(
      name,
      'This console does not know any people yet.',
      'Start it once, with PSYFLO_SIGN_IN_TOKEN if the school uses tokens.',
    )
  return ok(
    name,
    `${people} known, ${counselors} of them counselors; ${roster === 0 ? 'no roster was imported, so students are shown by pseudonym' : `${roster} students on the roster`}.`,
  )
}

function checkOutbox(db: Database, now: number): Check {
  const name = 'Outbox'
  const { waiting, oldest } = unsentMessages(db)
  const age = oldest === null ? 0 : now - oldest
  if (age < longWait)
    return ok(name, waiting === 0 ? 'Nothing is waiting to be sent.' : `${waiting} on the way to the queue.`)
  const sentence = `${waiting} wait to be sent, the oldest for ${lengthText(age)}: others do not see these acknowledgements yet.`
  const todo = 'Start the console and make sure the acknowledgement queue answers; they are then sent automatically.'
  return age > tooLong ? failed(name, sentence, todo) : warning(name, sentence, todo)
}

function checkQuarantine(db: Database): Check {
  const name = 'Quarantine'
  const { all, crises: naming } = countQuarantined(db)
  const [waiting, crises] = [all.waiting, naming.waiting]
  if (waiting === 0) return ok(name, 'Empty: no event is set aside.')
  const setAside = plural(waiting, { one: '# event is set aside', other: '# events are set aside' })
  return warning(
    name,
    crises === 0
      ? `${setAside}.`
      : `${setAside}, and ${plural(crises, { one: '# of them names', other: '# of them name' })} a crisis.`,
    'Open Alerts: each is shown there with its reason and can be retried or dismissed.',
  )
}
