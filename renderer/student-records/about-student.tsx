/** Beside an alert: the student’s safety plan, folded, and the follow-ups. */
import type { AlertDetail, StudentLabel } from '../../shared/views.ts'
import { goTo, useMay } from '../app/index.ts'
import { Button, Panel, useKept, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { FollowUps } from './follow-ups.tsx'
import { PlanWords } from './plan-words.tsx'
import { draftName, usePlans } from './use-plans.ts'

const text = words.safetyPlan

/** `alert`: beside which it stands. */
export function AboutStudent({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const { student } = alert
  const keepsPlans = useMay('student_records.keep')
  if (!keepsPlans) return null
  return (
    <>
      <PlanOfAlert key={student.student_hash} student={student} alert_key={alert.key} />
      <FollowUps student={student} alert={alert} onChanged={refetch} />
    </>
  )
}

function PlanOfAlert({ student, alert_key }: { student: StudentLabel; alert_key: string }) {
  const { student_hash } = student
  const answer = usePlans(student_hash)
  const [, setEditing] = useKept(`${draftName(student_hash)} open`, false)
  const [, setFor] = useKept<string | null>(`${draftName(student_hash)} for`, null)
  const [newest] = answer.data ?? []
  const go = (editing: boolean) => {
    setEditing(editing)
    setFor(alert_key)
    goTo('students', student_hash)
  }
  return (
    <Panel title={text.title}>
      {answer.error && !answer.data && <p className="text-ink-faint">{answer.error.happened}</p>}
      {answer.data && !newest && (
        <div className="flex flex-wrap items-center gap-2">
          <p>{text.none}</p>
          <Button onClick={() => go(true)}>{text.start}</Button>
        </div>
      )}
      {newest && (
        <details>
          <summary>{text.savedOn(newest.by_name, whenText(newest.at))}</summary>
          <div className="mt-2 flex flex-col items-start gap-2">
            {newest.sections ? <PlanWords sections={newest.sections} /> : <p>{text.sealed}</p>}
            <Button onClick={() => go(false)}>{words.alerts.who.openStudent}</Button>
          </div>
        </details>
      )}
    </Panel>
  )
}
