/** Who the student is: where they should be now, whether they are still chatting, how they were. */
import type { ReactNode } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { goTo, ScreenBoundary, useMay } from '../app/index.ts'
import { MiniTrajectory } from '../charts/index.ts'
import { Button, Panel, studentName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { SessionLine } from './session-line.tsx'
import { useWhereNow } from './where-now.tsx'

const text = words.alerts.who

export function StudentBlock({ alert }: { alert: AlertDetail }) {
  const { roster } = alert
  const where = useWhereNow(alert)
  const seesStudents = useMay('students.see')
  return (
    <Panel title={text.title}>
      <p className="text-medium font-semibold">{studentName(alert.student)}</p>
      {where !== null && <p className="mt-1 font-semibold">{where}</p>}
      {roster ? (
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
          {roster.class !== '' && <Line name={text.class}>{roster.class}</Line>}
          <Line name={text.counselor}>{roster.counselor || words.common.unknown}</Line>
          <Line name={text.studentId}>{roster.student_id}</Line>
        </dl>
      ) : (
        <p className="mt-1 text-ink-soft">{text.none}</p>
      )}
      <SessionLine alert={alert} />
      {seesStudents && (
        <>
          <RecentTrajectory studentHash={alert.student.student_hash} />
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => goTo('students', alert.student.student_hash)}>{text.openStudent}</Button>
            <Button onClick={() => goTo('sessions', alert.session_id)}>{text.openSession}</Button>
          </div>
        </>
      )}
    </Panel>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function RecentTrajectory({ studentHash }: { studentHash: string }) {
  return (
    <div className="mt-3">
      <p className="mb-1 text-small text-ink-faint">{text.trajectory}</p>
      {/* A chart that fails must never take the alert with it. */}
      <ScreenBoundary error={words.app.chartFailed}>
        <MiniTrajectory student_hash={studentHash} />
      </ScreenBoundary>
    </div>
  )
}
