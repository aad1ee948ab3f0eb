import { safetyPlanHeadings, type SafetyPlan, type SafetyPlanHeading } from '../../shared/student-records.ts'
import { words } from '../words/index.ts'

const text = words.safetyPlan

/** The headings with what is written under them. `differs`: headings to mark. */
export function PlanWords({
  sections,
  differs = [],
}: {
  sections: SafetyPlan
  differs?: readonly SafetyPlanHeading[]
}) {
  return (
    <dl className="flex flex-col gap-2">
      {safetyPlanHeadings.map((heading) => (
        <div key={heading}>
          <dt className="font-semibold">
            {text.heading[heading]}
            {differs.includes(heading) && <span className="font-normal text-ink-faint"> · {text.differs}</span>}
          </dt>
          <dd className="break-words whitespace-pre-wrap">
            {sections[heading] || <span className="text-ink-faint">{text.empty}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
