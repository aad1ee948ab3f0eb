import type { WatchedSession } from '../../shared/views.ts'
import { goTo, useMay } from '../app/index.ts'
import { Age, Button, Clock, StudentName, TierBadge } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** A student on the watch list: no alert, so no clock and nothing to acknowledge; where to read on. */
export function Watched({ session }: { session: WatchedSession }) {
  const seesStudents = useMay('students.see')
  return (
    <div className="m-3 rounded border bg-surface p-3">
      <h2 id="alert-heading" tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 text-medium">
        <TierBadge tier="caution" strong />
        <StudentName student={session.student} more />
      </h2>
      <p className="mt-2 text-ink-soft">
        {words.alerts.watched.last} <Clock at={session.last_message_at} /> (<Age at={session.last_message_at} />)
      </p>
      <p className="mt-2 max-w-prose text-ink-soft">{words.alerts.watched.text}</p>
      {seesStudents && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button onClick={() => goTo('students', session.student.student_hash)}>{words.alerts.who.openStudent}</Button>
          <Button onClick={() => goTo('sessions', session.session_id)}>{words.alerts.who.openSession}</Button>
        </div>
      )}
    </div>
  )
}
