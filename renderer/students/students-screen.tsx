/** Students: the caseload, and one student's page. */
import { useState } from 'react'
import type { RiskTier } from '../../shared/risk.ts'
import { goTo, usePlace } from '../app/index.ts'
import { useKeys } from '../controls/index.ts'
import { Caseload } from './caseload.tsx'
import { StudentPage } from './student-page.tsx'

export function StudentsScreen() {
  const { subject } = usePlace()
  // Kept while a student's page is open, so that going back leads to the same place in the list.
  const [search, setSearch] = useState('')
  const [tier, setTier] = useState<RiskTier | 'any'>('any')
  const [cursor, setCursor] = useState(0)
  useKeys({ back: () => (subject === null ? false : goTo('students')) })
  if (subject !== null) return <StudentPage key={subject} student_hash={subject} onBack={() => goTo('students')} />
  return (
    <Caseload
      {...{ search, tier, cursor }}
      onSearch={(text) => {
        setSearch(text)
        setCursor(0)
      }}
      onTier={(next) => {
        setTier(next)
        setCursor(0)
      }}
      onCursor={setCursor}
      onOpen={(row) => goTo('students', row.student.student_hash)}
    />
  )
}
