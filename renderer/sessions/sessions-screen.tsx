/** Sessions: the list, and the review of one. */
import { useState } from 'react'
import { goTo, usePlace } from '../app/index.ts'
import { useKeys } from '../controls/index.ts'
import { SessionList } from './session-list.tsx'
import { SessionReview } from './session-review.tsx'

export function SessionsScreen() {
  const { subject } = usePlace()
  // Kept while a session is open, so that going back leads to the same place in the list.
  const [search, setSearch] = useState('')
  const [cursor, setCursor] = useState(0)
  useKeys({ back: () => (subject === null ? false : goTo('sessions')) })
  if (subject !== null) return <SessionReview key={subject} id={subject} onBack={() => goTo('sessions')} />
  return (
    <SessionList
      search={search}
      cursor={cursor}
      onSearch={(text) => {
        setSearch(text)
        setCursor(0)
      }}
      onCursor={setCursor}
      onOpen={(row) => goTo('sessions', row.id)}
    />
  )
}
