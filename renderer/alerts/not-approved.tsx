/** Stands above the inbox of a console that its school’s station does not know yet: nothing done here holds elsewhere. */
import { seconds } from '../../shared/time.ts'
import type { ConsoleEnrolment } from '../../shared/views.ts'
import { trpc, useMe } from '../app/index.ts'
import { useLatest, useNow } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** One that announced itself a moment ago may be approved in the same breath. */
const saidAfter = seconds(30)

export function NotApprovedNotice() {
  const { desk } = useMe()
  const enrolment = useLatest<ConsoleEnrolment>((on) => trpc.settings.enrolment.subscribe(undefined, on), [])
  const isWaiting = !desk && enrolment?.state === 'waiting'
  // There from the start, so that what comes into it is said.
  return <div role="status">{isWaiting && <Said since={enrolment.since ?? 0} />}</div>
}

function Said({ since }: { since: number }) {
  if (useNow(seconds(5)) - since < saidAfter) return null
  return (
    <div className="border-b bg-surface px-3 py-2">
      <p className="font-semibold">{words.reports.notApproved.happened}</p>
      <p className="text-ink-soft">{words.reports.notApproved.todo}</p>
    </div>
  )
}
