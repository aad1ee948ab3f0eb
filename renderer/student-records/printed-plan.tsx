import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { SafetyPlanVersion, StudentLabel } from '../../shared/views.ts'
import { fullText, studentName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { emptyPlan } from './plan-draft.ts'
import { PlanWords } from './plan-words.tsx'

const text = words.safetyPlan

/** The plan alone, on paper: a student may take it along, so that nothing of risk or alerts stands on it. Prints once. */
export function PrintedPlan(props: {
  student: StudentLabel
  version: SafetyPlanVersion
  place: string
  onPrinted: () => void
}) {
  const { student, version, place, onPrinted } = props
  useEffect(() => {
    window.addEventListener('afterprint', onPrinted, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onPrinted)
    // Once, when it is there to be printed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return createPortal(
    <article className="print-page" aria-label={text.printed(studentName(student))}>
      <h1>{text.title}</h1>
      <p>{studentName(student)}</p>
      <PlanWords sections={version.sections ?? emptyPlan} />
      <p className="print-foot">
        {place} · {text.saved(version.by_name, fullText(version.at))}
      </p>
    </article>,
    document.body,
  )
}
