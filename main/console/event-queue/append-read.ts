import type { LoggedEvent } from '../../../shared/events.ts'
import { seconds } from '../../../shared/time.ts'
import type { Appending, EventLog, Touched } from '../../store/console/index.ts'
import type { Altered } from '../changes.ts'
import type { Reading } from './read-body.ts'

/** How long after it was made an event of a told past counts as received. */
const onTheWay = seconds(0.4)

/** An event with its school, and when it was received, UTC milliseconds. */
export type Taken = Appending & { event: LoggedEvent }

/**
 * Appends what was read to the log, the same for a fresh body, one from the dead-letter queue, and one that is read
 * again from quarantine: triggers before the actions whose school is theirs, a told past without any news in it.
 * `take` is asked of each at its turn; nothing where it is not to be appended. Answers with the events that were.
 * Call it inside a transaction.
 */
export function appendRead<Item extends { reading: Reading }>(
  { eventLog, altered }: { eventLog: EventLog; altered: Altered },
  items: readonly Item[],
  take: (item: Item) => Taken[],
): LoggedEvent[] {
  const append = (some: readonly Item[]): LoggedEvent[] => {
    const taken = some.flatMap(take)
    const past = taken.filter(({ event }) => event.backfill)
    if (past.length > 0)
      altered.add(
        noNews(
          eventLog.append(
            past.map((each) => ({ ...each, received_at: Math.min(each.received_at, each.event.timestamp + onTheWay) })),
          ),
        ),
      )
    altered.add(eventLog.append(taken.filter(({ event }) => !event.backfill)))
    return taken.map(({ event }) => event)
  }
  const first = append(items.filter((item) => !asksTriggers(item)))
  return [...first, ...append(items.filter(asksTriggers))]
}

/** What a told past altered: rows, but nothing that a person must hear of. */
function noNews(touched: Touched): Touched {
  const quiet = ({ key }: { key: string }) => ({ key, opened: false, reopened: false, worse: false, told: null })
  return { ...touched, alerts: touched.alerts.map(quiet), called: [] }
}

/** Whether the school of an event is that of triggers, which may come together with it: they go first. */
function asksTriggers({ reading }: { reading: Reading }): boolean {
  if (reading.kind === 'unreadable') return false
  const { event_type, school_id } = reading.event
  return event_type === 'ALERT_ACTION' && school_id === undefined
}
